import { createSocket } from "node:dgram";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { kingfisher } from "../support/cli";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kingfisher-link-cli-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => kingfisher(["link", ...args], { home: folder });

describe("one clear line and an exit code for what cannot be", () => {
  it.each([
    ["udp://127.0.0.1:14550", 2, "link: udp:// does not say who waits for whom: write udpin:// or udpout://"],
    [
      "gopher://x",
      2,
      'link: unknown scheme "gopher://": use udpin, udpout, tcpin, tcpout, serial, replay or sim',
    ],
    ["/dev/ttyACM0", 2, 'link: "/dev/ttyACM0" is not an address: write SCHEME://…, SCHEME being udpin'],
    ["udpin://127.0.0.1:99999", 2, "link: port 99999 does not exist: use 1 to 65535"],
    ["sim://office?seed=x", 2, "seed"],
    ["serial:///dev/ttyNOWHERE:57600", 1, "link: /dev/ttyNOWHERE does not exist"],
    ["serial:///tmp:57600", 1, "link: /tmp is a directory, not a serial port"],
    ["serial:///etc/hostname", 1, "link: /etc/hostname is not a serial port"],
    ["replay:///nowhere.tlog", 1, "link: /nowhere.tlog does not exist"],
    ["replay:///tmp", 1, "link: /tmp is a directory, not a .tlog file"],
    ["tcpout://127.0.0.1:9", 1, "nothing listens there"],
  ])("%s", async (url, code, line) => {
    const { code: ended, stdout, stderr } = await run(url, "--for", "1");
    expect(stderr).toContain(line);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect([ended, stdout]).toEqual([code, ""]);
  });

  it("a busy UDP port and a busy TCP port", async () => {
    const udp = createSocket("udp4");
    await new Promise<void>((done) => udp.bind(0, "127.0.0.1", done));
    const busy = await run(`udpin://127.0.0.1:${String(udp.address().port)}`, "--for", "1");
    udp.close();
    expect(busy.stderr).toContain("the port is taken; close the other ground station");
    expect(busy.code).toBe(1);
    const tcp = createServer();
    await new Promise<void>((done) => tcp.listen(0, "127.0.0.1", done));
    const { port } = z.object({ port: z.number() }).parse(tcp.address());
    const taken = await run(`tcpin://127.0.0.1:${String(port)}`, "--for", "1");
    await new Promise((done) => tcp.close(done));
    expect([taken.code, taken.stderr.includes("the port is taken")]).toEqual([1, true]);
  });

  it("a file that is no telemetry log, and nobody at the address", async () => {
    const file = join(folder, "notes.tlog");
    await writeFile(file, "these are notes\n".repeat(100));
    const wrong = await run(`replay://${file}`, "--for", "1");
    expect([wrong.code, wrong.stderr.includes("holds no MAVLink frames")]).toEqual([1, true]);
    const silent = await run("udpin://127.0.0.1:0", "--for", "1");
    expect(silent.code).toBe(2);
    const udp = createSocket("udp4");
    await new Promise<void>((done) => udp.bind(0, "127.0.0.1", done));
    const { port } = udp.address();
    await new Promise<void>((done) => udp.close(() => done()));
    const nobody = await run(`udpin://127.0.0.1:${String(port)}`, "--for", "1", "--json");
    expect(nobody.code).toBe(1);
    expect(JSON.parse(nobody.stdout)).toMatchObject({ autopilot: null });
  });
});

const Report = z.looseObject({
  autopilot: z.string(),
  firmware: z.string(),
  rates: z.record(z.string(), z.number()),
  loss: z.number(),
  parameters: z.object({ received: z.number(), count: z.number(), values: z.record(z.string(), z.number()) }),
  arming: z.array(z.unknown()),
  failsafes: z.array(z.object({ parameter: z.string(), sentence: z.string(), blocks: z.boolean() })),
  components: z.array(z.looseObject({ kind: z.string() })),
});

test("the embedded vehicle: all parameters, rates, failsafes in words, components", async () => {
  const { code, stdout, stderr } = await run("sim://office?seed=1", "--for", "5", "--json");
  expect(code).toBe(0);
  const report = Report.parse(JSON.parse(stdout));
  expect(report.autopilot).toBe("px4");
  expect(Object.keys(report.parameters.values)).toHaveLength(report.parameters.count);
  expect(report.rates["ATTITUDE_QUATERNION"]).toBeGreaterThan(10);
  expect(report.failsafes.map((f) => f.parameter)).toContain("NAV_DLL_ACT");
  expect(report.components.map((c) => c.kind)).toContain("autopilot");
  expect(stderr).toContain("If this station goes silent, the vehicle will");
});
