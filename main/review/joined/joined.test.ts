import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { f32, u64, ulog } from "../../../tests/support/log-builders";
import { homePaths } from "../../platform/paths";
import { reviewDeps } from "../deps";
import { ReviewService } from "../service";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kingfisher-join-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Height of a movement that never repeats itself; both logs see the same flight on their own clocks. */
const height = (t: number): number => Math.sin(t) + 0.7 * Math.sin(0.074 * t * t) + (t > 20 ? 1 : 0);

/** An ULog without a date that begins `begin_s` into the flight. */
function flight(name: string, begin_s: number, end_s: number, rate_hz: number): string {
  const count = Math.floor((end_s - begin_s) * rate_hz);
  const bytes = Buffer.concat([
    ulog.header(5e6),
    ulog.flags(),
    ulog.format("vehicle_local_position:uint64_t timestamp;float x;float y;float z;"),
    ulog.subscribe(0, "vehicle_local_position"),
    ...Array.from({ length: count }, (_, i) =>
      ulog.data(0, u64(5e6 + (i / rate_hz) * 1e6), f32(0), f32(0), f32(-height(begin_s + i / rate_hz))),
    ),
    ulog.text(4, 5e6 + 1e6, `a word of ${name}`),
  ]);
  const path = join(dir, name);
  writeFileSync(path, bytes);
  return path;
}

const service = (): ReviewService =>
  new ReviewService({ ...reviewDeps, home: homePaths({ KINGFISHER_HOME: join(dir, "home") }) });
const opened = async (on: ReviewService, path: string): Promise<string> => {
  const answer = await on.answer("review.open", { path });
  if (!answer.ok) throw new Error(answer.reason);
  return answer.value.id;
};

test("two logs of one flight lie on one clock, found by what both measured; everything answers there", async () => {
  const [mine, other] = [flight("a.ulg", 0, 40, 50), flight("b.ulg", 6, 46, 31)];
  const on = service();
  const id = await opened(on, mine);
  const joined = await on.answer("review.join", { id, path: other });
  if (!joined.ok) throw new Error(joined.reason);
  const { value } = joined;
  expect(value.sources.map(({ key }) => key)).toEqual(["", "ulog"]);
  expect(value.sources[1]?.offset).toMatchObject({ how: "correlated", signal: "height" });
  expect(value.sources[1]?.offset.offset_s).toBeCloseTo(6, 1);
  expect(value.duration_s).toBeCloseTo(46, 0);
  expect(value.topics.map(({ name }) => name)).toEqual([
    "vehicle_local_position",
    "ulog:vehicle_local_position",
  ]);
  expect(value.messages.map(({ text, at_s }) => [text, Math.round(at_s)])).toEqual([
    ["a word of a.ulg", 1],
    ["a word of b.ulg", 7],
  ]);
  const field = "{ulog:vehicle_local_position.z} - {vehicle_local_position.z}";
  const series = await on.answer("review.series", {
    id,
    topic: "=",
    field,
    from_s: 10,
    to_s: 35,
    points: 5000,
  });
  if (!series.ok) throw new Error(series.reason);
  expect(Math.max(...series.value.max.map((v) => Math.abs(v ?? 0)))).toBeLessThan(0.15);
  const tracks = await on.answer("review.tracks", { id });
  expect(tracks.ok && tracks.value.map((t) => [t.id, Math.round(t.track.t_s[0] ?? -1)])).toEqual([
    ["estimate", 0],
    ["ulog:estimate", 6],
  ]);
  const message = await on.answer("review.message", { id, topic: "ulog:vehicle_local_position", at_s: 16 });
  expect(message.ok && message.value.at_s).toBeCloseTo(16, 1);
  const layouts = await on.answer("review.layouts", { id });
  expect(layouts.ok && layouts.value.map((l) => l.id)).toEqual(
    expect.arrayContaining(["ulog:ulog-position"]),
  );
});

test("an offset set by hand is remembered by content, wherever the files go; null finds it again", async () => {
  const [mine, other] = [flight("a.ulg", 0, 40, 50), flight("b.ulg", 6, 46, 31)];
  const on = service();
  const id = await opened(on, mine);
  await on.answer("review.join", { id, path: other });
  const set = await on.answer("review.offset", { id, source: "ulog", offset_s: -2.5 });
  expect(set.ok && set.value.sources[1]?.offset).toMatchObject({ offset_s: -2.5, how: "given" });
  expect(set.ok && set.value.span.from_s).toBe(-2.5);
  mkdirSync(join(dir, "elsewhere"));
  const moved = join(dir, "elsewhere", "renamed.ulg");
  copyFileSync(other, moved);
  const later = service();
  const again = await opened(later, mine);
  const back = await later.answer("review.join", { id: again, path: moved });
  expect(back.ok && back.value.sources[1]?.offset).toMatchObject({ offset_s: -2.5, how: "remembered" });
  const found = await later.answer("review.offset", { id: again, source: "ulog", offset_s: null });
  expect(found.ok && found.value.sources[1]?.offset.how).toBe("correlated");
  const left = await later.answer("review.leave", { id: again, source: "ulog" });
  expect(left.ok && left.value.topics.map(({ name }) => name)).toEqual(["vehicle_local_position"]);
});

test("what cannot be joined is one sentence", async () => {
  const mine = flight("a.ulg", 0, 5, 20);
  const on = service();
  const id = await opened(on, mine);
  const say = async (path: string) => {
    const answer = await on.answer("review.join", { id, path });
    return answer.ok ? "joined" : answer.reason;
  };
  expect(await say(mine)).toBe("a.ulg is part of this review already.");
  expect(await say(join(dir, "none.ulg"))).toMatch(/does not exist/);
  expect(await on.answer("review.leave", { id, source: "" })).toEqual({
    ok: false,
    reason: "The first log carries the clock; it stays.",
  });
  expect(await on.answer("review.offset", { id, source: "nobody", offset_s: 1 })).toEqual({
    ok: false,
    reason: "There is no log “nobody”.",
  });
});

test("a video is placed by its header's clock, and its address is told", async () => {
  const u32be = (v: number): Buffer => {
    const out = Buffer.alloc(4);
    out.writeUInt32BE(v);
    return out;
  };
  const box = (name: string, ...body: Buffer[]): Buffer => {
    const inner = Buffer.concat(body);
    return Buffer.concat([u32be(8 + inner.length), Buffer.from(name), inner]);
  };
  // 2026-01-01T00:00:10Z, 600 ticks a second, 12.5 s.
  const created = Date.UTC(2026, 0, 1, 0, 0, 10) / 1000 + 2_082_844_800;
  const mvhd = box(
    "mvhd",
    u32be(0),
    u32be(created),
    u32be(created),
    u32be(600),
    u32be(7500),
    Buffer.alloc(80),
  );
  const path = join(dir, "camera.mp4");
  writeFileSync(
    path,
    Buffer.concat([box("ftyp", Buffer.from("isom")), box("mdat", Buffer.alloc(64)), box("moov", mvhd)]),
  );
  const on = service();
  const id = await opened(on, flight("a.ulg", 0, 5, 20));
  const joined = await on.answer("review.join", { id, path });
  if (!joined.ok) throw new Error(joined.reason);
  expect(joined.value.sources[1]).toMatchObject({
    key: "video",
    video: true,
    duration_s: 12.5,
    start_utc_ms: Date.UTC(2026, 0, 1, 0, 0, 10),
    offset: { how: "none" },
  });
  const media = await on.answer("review.media", { id, source: "video" });
  expect(media.ok && media.value.url).toMatch(/^file:.*camera\.mp4$/);
  expect((await on.answer("review.media", { id, source: "" })).ok).toBe(false);
});
