import type { ReviewFinding } from "#contract/review";
import type { LogReader } from "../reader";
import { changesOf, lane, plain, type Seen, spansOf } from "./lanes";
import { messageFindings, messageMarks } from "./mavlink";
import { px4NavName, vehicleTypeName } from "./modes";
import { px4Health } from "./px4-health";
import { type Story, sortFindings } from "./story";
import { joinTrack, nedColumns, quatColumns } from "./track";

const ARMED = 2;

/** PX4's onboard logs. Field names are those of PX4's message files; older ones are tried where they were renamed. */
export function px4Story(reader: LogReader): Story {
  const end_s = reader.duration_s;
  const seen = (field: string, state: (value: number) => Omit<Seen, "at_s">): ReturnType<typeof spansOf> =>
    spansOf(
      changesOf(reader, "vehicle_status", field).map(({ at_s, value }) => ({ at_s, ...state(value) })),
      end_s,
    );
  const failsafe = seen("failsafe", (value) => ({ label: value > 0 ? "Failsafe" : "", tone: "warning" }));
  const airborne = spansOf(
    changesOf(reader, "vehicle_land_detected", "landed").map(
      ({ at_s, value }): Seen => ({ at_s, label: value > 0 ? "On ground" : "In flight", tone: "neutral" }),
    ),
    end_s,
  );
  const type = changesOf(reader, "vehicle_status", "system_type")[0]?.value ?? 0;
  const position = nedColumns(reader, "vehicle_local_position", ["x", "y", "z"]);
  return {
    title: `PX4 ${type === 0 ? "vehicle" : vehicleTypeName(type)}`,
    lanes: [
      lane(
        "mode",
        "Mode",
        seen("nav_state", (value) => ({ label: px4NavName(value), tone: "neutral" })),
      ),
      lane(
        "armed",
        "Armed",
        seen("arming_state", (value) =>
          value === ARMED ? { label: "Armed", tone: "intent" } : { label: "Disarmed", tone: "neutral" },
        ),
      ),
      lane("air", "In the air", airborne),
      lane("failsafe", "Failsafe", failsafe),
      lane("messages", "Messages", [], messageMarks(reader)),
    ],
    steps: [],
    messages: [],
    findings: sortFindings([
      ...failsafe.map(
        ({ from_s, to_s }): ReviewFinding => ({
          at_s: from_s,
          severity: "warning",
          title: "Failsafe",
          detail: `active for ${plain(to_s - from_s)} s`,
          rule: "failsafe",
          evidence: { topic: "vehicle_status", field: "failsafe", from_s, to_s, limit: null },
        }),
      ),
      ...px4Health(reader),
      ...messageFindings(reader),
    ]),
    track: position && joinTrack(position, quatColumns(reader, "vehicle_attitude", QUAT)),
    meta: { autopilot: "PX4", type: vehicleTypeName(type) },
  };
}

const QUAT = ["q[0]", "q[1]", "q[2]", "q[3]"];
