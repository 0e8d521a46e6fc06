import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LinkDetail } from "#contract/link-detail";
import { keyFromPassphrase } from "../../main/link/signing";
import { realClock } from "../../main/platform/clock";
import { openLogger } from "../../main/platform/logger";
import { appRoot, homePaths } from "../../main/platform/paths";
import { createStation, type Station } from "../../main/station";
import { ArduPilot, type ArduPilotOptions } from "../support/ardupilot";
import { freePort } from "../support/free-port";

let folder = "";
let station: Station | null = null;
let vehicles: ArduPilot[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kingfisher-links-"));
});
afterEach(async () => {
  await station?.close();
  for (const vehicle of vehicles) await vehicle.close();
  vehicles = [];
  await rm(folder, { recursive: true, force: true });
});

async function open(address: string): Promise<Station> {
  const home = homePaths({ KINGFISHER_HOME: folder });
  station = await createStation({
    clock: realClock(),
    home,
    logger: openLogger({ folder: home.logs, name: "links" }),
    address,
    simulated: true,
  });
  return station;
}

async function fly(options: Omit<ArduPilotOptions, "clock">): Promise<ArduPilot> {
  const vehicle = new ArduPilot({ clock: realClock(), ...options });
  vehicles.push(vehicle);
  await vehicle.open();
  return vehicle;
}

function until(holds: (detail: LinkDetail) => boolean): Promise<LinkDetail> {
  const s = station;
  if (s === null) throw new Error("Invariant: a station is open");
  return new Promise((resolve) => {
    const unlisten = s.on((name, value) => {
      if (name !== "link" || !holds(value as LinkDetail)) return;
      unlisten();
      resolve(value as LinkDetail);
    });
  });
}

test("two links to one vehicle: one is primary, an operator chooses, a silent one gives way, and one is closed", async () => {
  const [first, second] = [await freePort(), await freePort()];
  const [a, b] = [`udpin://127.0.0.1:${String(first)}`, `udpin://127.0.0.1:${String(second)}`];
  const s = await open(a);
  expect(await s.handlers["link.add"]({ address: b })).toEqual({ ok: true });
  expect((await s.handlers["link.add"]({ address: b })).ok).toBe(false);
  const vehicle = await fly({ port: first, second_port: second });
  await until((d) => d.vehicles[0]?.links.length === 2);
  expect(await s.handlers["link.primary"]({ system_id: 1, address: b })).toEqual({ ok: true });
  const chosen = await until((d) => d.vehicles[0]?.primary === b);
  expect(chosen.vehicles[0]?.primary_chosen).toBe(true);
  expect(chosen.links.map((l) => [l.removable, l.system_ids])).toEqual([
    [false, [1]],
    [true, [1]],
  ]);
  vehicle.muted.add(second);
  await until((d) => d.vehicles[0]?.primary === a);
  expect(s.vehicle.connected).toBe(true);
  vehicle.muted.delete(second);
  await until((d) => d.vehicles[0]?.primary === b);
  expect(await s.handlers["link.remove"]({ address: b })).toEqual({ ok: true });
  const one = await until((d) => d.links.length === 1);
  expect(one.vehicles[0]).toMatchObject({ primary: a, primary_chosen: false });
  expect((await s.handlers["link.remove"]({ address: a })).ok).toBe(false);
});

test("two vehicles on one link: both are listed, one is selected, the other can be, but not while armed", async () => {
  const port = await freePort();
  const s = await open(`udpin://127.0.0.1:${String(port)}`);
  const one = await fly({ port, system_id: 1 });
  await until((d) => d.vehicles.length === 1);
  await fly({ port, system_id: 7, parameters: [["RTL_ALT", 250, 6]] });
  await until((d) => d.vehicles.length === 2);
  expect(s.vehicle.system_id).toBe(1);
  expect((await s.handlers["link.select"]({ system_id: 9 })).ok).toBe(false);
  one.armed = true;
  await until((d) => d.vehicles.find((v) => v.system_id === 1)?.armed === true);
  expect((await s.handlers["link.select"]({ system_id: 7 })).ok).toBe(false);
  one.armed = false;
  await until((d) => d.vehicles.find((v) => v.system_id === 1)?.armed === false);
  expect(await s.handlers["link.select"]({ system_id: 7 })).toEqual({ ok: true });
  const selected = await until((d) => d.parameters.state === "complete" && d.parameters.count === 1);
  expect(selected.vehicles.filter((v) => v.selected).map((v) => v.system_id)).toEqual([7]);
  expect(s.vehicle.system_id).toBe(7);
  const listed = await s.handlers["parameters.list"]({});
  expect(listed.ok && listed.value.map((p) => [p.name, p.value, p.type])).toEqual([
    ["RTL_ALT", 250, "int32"],
  ]);
});

test("ArduPilot/ardupilot#12077, mavlink/qgroundcontrol#14160: signed, unsigned, replayed, wrong key, no key: each is told", async () => {
  const port = await freePort();
  const s = await open(`udpin://127.0.0.1:${String(port)}`);
  const vehicle = await fly({ port });
  await until((d) => d.parameters.state === "complete");
  expect(await s.handlers["signing.set"]({ passphrase: "kestrel", send: true })).toEqual({ ok: true });
  const good = await until((d) => d.signing.setup === "confirmed");
  expect(good.signing).toMatchObject({ key: "set", state: "ok", store: "a file only you may read" });
  expect(vehicle.key?.equals(Buffer.from(keyFromPassphrase("kestrel")))).toBe(true);
  // The vehicle heeds signed frames only: what is written arrives signed.
  expect(await s.handlers["parameters.write"]({ name: "RTL_ALT", value: 190 })).toMatchObject({ ok: true });

  vehicle.replay = true;
  expect((await until((d) => d.signing.state === "replayed")).signing.advice).toContain("old time stamps");
  vehicle.replay = false;
  vehicle.key = Buffer.from(keyFromPassphrase("somebody else's"));
  expect((await until((d) => d.signing.state === "wrong_key")).signing.advice).toContain("another key");
  vehicle.key = null;
  expect((await until((d) => d.signing.state === "unsigned")).signing.advice).toContain("does not sign");
  vehicle.key = Buffer.from(keyFromPassphrase("kestrel"));
  await until((d) => d.signing.state === "ok");
  expect(await s.handlers["signing.disable"]({ send: false })).toEqual({ ok: true });
  expect((await until((d) => d.signing.state === "no_key")).signing).toMatchObject({ key: "none" });
  expect(await s.handlers["signing.set"]({ passphrase: "kestrel", send: false })).toEqual({ ok: true });
  await until((d) => d.signing.state === "ok");
  expect(await s.handlers["signing.disable"]({ send: true })).toEqual({ ok: true });
  await until((d) => d.signing.setup === "confirmed" && d.signing.key === "none");
  expect(vehicle.key).toBeNull();
});

test("a forwarder lets another station watch, and says so when its address cannot be", async () => {
  const [port, other] = [await freePort(), await freePort()];
  const s = await open(`udpin://127.0.0.1:${String(port)}`);
  await fly({ port });
  await until((d) => d.vehicles.length === 1);
  const bad = await s.handlers["link.forward"]({ address: "udp://x", may_command: false });
  expect(bad).toMatchObject({ ok: false });
  const address = `udpout://127.0.0.1:${String(other)}`;
  expect(await s.handlers["link.forward"]({ address, may_command: false })).toEqual({ ok: true });
  const open_ = await until((d) => d.forwarder.to_stations_per_s > 5);
  expect(open_.forwarder).toMatchObject({ state: "open", address, may_command: false, held_back: 0 });
  expect(await s.handlers["link.forward"]({ address: null, may_command: false })).toEqual({ ok: true });
  expect((await until((d) => d.forwarder.state === "off")).forwarder.address).toBeNull();
});

test("replay:// shows a recorded flight as if the vehicle were there, and nothing can be sent to it", async () => {
  const s = await open(`replay://${join(appRoot(), "tests", "golden", "px4-1.17-hexa.tlog")}?speed=4`);
  const detail = await until((d) => d.vehicles.length === 1);
  expect(detail.vehicles[0]).toMatchObject({ autopilot: "px4", selected: true });
  const { messages } = await s.handlers["inspector.messages"]({});
  expect(messages.some((m) => m.name === "ATTITUDE")).toBe(true);
});
