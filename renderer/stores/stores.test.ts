import { beforeEach, describe, expect, it } from "vitest";
import { createFakeBridge, type FakeBridge } from "../../tests/support/fake-bridge";
import { sampleStation } from "../../tests/support/sample-flight";
import { sampleSnapshot } from "../../tests/support/samples";
import type { CameraHub } from "../bridge/bridge";
import type { PageTime } from "../bridge/time";
import { createStores, pressEmergency, type Stores, tell } from "./stores";
import { createUiStore, withNotice, withoutNotice } from "./ui";

const no_cameras: CameraHub = { onPicture: () => () => undefined, latest: () => null, cameras: () => [] };
let now_ms = 0;
const time: PageTime = {
  monotonic_ms: () => now_ms,
  utc_ms: () => 0,
  every: () => () => undefined,
  after: () => () => undefined,
};

let bridge: FakeBridge;
let stores: Stores;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(() => {
  now_ms = 1000;
  bridge = createFakeBridge(sampleSnapshot);
  stores = createStores({ bridge, cameras: no_cameras, time });
});

describe("stores", () => {
  it("know nothing before the station has spoken, and claim nothing", () => {
    stores = createStores({ bridge, cameras: no_cameras, time });
    expect(stores.vehicle.getState().connected).toBe(false);
    expect(stores.station.getState()).toMatchObject({ vehicle_kind: "none", simulation: false });
    expect(stores.safety.getState().score).toBeNull();
    expect(stores.ui.getState().snapshot.state).toBe("waiting");
  });

  it("are filled by the first snapshot", async () => {
    await settled();
    expect(stores.ui.getState().snapshot.state).toBe("ready");
    expect(stores.vehicle.getState()).toEqual(sampleSnapshot.vehicle);
    expect(stores.approval.getState().card).toEqual(sampleSnapshot.approval);
    expect(stores.links.getState().links).toEqual(sampleSnapshot.links);
    expect(stores.alerts.getState().alerts).toEqual(sampleSnapshot.alerts);
  });

  it("say why when the snapshot fails", async () => {
    const failing = createFakeBridge(sampleSnapshot, {
      "station.snapshot": () => {
        throw new Error("station is starting");
      },
    });
    const others = createStores({ bridge: failing, cameras: no_cameras, time });
    await settled();
    expect(others.ui.getState().snapshot).toEqual({ state: "failed", reason: "station is starting" });
  });

  it("follow every topic, and forget a card that is withdrawn", async () => {
    await settled();
    bridge.emit("approval", null);
    bridge.emit("safety", { ...sampleSnapshot.safety, score: 61 });
    bridge.emit("perception", null);
    expect(stores.approval.getState().card).toBeNull();
    expect(stores.safety.getState().score).toBe(61);
    expect(stores.perception.getState().report).toBeNull();
  });

  it("carry the station's clock on between two snapshots", () => {
    bridge.emit("station", { ...sampleStation, now_ms: 50_000 });
    now_ms += 700;
    expect(stores.clock.now_ms()).toBe(50_700);
    bridge.emit("station", { ...sampleStation, now_ms: 50_650 });
    expect(stores.clock.now_ms()).toBe(50_650);
  });

  it("let the menu switch workspaces, open the palette and open a file", () => {
    bridge.emit("menu", { action: "setup", path: null });
    expect(stores.ui.getState().workspace).toBe("setup");
    bridge.emit("menu", { action: "palette", path: null });
    expect(stores.ui.getState().palette_open).toBe(true);
    bridge.emit("menu", { action: "open", path: "/tmp/a.mcap" });
    expect(stores.ui.getState()).toMatchObject({ workspace: "review", review_path: "/tmp/a.mcap" });
    bridge.emit("menu", { action: "nonsense", path: null });
    expect(stores.ui.getState().workspace).toBe("review");
  });

  it("leave no listener behind", () => {
    expect(bridge.listeners()).toBeGreaterThan(0);
    stores.dispose();
    expect(bridge.listeners()).toBe(0);
  });
});

describe("asking the station", () => {
  it("shows a refusal as a notice", async () => {
    const taken = await tell(stores, Promise.resolve({ ok: false as const, reason: "no vehicle" }));
    expect(taken).toBe(false);
    expect(stores.ui.getState().notices.map((notice) => notice.text)).toEqual(["no vehicle"]);
  });

  it("survives a station that does not answer", async () => {
    expect(await tell(stores, Promise.reject(new Error("gone")))).toBe(false);
    expect(stores.ui.getState().notices[0]?.text).toContain("gone");
  });

  it("keeps a refused emergency action on its button", async () => {
    bridge.answer("emergency.press", () => ({ ok: false, reason: "no link" }));
    pressEmergency(stores, "hold");
    expect(stores.presses.getState().hold.state).toBe("asking");
    await settled();
    expect(stores.presses.getState().hold).toMatchObject({ state: "refused", reason: "no link" });
    expect(bridge.inputsOf("emergency.press")).toEqual([{ action: "hold" }]);
  });
});

describe("notices", () => {
  it("are three at most, without repeats", () => {
    const ui = createUiStore();
    for (const text of ["a", "b", "c", "b", "d"]) ui.setState((state) => withNotice(state, "neutral", text));
    expect(ui.getState().notices.map((notice) => notice.text)).toEqual(["c", "b", "d"]);
    const [first] = ui.getState().notices;
    ui.setState((state) => withoutNotice(state, first?.id ?? -1));
    expect(ui.getState().notices.map((notice) => notice.text)).toEqual(["b", "d"]);
  });
});
