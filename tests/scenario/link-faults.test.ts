import { afterEach, expect, test } from "vitest";
import { createCommandDoor } from "../../main/link/command-door";
import type { LogEntry } from "../../main/link/protocols/logs";
import { realClock } from "../../main/platform/clock";
import { px4EventId } from "../../main/vehicle/arming-events";
import { type SimLink, simLink } from "../support/sim-link";

let link: SimLink | null = null;
afterEach(async () => {
  await link?.close();
  link = null;
});

const ARMED = 128;
const PREARM_OK = 0x1000_0000;
const armedIs =
  (armed: boolean) =>
  ({ base_mode }: Readonly<Record<string, unknown>>): boolean =>
    typeof base_mode === "number" && ((base_mode & ARMED) !== 0) === armed;

test("20 % loss and 300 ms of delay both ways: no command is executed twice, none is reported done that was not, and the log is complete", async () => {
  const l = await simLink(["--faults", "loss=0.2,delay_ms=300"]);
  link = l;
  const door = createCommandDoor({
    wire: l.hub,
    clock: realClock(),
    vehicle: () => ({ system_id: 1, component_id: 1, autopilot: "px4" }),
  });
  const happened = (name: string): number =>
    l.news.filter((news) => news.kind === "event" && news.event.id === px4EventId(name)).length;
  /** As an operator does it: what went unanswered is not known, so the state decides whether to ask again. */
  const make = async (armed: boolean): Promise<string[]> => {
    const answers: string[] = [];
    const seen = { shown: false };
    const shows = l.next("HEARTBEAT", armedIs(armed)).then(() => {
      seen.shown = true;
    });
    while (!seen.shown) {
      const outcome = await (armed ? door.arm() : door.disarm());
      answers.push(outcome.ok ? outcome.value : outcome.error);
      // Accepted is a promise: the heartbeat of the next seconds keeps it.
      if (outcome.ok) await shows;
      else await l.next("HEARTBEAT");
    }
    return answers;
  };

  await l.next("SYS_STATUS", (f) => (Number(f["onboard_control_sensors_health"]) & PREARM_OK) !== 0);
  const answers: string[] = [];
  for (let round = 0; round < 2; round++) answers.push(...(await make(true)), ...(await make(false)));
  expect(new Set(answers).size).toBeLessThanOrEqual(2);
  expect(answers.filter((a) => a !== "accepted" && a !== "unanswered")).toEqual([]);

  // Repeats that are still on their way would arm it again.
  for (let beats = 0; beats < 4; beats++) await l.next("HEARTBEAT", armedIs(false));
  const logs = await l.services.logs.list();
  if (!logs.ok) throw new Error(logs.error);
  expect(logs.value).toHaveLength(2);
  // The vehicle's own account; the events that were lost on the way have been asked for again.
  await l.next("CURRENT_EVENT_SEQUENCE");
  await l.next("CURRENT_EVENT_SEQUENCE");
  expect([happened("commander_armed_by"), happened("commander_disarmed_by")]).toEqual([2, 2]);
  expect(l.news.filter((news) => news.kind === "lost")).toEqual([]);

  const smallest = [...logs.value].sort((a, b) => a.size - b.size)[0] as LogEntry;
  const bytes = new Uint8Array(smallest.size);
  const got = await l.services.logs.download(smallest, {
    write: (offset, part) => {
      bytes.set(part, offset);
    },
  });
  expect(got).toEqual({ ok: true, value: undefined });
  // The same log by another road, with the checksum that the vehicle itself makes of it.
  const folder = "/fs/microsd/log/sess001";
  const names = await l.services.files.list(folder);
  const name = names.ok ? names.value.find((file) => file.size === smallest.size)?.name : undefined;
  const file = await l.services.files.download(`${folder}/${name ?? ""}`);
  if (!file.ok) throw new Error(file.error.text);
  expect(file.value.verified).toBe(true);
  expect(Buffer.compare(bytes, file.value.bytes)).toBe(0);

  // Nobody is there any more: nothing is reported as done.
  l.kill();
  expect(await door.arm()).toEqual({ ok: false, error: "unanswered" });
  expect(await l.services.missions.upload("mission", [])).toMatchObject({ ok: false });
  door.close();
});
