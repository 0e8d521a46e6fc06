import { defaultSettings } from "../../contract/settings";
import { openLogbook } from "../../main/logbook/logbook";
import { FakeClock } from "./fake-clock";

/**
 * A process that records without end, for tests that kill it in mid-writing. Prints `{"folder": …}` once and
 * `{"safe": N}` whenever the first N texts have been handed to the system.
 */
async function record(flights_dir: string): Promise<void> {
  const clock = new FakeClock();
  const opened = await openLogbook(
    flights_dir,
    {
      name: "crash",
      version: "0",
      git: "test",
      address: "sim://office?seed=1",
      scene: "office",
      seed: 1,
      settings: defaultSettings,
    },
    clock,
  );
  if (!opened.ok) throw new Error(opened.error);
  const logbook = opened.value;
  const say = (line: unknown): void => {
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
  say({ folder: logbook.folder });
  const picture = Buffer.alloc(20_000, 7);
  picture.set([0xff, 0xd8], 0);
  for (let n = 0; ; n++) {
    const now_ms = clock.now_ms();
    logbook.write("/kingfisher/text", { severity: "info", source: "test", text: `line ${n}` }, now_ms);
    logbook.image("/camera/wrist/colour", picture, now_ms);
    logbook.raw({
      bytes: Uint8Array.of(0xfd, 0, 0, 0, n & 255, 1, 1, 0, 0, 0, 0, 0),
      at_ms: now_ms,
      direction: "in",
    });
    if (n % 20 === 0) logbook.audit({ kind: "approval", by: "operator 1", detail: { n } });
    clock.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
    if (n % 50 !== 49) continue;
    clock.advance(250);
    while (logbook.status().pending_bytes > 0) await new Promise((resolve) => setImmediate(resolve));
    say({ safe: n + 1 });
  }
}

void record(process.argv[2] ?? ".");
