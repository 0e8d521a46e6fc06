import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { err, ok } from "#contract/result";
import type { LogOffer } from "#contract/review";
import type { VehicleState } from "#contract/vehicle";
import { FakeClock } from "../../tests/support/fake-clock";
import type { LogService } from "../link/protocols/logs";
import { LogOffers } from "./log-offer";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kingfisher-offer-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const content = Buffer.from("0123456789".repeat(20));
const state = (armed: boolean): VehicleState =>
  ({ armed, autopilot: "px4", type: "hexarotor" }) as unknown as VehicleState;

/** A vehicle with two logs; `download` sends 50 bytes at a time until told to stop. */
function rig(after: (sent: number) => "go" | "hang" = () => "go") {
  const clock = new FakeClock();
  const offers: (LogOffer | null)[] = [];
  const asked: number[] = [];
  const logs: Pick<LogService, "list" | "download"> = {
    list: () =>
      Promise.resolve(
        ok([
          { id: 3, size: 10, utc_s: 100 },
          { id: 4, size: content.length, utc_s: 900 },
        ]),
      ),
    download: (_entry, sink, options) => {
      const { from = 0, signal, onProgress } = options ?? {};
      asked.push(from);
      for (let at = from; at < content.length; at += 50) {
        if (after(at) === "hang")
          return new Promise((settle) => {
            signal?.addEventListener("abort", () => {
              settle(err({ kind: "cancelled", text: "the download was stopped", have: at }));
            });
          });
        sink.write(at, content.subarray(at, at + 50));
        onProgress?.(Math.min(at + 50, content.length), content.length);
      }
      return Promise.resolve(ok(undefined));
    },
  };
  const desk = new LogOffers({ clock, logs: () => logs, onChange: (offer) => offers.push(offer) });
  const land = async (): Promise<LogOffer> => {
    desk.onVehicle(state(true), dir);
    desk.onVehicle(state(false), dir);
    await clock.advanceAsync(5000, 500);
    if (desk.offer === null) throw new Error("no offer");
    return desk.offer;
  };
  return { clock, desk, offers, asked, land };
}

test("after landing the vehicle's logs are offered, the newest first; the chosen one lies beside the flight whole", async () => {
  const { desk, land, offers } = rig();
  const offer = await land();
  expect(offer.logs.map(({ id }) => id)).toEqual([4, 3]);
  expect(offer.companion).toMatch(/companion computer/);
  const path = join(dir, "vehicle-log-4.ulg");
  expect(await desk.fetch(offer.id, 4)).toEqual({ ok: true, value: { path } });
  expect(readFileSync(path).equals(content)).toBe(true);
  expect(readdirSync(dir)).toEqual(["vehicle-log-4.ulg"]);
  expect(offers.some((o) => o?.state === "fetching" && o.received_bytes === 100)).toBe(true);
  expect(desk.offer).toMatchObject({ state: "stored", detail: path });
});

test("a fetch can be stopped: what came is kept, nothing looks finished, the next goes on from there", async () => {
  let hang = true;
  const { desk, land, asked } = rig((sent) => (hang && sent >= 100 ? "hang" : "go"));
  const offer = await land();
  const fetching = desk.fetch(offer.id, 4);
  expect(desk.dismiss(offer.id)).toBe(true);
  expect((await fetching).ok).toBe(false);
  expect(desk.offer?.state).toBe("offered");
  expect(readdirSync(dir)).toEqual(["vehicle-log-4.ulg.part"]);
  hang = false;
  expect((await desk.fetch(offer.id, 4)).ok).toBe(true);
  expect(asked).toEqual([0, 100]);
  expect(readFileSync(join(dir, "vehicle-log-4.ulg")).equals(content)).toBe(true);
});

test("arming again takes the offer back and stops a fetch; without a recording nothing is offered", async () => {
  const { desk, land, clock } = rig((sent) => (sent >= 50 ? "hang" : "go"));
  const offer = await land();
  const fetching = desk.fetch(offer.id, 4);
  desk.onVehicle(state(true), dir);
  expect((await fetching).ok).toBe(false);
  desk.onVehicle(state(false), null);
  await clock.advanceAsync(6000, 500);
  expect(desk.dismiss("another")).toBe(false);
});

test("another log of that name is never overwritten, and a wrong offer is refused", async () => {
  const { desk, land } = rig();
  const offer = await land();
  writeFileSync(join(dir, "vehicle-log-4.ulg"), "something else");
  const refused = await desk.fetch(offer.id, 4);
  expect(refused.ok ? "" : refused.reason).toMatch(/exists already/);
  expect(await desk.fetch("old", 4)).toEqual({ ok: false, reason: "This offer is gone already." });
  expect(existsSync(join(dir, "vehicle-log-4.ulg.part"))).toBe(false);
});
