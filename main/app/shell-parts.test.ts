import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Snapshot } from "#contract/ipc";
import { FakeClock } from "../../tests/support/fake-clock";
import { parseArguments } from "./arguments";
import { watchRenderer } from "./renderer-watch";
import { missingForSmoke } from "./smoke-view";
import { fit, loadWindowState, saveWindowState, type WindowState } from "./window-state";

describe("arguments", () => {
  test("ours are found between Chromium's", () => {
    const argv = [
      "electron",
      "--no-sandbox",
      "/app",
      "--smoke",
      "a.png",
      "--use-gl=angle",
      "--smoke-timeout=5",
    ];
    expect(parseArguments(argv)).toEqual({
      smoke: "a.png",
      smoke_timeout_s: 5,
      open: null,
      print: null,
    });
    expect(parseArguments(["electron", "--open=b.tlog"])).toEqual({
      smoke: null,
      smoke_timeout_s: 120,
      open: "b.tlog",
      print: null,
    });
    const link = "kingfisher://review?file=%2Fa.ulg&t=3";
    expect(parseArguments(["electron", "/app", link]).open).toBe(link);
    expect(parseArguments(["electron", "--print", "a.html", "--to", "b.pdf"]).print).toEqual({
      page: "a.html",
      target: "b.pdf",
    });
  });
  test.each(["x", "-1", "0", "NaN"])("a time-out of %s is not one", (text) => {
    expect(parseArguments(["--smoke-timeout", text]).smoke_timeout_s).toBe(120);
  });
});

describe("the watch over the window", () => {
  test("reports 2 s of silence once, and again only after a sign of life", () => {
    const clock = new FakeClock();
    const silent = vi.fn();
    const watch = watchRenderer(clock, silent);
    clock.advance(10_000);
    expect(silent).not.toHaveBeenCalled();
    for (let n = 0; n < 10; n++) {
      watch.alive();
      clock.advance(500);
    }
    expect(watch.lost).toBe(false);
    clock.advance(1499);
    expect(silent).not.toHaveBeenCalled();
    clock.advance(1);
    clock.advance(10_000);
    expect(silent).toHaveBeenCalledOnce();
    expect(watch.lost).toBe(true);
    watch.alive();
    clock.advance(2000);
    expect(silent).toHaveBeenCalledTimes(2);
  });
  test("a known death is not reported as silence", () => {
    const clock = new FakeClock();
    const silent = vi.fn();
    const watch = watchRenderer(clock, silent);
    watch.alive();
    watch.expectSilence();
    clock.advance(10_000);
    expect(silent).not.toHaveBeenCalled();
    expect(watch.lost).toBe(true);
  });
});

describe("smoke", () => {
  const snapshot = (kind: string, connected: boolean) =>
    ({ station: { vehicle_kind: kind }, vehicle: { connected } }) as unknown as Snapshot;
  test("names what is missing in the order in which it comes", () => {
    expect(missingForSmoke({ snapshot: null, drawn: new Set() })).toHaveLength(5);
    expect(missingForSmoke({ snapshot: snapshot("embedded", false), drawn: new Set(["camera"]) })).toEqual([
      "the vehicle is not connected",
      "the twin has not drawn",
    ]);
    expect(
      missingForSmoke({ snapshot: snapshot("embedded", true), drawn: new Set(["camera", "twin"]) }),
    ).toEqual([]);
  });
});

describe("where the window stood", () => {
  const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }];
  const state: WindowState = { x: 100, y: 100, width: 1200, height: 800, maximized: false };
  test("is kept, and a broken file is no reason not to start", () => {
    const folder = mkdtempSync(join(tmpdir(), "kingfisher-window-"));
    const path = join(folder, "window.json");
    expect(loadWindowState(path, screens).x).toBeNull();
    saveWindowState(path, state);
    expect(loadWindowState(path, screens)).toEqual(state);
    writeFileSync(path, readFileSync(path, "utf8").slice(0, 20));
    expect(loadWindowState(path, screens).x).toBeNull();
    rmSync(folder, { recursive: true });
  });
  test("is given up when no screen shows it any more, and never larger than the screen", () => {
    expect(fit({ ...state, x: 3000 }, screens)).toMatchObject({ x: null, y: null });
    expect(fit({ ...state, y: -500 }, screens)).toMatchObject({ x: null, y: null });
    expect(fit({ ...state, width: 5000, height: 5000 }, screens)).toMatchObject({
      width: 1920,
      height: 1080,
    });
    expect(fit(state, screens)).toEqual(state);
  });
});
