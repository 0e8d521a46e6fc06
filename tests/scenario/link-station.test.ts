import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LinkDetail } from "#contract/link-detail";
import { realClock } from "../../main/platform/clock";
import { openLogger } from "../../main/platform/logger";
import { homePaths } from "../../main/platform/paths";
import { createStation, type Station } from "../../main/station";

/** The link screens' requests against the embedded vehicle, as the window asks them. */
let folder = "";
let station: Station | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kingfisher-link-"));
});
afterEach(async () => {
  await station?.close();
  station = null;
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<Station> {
  const home = homePaths({ KINGFISHER_HOME: folder });
  const opened = await createStation({
    clock: realClock(),
    home,
    logger: openLogger({ folder: home.logs, name: "link" }),
    address: "sim://office?seed=1",
  });
  station = opened;
  return opened;
}

async function until(holds: (detail: LinkDetail) => boolean): Promise<LinkDetail> {
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

test("parameters are read, described by the vehicle, written, compared, kept by hash and restored", async () => {
  let s = await open();
  const first = await until(
    (d) => d.parameters.state === "complete" && d.parameters.metadata.state === "vehicle",
  );
  // The embedded vehicle's own link ends with the connection, like any other's.
  expect(first.links.map((link) => link.removable)).toEqual([false]);
  const address = first.links[0]?.status.address ?? "";
  expect(await s.handlers["link.remove"]({ address })).toMatchObject({ ok: false });
  expect(first.parameters.cached).toBe(false);
  expect(first.parameters.metadata.events).toBeGreaterThan(10);
  const listed = await s.handlers["parameters.list"]({});
  const row = listed.ok ? listed.value.find((p) => p.name === "RTL_RETURN_ALT") : undefined;
  expect(row).toMatchObject({
    type: "float",
    unit: "m",
    min: 0,
    max: 150,
    short: "Height of a return above home",
  });

  const file = join(folder, "all.params");
  expect(await s.handlers["parameters.export"]({ path: file })).toEqual({ ok: true });
  expect(await readFile(file, "utf8")).toMatch(/^1\t1\tRTL_RETURN_ALT\t[\d.]+\t9$/m);
  expect(await s.handlers["parameters.write"]({ name: "RTL_RETURN_ALT", value: 2.25 })).toEqual({
    ok: true,
    value: { value: 2.25 },
  });
  const different = await s.handlers["parameters.compare"]({ path: file });
  expect(different).toEqual({
    ok: true,
    value: [{ name: "RTL_RETURN_ALT", vehicle: 2.25, file: row?.value }],
  });
  expect(await s.handlers["parameters.import"]({ path: file, names: ["RTL_RETURN_ALT"] })).toEqual({
    ok: true,
    value: { written: 1, failed: [] },
  });
  expect(await s.handlers["parameters.compare"]({ path: file })).toEqual({ ok: true, value: [] });
  expect(await s.handlers["parameters.compare"]({ path: folder })).toEqual({
    ok: false,
    reason: `${folder} is a directory, not a file.`,
  });
  await s.handlers["parameters.refresh"]({});
  await s.close();
  s = await open();
  const again = await until(
    (d) => d.parameters.state === "complete" && d.parameters.metadata.state === "cached",
  );
  expect(again.parameters).toMatchObject({ cached: true, received: first.parameters.received });
});

test("fence, mission and rally points go to the vehicle, come back the same, and into a .plan and out of it", async () => {
  const s = await open();
  await until((d) => d.parameters.state === "complete");
  const fence = {
    polygons: [
      {
        inclusion: true,
        corners_enu_m: [
          [-3, -2],
          [3, -2],
          [3, 2],
          [-3, 2],
        ] as [number, number][],
      },
    ],
    circles: [{ inclusion: false, centre_enu_m: [1.5, 1] as [number, number], radius_m: 0.5 }],
  };
  const mission = [
    {
      command: 16,
      frame: 6,
      params: [0, null, 0, null] as [number, null, number, null],
      x: 473_977_418,
      y: 85_455_939,
      z: 1.5,
      autocontinue: true,
      label: "",
      position_enu_m: null,
    },
  ];
  const rally = [{ position_enu_m: [0.5, -1, 0.2] as [number, number, number] }];
  expect(await s.handlers["plan.write"]({ mission, fence, rally })).toEqual({ ok: true });
  const read = await s.handlers["plan.read"]({});
  if (!read.ok) throw new Error(read.reason);
  const { value } = read;
  expect(value.mission[0]).toMatchObject({ command: 16, label: "Waypoint", params: [0, null, 0, null] });
  expect(value.mission[0]?.position_enu_m).not.toBeNull();
  const corners = value.fence.polygons[0]?.corners_enu_m.flat() ?? [];
  corners.forEach((x, i) => expect(x).toBeCloseTo(fence.polygons[0]?.corners_enu_m.flat()[i] ?? 0, 1));
  expect(value.fence.circles[0]).toMatchObject({ inclusion: false, radius_m: 0.5 });
  expect(value.rally).toHaveLength(1);
  const path = join(folder, "site.plan");
  expect(await s.handlers["plan.save"]({ path, plan: value })).toEqual({ ok: true });
  expect(await s.handlers["plan.open"]({ path })).toEqual({ ok: true, value });
});

test("files and messages: listed, fetched with their checksum, counted, shown and kept for a plot", async () => {
  const s = await open();
  await until((d) => d.parameters.metadata.state === "vehicle");
  const files = await s.handlers["files.list"]({ path: "/etc/extras" });
  expect(files.ok && files.value.map((f) => f.name)).toContain("component_general.json");
  const got = await s.handlers["files.download"]({ path: "/etc/extras/component_general.json", folder });
  expect(got.ok).toBe(true);
  const done = await until((d) => d.transfers.some((t) => t.kind === "file" && t.state === "done"));
  expect(done.transfers.find((t) => t.kind === "file")).toMatchObject({ detail: "checksum agrees" });
  expect(await readFile(join(folder, "component_general.json"), "utf8")).toContain("metadataTypes");

  const key = { system_id: 1, component_id: 1, name: "ATTITUDE_QUATERNION" };
  const { messages, components } = await s.handlers["inspector.messages"]({});
  expect(messages.find((m) => m.name === key.name)?.rate_hz).toBeGreaterThan(10);
  expect(components.find((c) => c.system_id === 1)).toMatchObject({ lost: 0, restarts: 0 });
  expect(await s.handlers["inspector.plot"]({ ...key, field: "q1" })).toEqual({ ok: true });
  await until(() => true);
  const series = await s.handlers["inspector.series"]({ ...key, field: "q1", after_ms: null });
  expect(series.ok && series.value.values.length).toBeGreaterThan(3);
  expect(done.streams.every((stream) => stream.answer === "accepted")).toBe(true);
  expect(done.vehicles).toMatchObject([{ system_id: 1, selected: true, autopilot: "px4" }]);
  expect(done.time.round_trip_ms).toBeLessThan(1000);
});
