import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StepRecord } from "#contract/mission";
import type { RecordMessage } from "#contract/record";
import type { SafetyState } from "#contract/safety";
import { defaultSettings } from "#contract/settings";
import { FakeClock } from "../../../tests/support/fake-clock";
import { type Logbook, openLogbook } from "../../logbook/logbook";
import { reviewDeps } from "../deps";
import { reportHtml } from "../report/html";
import { ReviewService } from "../service";
import type { Session } from "../session";
import { explainStops } from "./explain";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kingfisher-story-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

type Vehicle = RecordMessage<"/kingfisher/vehicle">;
const vehicle = (mode: Vehicle["mode"], armed: boolean, height_m: number): Vehicle => ({
  system_id: 1,
  component_id: 1,
  autopilot: "px4",
  type: "hexarotor",
  type_id: 13,
  firmware: null,
  git_hash: null,
  connected: true,
  heartbeat_at_ms: 0,
  mode,
  mode_label: mode === "hold" ? "Hold" : "Offboard",
  custom_mode: null,
  armed,
  landed: height_m > 0.1 ? "in_air" : "on_ground",
  system_status: 4,
  failsafe: false,
  position_enu_m: [1, 2, height_m],
  velocity_enu_m_s: [0, 0, 0],
  position_at_ms: 0,
  quat_flu_enu: [1, 0, 0, 0],
  yaw_enu_rad: 0,
  attitude_at_ms: 0,
  boot_time_ms: 0,
  reset_counter: 0,
  home_enu_m: null,
  battery: { remaining: 0.9, voltage_v: 16, current_a: 10, minutes_left: null },
  estimate: { source: "", health: "good", horizontal_sigma_m: null, rate_hz: null },
  subsystems: [],
  arming: [],
  failsafes: [],
  in_air_since_ms: null,
  parameters: { received: 0, count: null },
});

const safety = (displacement_m: number, level: SafetyState["level"], score: number): SafetyState => ({
  profile: "flight",
  score,
  level,
  worst: "object-3",
  worst_displacement_m: displacement_m,
  seen: 1,
  total: 1,
  objects: [
    {
      id: "object-3",
      label: "red cylinder",
      state: "seen",
      baseline_enu_m: [1, 0, 0.8],
      position_enu_m: [1 + displacement_m, 0, 0.8],
      size_m: [0.08, 0.08, 0.1],
      colour: [200, 30, 30],
      displacement_m,
      deadband_m: 0.01,
      score,
      last_seen_at_ms: 0,
    },
  ],
  frame_seq: 1,
  at_ms: 0,
});

function step(id: string, skill: "take_off" | "forward", from_ms: number, to_ms: number | null): StepRecord {
  return {
    step: 1,
    proposal: {
      id,
      mission_id: "m",
      step: 1,
      call: { skill, args: {} },
      tier: "T1",
      trace: {
        image_description: "a table",
        summary: "nothing yet",
        action_predictions: [],
        reasoning: "the way is clear",
      },
      policy: "rules",
      latency_ms: 1,
      tokens: null,
      attempt: 1,
      invalid: [],
      observation: { camera_seq: 1, captured_at_ms: 0 },
      start: null,
      end: null,
      path: [],
      distance_m: 0.5,
      duration_s: 3,
      energy_wh: 0.1,
      created_at_ms: from_ms,
    },
    verdict: { at_ms: from_ms, pass: true, checks: [] },
    decision: { kind: "approved", by: "operator 1", reason: "", after_ms: 2000 },
    started_at_ms: from_ms,
    ended_at_ms: to_ms,
    status: to_ms === null ? null : skill === "take_off" ? "success" : "stopped",
    detail: to_ms === null ? "" : "red cylinder moved",
  };
}

async function fly(each: (logbook: Logbook, now_ms: number) => void): Promise<Session> {
  const clock = new FakeClock(5000);
  const meta = {
    name: "test flight",
    version: "0",
    git: "0",
    address: "sim://office?seed=1",
    scene: "office",
    seed: 1,
    settings: defaultSettings,
  };
  const opened = await openLogbook(dir, meta, clock);
  if (!opened.ok) throw new Error(opened.error);
  for (let n = 0; n <= 200; n++) {
    each(opened.value, clock.now_ms());
    await clock.advanceAsync(100, 100);
  }
  await opened.value.close();
  const review = await new ReviewService({ ...reviewDeps, home: null }).open(opened.value.folder);
  if (typeof review === "string") throw new Error(review);
  return review.view;
}

test("a flight stopped by a displaced object is told with lanes, findings, steps and path", async () => {
  const session = await fly((logbook, now_ms) => {
    const t = now_ms - 5000;
    const stopped = t >= 12_300;
    logbook.write(
      "/kingfisher/vehicle",
      vehicle(stopped ? "hold" : "offboard", t >= 1000, t >= 2000 ? 1.5 : 0),
      now_ms,
    );
    const moved = t < 12_000 ? 0.001 : t < 12_500 ? 0.055 : 0.062;
    logbook.write(
      "/kingfisher/s_safe",
      safety(moved, t < 12_000 ? "ok" : "stop", t < 12_000 ? 100 : 59),
      now_ms,
    );
    if (t === 1000) logbook.write("/kingfisher/step", step("p1", "take_off", 6000, null), now_ms);
    if (t === 8000) logbook.write("/kingfisher/step", step("p1", "take_off", 6000, 13_000), now_ms);
    if (t === 12_200) logbook.write("/kingfisher/step", step("p2", "forward", 15_000, 17_200), now_ms);
    if (t === 9000)
      logbook.write(
        "/kingfisher/decision",
        {
          proposal_id: "p2",
          decision: null,
          record: { kind: "approved", by: "operator 1", reason: "", after_ms: 900 },
        },
        now_ms,
      );
    if (t === 9000) logbook.audit({ kind: "approval", by: "operator 1", detail: { proposal: "p2" } });
    if (t === 500) logbook.image("/camera/front/colour", Uint8Array.of(0xff, 0xd8, 1), now_ms);
    if (t === 5000) logbook.image("/camera/front/colour", Uint8Array.of(0xff, 0xd8, 2), now_ms);
  });
  const summary = session.summary();
  expect(summary).toMatchObject({
    format: "Kingfisher flight (MCAP)",
    completeness: { state: "complete", notes: [] },
    audit: { state: "verified" },
    has_track: true,
  });
  expect(summary.duration_s).toBeCloseTo(20, 3);
  const lanes = Object.fromEntries(
    summary.lanes.map(({ id, spans }) => [
      id,
      spans.map((s) => [s.label, Number(s.from_s.toFixed(1)), Number(s.to_s.toFixed(1)), s.tone]),
    ]),
  );
  expect(lanes["mode"]).toEqual([
    ["Offboard", 0, 12.3, "neutral"],
    ["Hold", 12.3, 20, "neutral"],
  ]);
  expect(lanes["skills"]).toEqual([
    ["Take off", 1, 8, "machine"],
    ["Forward 0.5 m ✕", 10, 12.2, "warning"],
  ]);
  expect(lanes["s_safe"]).toEqual([
    ["100", 0, 12, "neutral"],
    ["59", 12, 20, "warning"],
  ]);
  expect(summary.findings.map(({ severity, title, detail }) => [severity, title, detail])).toEqual([
    [
      "warning",
      "Stopped by displacement",
      "red cylinder moved 6.2 cm, limit 5 cm; the vehicle showed Hold 300 ms later",
    ],
    ["caution", "Approved in 0.9 s", "the dwell is 1 s"],
    ["caution", "“Forward 0.5 m” was stopped", "red cylinder moved"],
  ]);
  expect(summary.steps.map(({ record }) => record.status)).toEqual(["success", "stopped"]);
  expect(session.track()?.position_enu_m.at(-1)).toEqual([1, 2, 1.5]);
  expect([...(session.image("/camera/front/colour", 4.9)?.bytes ?? [])]).toEqual([0xff, 0xd8, 1]);
  expect(session.image("/camera/front/colour", 5)).toMatchObject({ index: 1, media_type: "image/jpeg" });
  const height = session.series("/kingfisher/vehicle", "position_enu_m[2]", null, null, 1000);
  expect([height?.unit, height?.max.at(-1), height?.raw_count]).toEqual(["m", 1.5, 201]);
});

test("a skill that was still running when the recording was cut lasts to its end", async () => {
  const session = await fly((logbook, now_ms) => {
    logbook.write("/kingfisher/vehicle", vehicle("offboard", true, 1), now_ms);
    if (now_ms === 8000) logbook.write("/kingfisher/step", step("p1", "forward", 8000, null), now_ms);
  });
  const skills = session.summary().lanes.find(({ id }) => id === "skills");
  expect(skills?.spans.map((s) => [s.from_s, s.to_s])).toEqual([[3, 20]]);
});

test("the governor's interventions are counted, the worst told; full speed is none", async () => {
  const slowed = async (scale: (t_s: number) => number): Promise<(readonly [string, string, string])[]> => {
    const session = await fly((logbook, now_ms) => {
      const t_s = (now_ms - 5000) / 1000;
      logbook.write("/kingfisher/vehicle", vehicle("offboard", true, 1), now_ms);
      const error_m = scale(t_s) < 1 ? 0.084 : 0.01;
      logbook.write("/kingfisher/governor", { scale: scale(t_s), error_m, reason: "tracking error" }, now_ms);
    });
    return session
      .summary()
      .findings.filter(({ rule }) => rule === "governor")
      .map(({ severity, title, detail }) => [severity, title, detail] as const);
  };
  const twice = (t: number): number => ((t > 4 && t < 5) || (t > 12 && t < 13) ? 0.4 : 1);
  expect(await slowed(twice)).toEqual([
    ["advisory", "Governor slowed 2 times", "to 40 % at worst, tracking error 8.4 cm: tracking error"],
  ]);
  expect(await slowed(() => 1)).toEqual([]);
});

test("an approval within the dwell is a finding on the decision; one after it is none", async () => {
  const approvedAfter = async (after_ms: number): Promise<unknown[]> => {
    const record = { kind: "approved" as const, by: "operator 1", reason: "", after_ms };
    const session = await fly((logbook, now_ms) => {
      logbook.write("/kingfisher/vehicle", vehicle("offboard", true, 1), now_ms);
      if (now_ms === 9000)
        logbook.write("/kingfisher/decision", { proposal_id: "p", decision: null, record }, now_ms);
    });
    return session.summary().findings.filter(({ rule }) => rule === "approval_too_fast");
  };
  expect(await approvedAfter(900)).toMatchObject([
    { at_s: 4, evidence: { topic: "/kingfisher/decision", field: "record.after_ms", limit: 1000 } },
  ]);
  expect(await approvedAfter(1100)).toEqual([]);
});

test("why it stopped is answered from the record: cause, S_safe, checks, approver, what came next", async () => {
  const session = await fly((logbook, now_ms) => {
    const t = now_ms - 5000;
    logbook.write("/kingfisher/vehicle", vehicle(t >= 12_300 ? "hold" : "offboard", true, 1.5), now_ms);
    logbook.write(
      "/kingfisher/s_safe",
      safety(t < 12_000 ? 0.001 : 0.062, t < 12_000 ? "ok" : "stop", t < 12_000 ? 100 : 59),
      now_ms,
    );
    if (t === 8000) logbook.write("/kingfisher/step", step("p1", "take_off", 6000, 13_000), now_ms);
    if (t === 12_200) logbook.write("/kingfisher/step", step("p2", "forward", 15_000, 17_200), now_ms);
  });
  const [stop, ...others] = explainStops(session.summary(), session.log.reader);
  expect(others).toEqual([]);
  expect(stop?.title).toBe("Why did “Forward 0.5 m” stop at 0:12.2?");
  const text = stop?.parts.flatMap(({ lines }) => lines).join("\n") ?? "";
  expect(text).toContain("“Forward 0.5 m” was stopped at 0:12.2: red cylinder moved.");
  expect(text).toContain(
    "S_safe fell from 100 to 59 at 0:12.0, below the stop limit of 70; the largest displacement was 6.2 cm (red cylinder).",
  );
  expect(text).toContain("approved by operator 1 after 2 s");
  expect(text).toContain("No further step; the recording ends at 0:20.0, the vehicle in Hold.");
  const html = reportHtml(session);
  for (const part of [stop?.title ?? "-", "Audit chain", "<svg"]) expect(html).toContain(part);
  expect(html).not.toMatch(/(src|href)="https?:/);
});
