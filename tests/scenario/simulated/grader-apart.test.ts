import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { GraderMessage } from "#contract/grader-wire";
import { realClock } from "../../../main/platform/clock";
import { reviewDeps } from "../../../main/review/deps";
import { openLog } from "../../../main/review/open";
import { kingfisher } from "../../support/cli";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kingfisher-apart-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const Flown = z.looseObject({ outcome: z.string(), why: z.string(), recording: z.string() });

interface Flight {
  readonly report: unknown;
  /** Everything the station recorded, topic by topic: telemetry, proposals with their reasoning, verdicts, decisions, pictures. */
  readonly recorded: ReadonlyMap<string, readonly string[]>;
  /** The raw link, both ways. */
  readonly link: Buffer;
  readonly said: string;
}

async function fly(home: string, more: readonly string[]): Promise<Flight> {
  const run = await kingfisher(
    [
      ...["fly", "--json", "--say", "take off, move left and hold for 20 seconds", "--approve", "auto"],
      ...["--speed", "max", "--event", "push:red_cup@17", ...more],
    ],
    { home },
  );
  const flown = Flown.parse(JSON.parse(run.stdout));
  expect(flown.why).toMatch(/Object moved/);
  const { recording, ...report } = flown;
  return {
    report: { ...report, tlog: null },
    recorded: await contentOf(recording),
    link: readFileSync(join(recording, "flight.tlog")),
    said: run.stderr,
  };
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** All messages as text. Tokens and identities are drawn anew in each flight: only their order of appearance is compared. */
async function contentOf(recording: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const log = await openLog(recording, reviewDeps);
  if (!log.ok) throw new Error(log.error);
  const { reader } = log.value;
  const known = new Map<string, string>();
  const text = (value: unknown): string =>
    JSON.stringify(value, (key, part: unknown) => {
      // Hashes of lines with such tokens in them.
      if (key === "hash") return "";
      return part instanceof Uint8Array ? createHash("sha256").update(part).digest("hex") : part;
    }).replaceAll(uuid, (id) => {
      const name = known.get(id) ?? `id ${String(known.size)}`;
      known.set(id, name);
      return name;
    });
  const content = new Map(
    reader.topics.map(({ name }) => [name, Array.from(reader.records(name), (r) => text([r.at_s, r.value]))]),
  );
  reader.close();
  return content;
}

/** Server ends of connections to a Unix socket: whoever holds one shows here. Linux only. */
function connections(path: string): number {
  const connected = "03";
  return readFileSync("/proc/net/unix", "utf8")
    .split("\n")
    .filter((line) => line.endsWith(` ${path}`) && line.split(/\s+/)[5] === connected).length;
}

test("nothing of the truth reaches the station: with and without a grader one seed is the same flight, to the byte", async () => {
  const alone = await fly(join(folder, "alone"), []);

  const path = join(folder, "truth");
  const flying = fly(join(folder, "graded"), ["--embedded", `grader=${path}`]);
  const kinds = new Map<string, number>();
  const most = { connections: 0 };
  await new Promise<void>((resolve) => {
    const open = (): void => {
      let rest = "";
      let connected = false;
      const reader = createConnection(path);
      reader.setEncoding("utf8");
      reader.on("connect", () => (connected = true));
      reader.on("error", () => {});
      reader.on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const { kind } = GraderMessage.parse(JSON.parse(line));
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
        if (existsSync("/proc/net/unix")) most.connections = Math.max(most.connections, connections(path));
      });
      reader.on("close", () => {
        if (connected) resolve();
        else realClock().after(20, open);
      });
    };
    open();
  });
  const graded = await flying;

  expect(kinds.get("truth")).toBeGreaterThan(300);
  expect([kinds.get("hello"), kinds.get("event"), kinds.get("end")]).toEqual([1, 1, 1]);
  // This test reads the truth, and nobody else does while the station flies.
  if (existsSync("/proc/net/unix")) expect(most.connections).toBe(1);

  expect(graded.report).toEqual(alone.report);
  expect(graded.said).toBe(alone.said);
  expect(graded.link.length).toBeGreaterThan(100_000);
  expect(graded.link.equals(alone.link)).toBe(true);
  expect([...graded.recorded.keys()]).toEqual([...alone.recorded.keys()]);
  for (const [topic, messages] of alone.recorded) expect(graded.recorded.get(topic), topic).toEqual(messages);
  expect(alone.recorded.get("/kingfisher/proposal")?.length).toBeGreaterThan(2);
  expect(alone.recorded.get("/camera/front/colour")?.length).toBeGreaterThan(100);
});
