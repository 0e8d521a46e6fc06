import { beforeEach, describe, expect, it } from "vitest";
import type { Result } from "#contract/result";
import { FakeClock } from "../../tests/support/fake-clock";
import { createCommandDoor, type DoorVehicle } from "./command-door";
import { type CommandFailure, CommandSender } from "./command-sender";
import type { Fields, Received } from "./port";

let clock: FakeClock;
let sent: { name: string; fields: Fields }[];
let hear: (message: Received) => void;
const wire = {
  send: (name: string, fields: Fields) => {
    sent.push({ name, fields });
  },
  onMessage: (listener: (message: Received) => void) => {
    hear = listener;
    return () => {};
  },
};
const ack = (change: Record<string, unknown> = {}, from: readonly [number, number] = [1, 1]): void => {
  hear({
    name: "COMMAND_ACK",
    id: 77,
    system_id: from[0],
    component_id: from[1],
    link: "test",
    at_ms: clock.now_ms(),
    fields: {
      command: 400,
      result: 0,
      progress: 0,
      result_param2: 0,
      target_system: 255,
      target_component: 190,
      ...change,
    },
  });
};
type Outcome = Result<"accepted", CommandFailure> | "waiting";
function watch(promise: Promise<Result<"accepted", CommandFailure>>): { outcome: Outcome } {
  const box: { outcome: Outcome } = { outcome: "waiting" };
  void promise.then((outcome) => {
    box.outcome = outcome;
  });
  return box;
}
const settle = (): Promise<void> => new Promise((done) => setImmediate(done));
const target = { system_id: 1, component_id: 1 };

beforeEach(() => {
  clock = new FakeClock();
  sent = [];
});

describe("a command", () => {
  const send = (
    change: Partial<Parameters<CommandSender["send"]>[0]> = {},
    sender = new CommandSender(wire, clock),
  ) => watch(sender.send({ command: 400, params: [1], target, idempotent: true, ...change }));

  it("is done by an ack of the same command, from its addressee, to us, and by no other", async () => {
    const box = send();
    ack({ command: 176 });
    ack({}, [1, 154]);
    ack({}, [2, 1]);
    ack({ target_system: 254 });
    ack({ target_component: 1 });
    await settle();
    expect(box.outcome).toBe("waiting");
    ack();
    await settle();
    expect(box.outcome).toEqual({ ok: true, value: "accepted" });
    expect(sent[0]?.fields).toMatchObject({ param1: 1, param2: Number.NaN, confirmation: 0 });
  });

  it("without an answer is sent again with a raised confirmation, then is unanswered: unknown, not failed", async () => {
    const box = send();
    clock.advance(10_000);
    await settle();
    expect(sent.map((s) => s.fields["confirmation"])).toEqual([0, 1, 2, 3]);
    expect(box.outcome).toEqual({ ok: false, error: "unanswered" });
    ack();
    await settle();
    expect(box.outcome).toEqual({ ok: false, error: "unanswered" });
  });

  it("that must not be done twice is sent once and its answer awaited as long", async () => {
    const box = send({ idempotent: false });
    clock.advance(2700);
    expect(sent.length).toBe(1);
    ack();
    await settle();
    expect(box.outcome).toEqual({ ok: true, value: "accepted" });
  });

  it("mavlink/qgroundcontrol#10852: IN_PROGRESS for 20 s, then ACCEPTED", async () => {
    const shares: (number | null)[] = [];
    const box = send({ onProgress: (share) => shares.push(share) });
    for (let i = 0; i < 20; i++) {
      ack({ result: 5, progress: i * 5 });
      clock.advance(1000);
    }
    await settle();
    expect(box.outcome).toBe("waiting");
    expect(sent.length).toBe(1);
    ack();
    await settle();
    expect(box.outcome).toEqual({ ok: true, value: "accepted" });
    expect(shares.length).toBe(20);
  });

  it("mavlink/qgroundcontrol#10852: IN_PROGRESS, then silence", async () => {
    const box = send();
    ack({ result: 5 });
    clock.advance(20_000);
    await settle();
    expect(box.outcome).toEqual({ ok: false, error: "unanswered" });
    expect(sent.length).toBe(1);
  });

  it.each([
    [1, "temporarily_rejected"],
    [2, "denied"],
    [3, "unsupported"],
    [4, "failed"],
    [6, "cancelled"],
    [99, "failed"],
  ])("answered by %i is %s", async (result, error) => {
    const box = send();
    ack({ result });
    await settle();
    expect(box.outcome).toEqual({ ok: false, error });
  });

  it("of a number that is already waiting is busy, unless it is urgent; the ack of the older one proves nothing about it", async () => {
    const sender = new CommandSender(wire, clock);
    const arm = send({}, sender);
    const again = send({}, sender);
    const kill = send({ params: [0, 21196], urgent: true }, sender);
    await settle();
    expect(again.outcome).toEqual({ ok: false, error: "busy" });
    expect(arm.outcome).toEqual({ ok: false, error: "superseded" });
    ack();
    await settle();
    expect(kill.outcome).toBe("waiting");
    ack();
    await settle();
    expect(kill.outcome).toEqual({ ok: true, value: "accepted" });
  });

  it("PX4/PX4-Autopilot#20331, judahpaul16/canarygc#79: an acknowledged gripper is acknowledged, and nothing here calls it done", async () => {
    const door = createCommandDoor({ wire, clock, vehicle: () => ({ ...target, autopilot: "px4" }) });
    const box = watch(door.command("DO_GRIPPER", [1, 0]));
    ack({ command: 211 });
    await settle();
    expect(box.outcome).toEqual({ ok: true, value: "accepted" });
  });
});

describe("the door", () => {
  let vehicle: DoorVehicle = { ...target, autopilot: "px4" };
  const door = () => createCommandDoor({ wire, clock, vehicle: () => vehicle });
  const params = () =>
    sent.map(({ fields }) => [fields["command"], fields["param1"], fields["param2"], fields["param3"]]);

  it("speaks PX4 to PX4 and ArduPilot to ArduPilot", () => {
    vehicle = { ...target, autopilot: "px4" };
    for (const mode of ["hold", "offboard", "land", "return", "position"] as const)
      void door().set_mode(mode);
    expect(params()).toEqual([
      [176, 1, 4, 3],
      [176, 1, 6, 0],
      [176, 1, 4, 6],
      [176, 1, 4, 5],
      [176, 1, 3, 0],
    ]);
    sent = [];
    vehicle = { ...target, autopilot: "ardupilot" };
    for (const mode of ["hold", "offboard", "land", "return", "position"] as const)
      void door().set_mode(mode);
    expect(params().map((p) => p[2])).toEqual([17, 4, 9, 6, 5]);
  });

  it("arms, disarms and kills", () => {
    vehicle = { ...target, autopilot: "px4" };
    void door().arm();
    void door().disarm();
    void door().kill();
    expect(params().map((p) => p.slice(0, 3))).toEqual([
      [400, 1, 0],
      [400, 0, 0],
      [400, 0, 21196],
    ]);
  });

  it("sends position and yaw, and refuses what is not a number", () => {
    door().setpoint([1, 2, -3], 0.5);
    expect(sent[0]).toMatchObject({
      name: "SET_POSITION_TARGET_LOCAL_NED",
      fields: {
        type_mask: 0b100111111000,
        coordinate_frame: 1,
        x: 1,
        y: 2,
        z: -3,
        yaw: 0.5,
        target_system: 1,
      },
    });
    expect(() => {
      door().setpoint([1, Number.NaN, 0], 0);
    }).toThrow("Invariant");
  });

  it("without a vehicle says so and sends nothing", async () => {
    vehicle = { system_id: null, component_id: null, autopilot: "unknown" };
    expect(await door().arm()).toEqual({ ok: false, error: "no_vehicle" });
    door().setpoint([0, 0, 0], 0);
    expect(sent).toEqual([]);
  });
});
