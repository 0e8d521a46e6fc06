import { join } from "node:path";
import { err, ok, type Result } from "#contract/result";
import { sampleAt } from "../expression";
import type { Column, LogReader } from "../reader";
import type { Session } from "../session";
import type { Exported } from "./exported";
import { flightName } from "./parquet";

const VEHICLE = "/kingfisher/vehicle";
const SETPOINT = "/kingfisher/setpoint";

/**
 * A flight as one Robomimic demonstration (https://robomimic.github.io/docs/datasets/overview.html): `data/demo_0` with
 * `obs`, `next_obs`, `actions`, `rewards` and `dones`, one row a vehicle state. Observations are position, velocity and
 * attitude (ENU, FLU, [w, x, y, z]); an action is the setpoint that was commanded then: position ENU and yaw.
 */
export async function exportHdf5(session: Session, out: string): Promise<Result<Exported, string>> {
  const { reader, path } = session.log;
  const position = columns(reader, VEHICLE, "position_enu_m", 3);
  const velocity = columns(reader, VEHICLE, "velocity_enu_m_s", 3);
  const attitude = columns(reader, VEHICLE, "quat_flu_enu", 4);
  const setpoint = columns(reader, SETPOINT, "position_enu_m", 3);
  const yaw = reader.column(SETPOINT, "yaw_enu_rad");
  const t_s = position?.[0]?.t_s;
  if (!position || !velocity || !attitude || !setpoint || !yaw || !t_s)
    return err("Only Kingfisher's own flights with setpoints can become demonstrations.");
  // Before the first setpoint nothing was commanded: those rows are no demonstration.
  const from = t_s.findIndex((t) => t >= (yaw.t_s[0] ?? Number.POSITIVE_INFINITY));
  const count = t_s.length - from;
  if (from < 0 || count < 2) return err("This flight commanded nothing that could be demonstrated.");

  const h5wasm = await import("h5wasm/node");
  await h5wasm.ready;
  const name = join(out, `${flightName(path)}.hdf5`);
  const file = new h5wasm.File(name, "w");
  try {
    const data = file.create_group("data");
    data.create_attribute("total", count);
    data.create_attribute(
      "env_args",
      JSON.stringify({ env_name: "Kingfisher", type: 1, env_kwargs: reader.meta }),
    );
    const demo = data.create_group("demo_0");
    demo.create_attribute("num_samples", count);
    const rows = (of: readonly Column[], shift: number): Float64Array => table(of, t_s, from, count, shift);
    const write = (group: typeof demo, key: string, of: readonly Column[], shift = 0): void => {
      group.create_dataset({ name: key, data: rows(of, shift), shape: [count, of.length] });
    };
    write(demo, "actions", [...setpoint, yaw]);
    for (const [group, shift] of [
      ["obs", 0],
      ["next_obs", 1],
    ] as const) {
      const obs = demo.create_group(group);
      write(obs, "position_enu_m", position, shift);
      write(obs, "velocity_enu_m_s", velocity, shift);
      write(obs, "quat_flu_enu", attitude, shift);
    }
    const last = new Float64Array(count);
    last[count - 1] = 1;
    const success = session.summary().steps.every(({ record }) => record.status === "success");
    const none = new Float64Array(count);
    demo.create_dataset({ name: "rewards", data: success ? last : none, shape: [count] });
    demo.create_dataset({ name: "dones", data: last, shape: [count] });
  } finally {
    file.close();
  }
  return ok({ format: "hdf5", files: [name], rows: count });
}

function columns(reader: LogReader, topic: string, field: string, width: number): Column[] | null {
  const found = Array.from({ length: width }, (_, i) => reader.column(topic, `${field}[${i}]`));
  const whole = found.filter((column) => column !== null);
  return whole.length === width ? whole : null;
}

/** Rows of the columns' newest values at each time; `shift` 1 is the row after, the last repeated. */
function table(
  of: readonly Column[],
  t_s: Float64Array,
  from: number,
  count: number,
  shift: number,
): Float64Array {
  const out = new Float64Array(count * of.length);
  for (const [c, column] of of.entries()) {
    const values = sampleAt(column, t_s);
    for (let i = 0; i < count; i++)
      out[i * of.length + c] = values[Math.min(t_s.length - 1, from + i + shift)] ?? Number.NaN;
  }
  return out;
}
