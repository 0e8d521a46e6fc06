import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { GraderHello, GraderMessage, GraderTruth, graderPeriod_ms } from "#contract/grader-wire";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { createAutopilot } from "../autopilot/autopilot";
import { Pilot } from "../check/pilot";
import { happen } from "../events";
import { Simulation } from "../simulation";
import { GraderServer } from "./server";
import { TruthReader } from "./truth";

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

async function simulationOf(scene: string): Promise<Simulation> {
  const simulation = await Simulation.create({
    layout: sceneOf(scene, 2),
    vehicle: vehicleOf("hexa650"),
    instance: 0,
    autopilot: createAutopilot,
    camera: null,
  });
  cleanup.push(() => {
    simulation.close();
  });
  return simulation;
}

/** Reads to the end; every line must fit the contract. */
function readAll(socket: Socket): Promise<readonly GraderMessage[]> {
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return new Promise((resolve) => {
    socket.on("close", () => {
      resolve(
        text
          .trim()
          .split("\n")
          .map((line) => GraderMessage.parse(JSON.parse(line))),
      );
    });
  });
}

function fly(simulation: Simulation, after: () => void): string {
  const step = simulation.step.bind(simulation);
  simulation.step = (looking) => {
    step(looking);
    after();
  };
  const pilot = new Pilot(simulation);
  pilot.takeOff(1.2);
  happen({ kind: "push", object: simulation.world.pushable[0] ?? "" }, simulation);
  pilot.run(1.5);
  return simulation.hash();
}

test("truth of a flight: classes, poses, contacts, what was made to happen; the world runs the same bits unwatched", async () => {
  const simulation = await simulationOf("office");
  const path = join(tmpdir(), `kingfisher-grader-test-${process.pid}.sock`);
  const server = await GraderServer.listen(path, simulation, true);
  if (!server.ok) throw new Error(server.error);
  const socket = createConnection(path);
  const reading = readAll(socket);
  await server.value.reader();
  socket.write("push everything off the table\n");
  let steps = 0;
  const hash = fly(simulation, () => {
    if (++steps % 5 === 0) server.value.slice();
  });
  await server.value.close();

  const messages = await reading;
  const hello = GraderHello.parse(messages[0]);
  expect(hello.scene).toBe("office");
  expect(hello.objects.map((o) => o.name)).toEqual(simulation.world.pushable);
  expect(hello.objects.every((o) => o.label !== "" && o.bounds_m.max[2] > 0.01)).toBe(true);
  const truths = messages.flatMap((m) => (m.kind === "truth" ? [m] : []));
  expect(truths.length).toBeGreaterThan(60);
  truths.slice(1).forEach((truth, i) => {
    expect(truth.t_ms - (truths[i]?.t_ms ?? Number.NaN)).toBe(graderPeriod_ms);
  });
  const [first, last] = [truths[0], truths.at(-1)];
  if (first === undefined || last === undefined) throw new Error("no truth");
  // From standing on its legs, 0.4 m, to the 1.2 m it was sent to.
  expect(last.vehicle.position_enu_m[2] - first.vehicle.position_enu_m[2]).toBeGreaterThan(0.7);
  const moved = (i: number): number =>
    Math.hypot(...([0, 1] as const).map((k) => (last.objects[i]?.p[k] ?? 0) - (first.objects[i]?.p[k] ?? 0)));
  expect(moved(0)).toBeGreaterThan(0.05);
  expect(messages.filter((m) => m.kind === "event")).toMatchObject([
    { what: "push", to: hello.objects[0]?.name },
  ]);
  expect(messages.at(-1)?.kind).toBe("end");

  expect(fly(await simulationOf("office"), () => {})).toBe(hash);
}, 120_000);

test("contacts name who stands on what, and things that have gone to sleep still stand there", async () => {
  const simulation = await simulationOf("office");
  const reader = new TruthReader(simulation);
  const look = (steps: number): GraderTruth => {
    for (let i = 1; i <= steps; i++) {
      simulation.step(false);
      if (i % 5 === 0) reader.look();
    }
    return reader.take();
  };
  const early = look(250);
  expect(early.contacts).toContainEqual(["structure/floor", "vehicle"]);
  const standing = (truth: GraderTruth): string[] =>
    simulation.world.pushable.filter((name) => truth.contacts.some((pair) => pair.includes(name)));
  expect(standing(early)).toEqual(simulation.world.pushable);
  look(1500);
  expect(simulation.world.touching.pairs().length).toBeLessThan(early.contacts.length);
  expect(standing(look(100))).toEqual(simulation.world.pushable);
}, 120_000);

test("doors and drawers are told with their joints", async () => {
  const simulation = await simulationOf("laboratory");
  const server = new TruthReader(simulation);
  const truth = GraderTruth.parse(server.take());
  expect(truth.movers.length).toBe(simulation.world.layout.movers.length);
  expect(truth.movers.length).toBeGreaterThan(0);
  expect(truth.movers.every((q) => Math.abs(q) < 0.01)).toBe(true);
});
