import { describe, expect, it } from "vitest";
import { FakeClock } from "../../../tests/support/fake-clock";
import { lossyLink } from "../../../tests/support/lossy-link";
import { settleWithin } from "../../../tests/support/settle";
import { CommandSender } from "../command-sender";
import { startDiscovery } from "./components";
import { neededStreams, requestStreams, trimStreams } from "./message-intervals";

const bytes_per_s = (streams: typeof neededStreams) =>
  streams.reduce((sum, s) => sum + s.rate_hz * s.bytes, 0);

describe("streams by need", () => {
  it("are all there on a fast link", () => {
    expect(trimStreams(neededStreams, 1e6)).toEqual(neededStreams);
  });

  it("fit a radio of 57,600 baud, what is needed most still useful", () => {
    const trimmed = trimStreams(neededStreams, 5760);
    expect(bytes_per_s(trimmed)).toBeLessThanOrEqual(5760 * 0.6 + 1);
    for (const stream of trimmed)
      expect(stream.rate_hz === 0 || stream.rate_hz >= stream.least_hz).toBe(true);
    expect(trimmed.filter((s) => s.priority <= 1).every((s) => s.rate_hz >= s.least_hz)).toBe(true);
    expect(trimmed.find((s) => s.name === "LOCAL_POSITION_NED")?.rate_hz).toBeGreaterThan(4);
  });

  it("that do not fit even at their least are left out, the least needed first", () => {
    const trimmed = trimStreams(neededStreams, 700);
    expect(trimmed.find((s) => s.name === "ODOMETRY")?.rate_hz).toBe(0);
    expect(trimmed.find((s) => s.name === "SYS_STATUS")?.rate_hz).toBeGreaterThan(0);
  });

  it("are asked for one after the other, since an ack does not say which it answers", async () => {
    const clock = new FakeClock();
    const { station, vehicle } = await lossyLink(clock, { loss: 0.2, delay_ms: 50, seed: 2 });
    const asked: unknown[] = [];
    vehicle.onMessage(({ fields }) => {
      asked.push(fields["param1"]);
      const refused = fields["param1"] === 331;
      vehicle.send("COMMAND_ACK", {
        command: 511,
        result: refused ? 3 : 0,
        target_system: 255,
        target_component: 190,
      });
    });
    const sender = new CommandSender(station, clock);
    const outcome = await settleWithin(
      clock,
      requestStreams(sender, { system_id: 1, component_id: 1 }, neededStreams),
    );
    expect([...new Set(asked)]).toEqual(neededStreams.map((s) => s.message_id));
    expect(outcome.get("ODOMETRY")).toEqual({ ok: false, error: "unsupported" });
    expect([...outcome.values()].filter((o) => o.ok).length).toBe(neededStreams.length - 1);
  });
});

it("cameras, gimbals and companions are found by what they send, and a camera is asked for its name", async () => {
  const clock = new FakeClock(1000);
  const { station } = await lossyLink(clock);
  const sent: unknown[] = [];
  let hear: (m: Parameters<Parameters<typeof station.onMessage>[0]>[0]) => void = () => {};
  const wire = {
    send: (_: string, fields: Readonly<Record<string, unknown>>) =>
      sent.push([fields["target_component"], fields["param1"]]),
    onMessage: (listener: typeof hear) => {
      hear = listener;
      return () => {};
    },
  };
  const found = startDiscovery(wire, clock, 1);
  const message = (component_id: number, name: string, fields: Record<string, unknown>) =>
    hear({ name, id: 0, system_id: 1, component_id, link: "x", at_ms: clock.now_ms(), fields });
  message(1, "HEARTBEAT", { type: 13 });
  message(100, "HEARTBEAT", { type: 30 });
  message(154, "HEARTBEAT", { type: 26 });
  message(191, "HEARTBEAT", { type: 18 });
  message(169, "ATTITUDE", {});
  const text = (value: string) => [...Buffer.from(value.padEnd(32, "\0"))];
  message(100, "CAMERA_INFORMATION", { vendor_name: text("Intel"), model_name: text("D455") });
  expect(found.components.map((c) => [c.component_id, c.kind, c.model])).toEqual([
    [1, "autopilot", ""],
    [100, "camera", "Intel D455"],
    [154, "gimbal", ""],
    [169, "gripper", ""],
    [191, "companion", ""],
  ]);
  expect(sent).toEqual([
    [100, 259],
    [154, 280],
  ]);
});
