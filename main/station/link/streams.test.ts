import { describe, expect, it } from "vitest";
import { FakeClock } from "../../../tests/support/fake-clock";
import { lossyLink } from "../../../tests/support/lossy-link";
import { openServices } from "../../link/services";
import { StreamPlanner } from "./streams";

async function rig(capacity: { bytes_per_s: number | null }) {
  const clock = new FakeClock();
  const { station, vehicle } = await lossyLink(clock);
  const asked = new Map<number, number>();
  vehicle.onMessage(({ name, fields }) => {
    if (name !== "COMMAND_LONG" || fields["command"] !== 511) return;
    asked.set(Number(fields["param1"]), Number(fields["param2"]));
    vehicle.send("COMMAND_ACK", { command: 511, result: 0, target_system: 255, target_component: 190 });
  });
  const target = { system_id: 1, component_id: 1 };
  const services = openServices({ wire: station, clock, target, autopilot: "px4", onEvent: () => {} });
  const planner = new StreamPlanner(clock, () => capacity.bytes_per_s);
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 200; i++) {
      clock.advance(10);
      await Promise.resolve();
    }
  };
  planner.serve(services, "px4");
  await settle();
  return { planner, asked, settle };
}

describe("streams of the selected vehicle", () => {
  it("are asked for in full where nothing limits the link, and told as accepted", async () => {
    const { planner, asked } = await rig({ bytes_per_s: null });
    expect(planner.rows.every((row) => row.answer === "accepted" && row.asked_hz === row.wanted_hz)).toBe(
      true,
    );
    expect(asked.get(32)).toBe(20_000);
  });

  it("fit a radio of 57,600 baud: what nobody needs is switched off, the rest is slowed down", async () => {
    const { planner, asked } = await rig({ bytes_per_s: 5760 });
    expect(asked.get(36)).toBe(-1);
    expect(asked.get(105)).toBe(-1);
    const position = planner.rows.find((row) => row.name === "LOCAL_POSITION_NED");
    expect(position?.asked_hz).toBeGreaterThan(4);
    expect(position?.asked_hz).toBeLessThan(50);
  });

  it("are asked for anew when the primary link carries less, and less still while a radio's buffer is full", async () => {
    const capacity = { bytes_per_s: null as number | null };
    const { planner, settle } = await rig(capacity);
    const rate = (): number => planner.rows.find((row) => row.name === "LOCAL_POSITION_NED")?.asked_hz ?? 0;
    capacity.bytes_per_s = 5760;
    planner.look();
    await settle();
    const slow = rate();
    expect(slow).toBeLessThan(50);
    planner.radioBuffer(0.1);
    await settle();
    expect(rate()).toBeLessThan(slow);
  });
});
