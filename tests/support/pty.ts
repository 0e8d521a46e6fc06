import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { z } from "zod";

/**
 * The kernel's pseudo-terminals by way of Python's own library: pairs are opened on order, what the station writes comes
 * out as a line, and a pair can be unplugged, which hangs the station's end up as a pulled USB plug does.
 */
const script = `
import json, os, select, sys, termios

ends = {}
heard = set()

def say(**line):
    sys.stdout.write(json.dumps(line) + "\\n")
    sys.stdout.flush()

def obey(order):
    what, name = order["what"], order["name"]
    if what == "plug":
        vehicle, station = os.openpty()
        path = os.ttyname(station)
        # The station's end stays open here too: a port that is closed and opened again has not been unplugged.
        ends[name] = [vehicle, station]
        heard.add(name)
        say(name=name, path=path)
    elif what == "unplug":
        heard.discard(name)
        for end in ends.pop(name):
            os.close(end)
        say(name=name, path="")
    elif what == "write":
        os.write(ends[name][0], bytes.fromhex(order["hex"]))
    elif what == "deaf":
        heard.discard(name)
        say(name=name, path=name)
    elif what == "listen":
        heard.add(name)
    elif what == "speed":
        say(name=name, speed=speeds.get(termios.tcgetattr(ends[name][0])[5], 0))

speeds = {getattr(termios, n): int(n[1:]) for n in dir(termios) if n[0] == "B" and n[1:].isdigit()}
orders = b""
while True:
    names = {ends[n][0]: n for n in heard}
    ready, _, _ = select.select([0, *names], [], [])
    for end in ready:
        if end == 0:
            more = os.read(0, 65536)
            if not more:
                sys.exit(0)
            orders += more
            *lines, orders = orders.split(b"\\n")
            for line in lines:
                obey(json.loads(line))
        elif names[end] in heard:
            say(name=names[end], hex=os.read(end, 65536).hex())
`;

const python = ["python3", "python"].find(
  (name) =>
    process.platform !== "win32" && spawnSync(name, ["-c", "import os, termios; os.openpty()"]).status === 0,
);

/** Why there are none here; null when there are. */
export const noPty: string | null =
  python === undefined
    ? "serial over a pseudo-terminal: skipped, there is no python3 with os.openpty here"
    : null;

const Line = z.object({
  name: z.string(),
  path: z.string().optional(),
  hex: z.string().optional(),
  speed: z.number().optional(),
});
type Line = z.infer<typeof Line>;

/** The vehicles' ends of serial cables. Everything is told by events; nothing is polled. */
export class PtyBench {
  readonly #child: ChildProcess;
  readonly #listeners = new Set<(line: Line) => void>();

  constructor() {
    if (python === undefined) throw new Error("Invariant: asked for a pseudo-terminal where there is none");
    this.#child = spawn(python, ["-u", "-c", script], { stdio: ["pipe", "pipe", "inherit"] });
    if (this.#child.stdout === null) throw new Error("Invariant: the bench's output is a pipe");
    createInterface({ input: this.#child.stdout }).on("line", (text) => {
      const line = Line.parse(JSON.parse(text));
      for (const listener of [...this.#listeners]) listener(line);
    });
  }

  /** Plugs a cable in; resolves to the path of the station's end. */
  async plug(name: string): Promise<string> {
    return (await this.#ask("plug", name, (line) => line.path !== undefined)).path ?? "";
  }

  async unplug(name: string): Promise<void> {
    await this.#ask("unplug", name, (line) => line.path === "");
  }

  /** The bits a second that the station has set. */
  async speed(name: string): Promise<number> {
    return (await this.#ask("speed", name, (line) => line.speed !== undefined)).speed ?? Number.NaN;
  }

  /** The vehicle says something. */
  write(name: string, bytes: Uint8Array): void {
    this.#order({ what: "write", name, hex: Buffer.from(bytes).toString("hex") });
  }

  /** From now on nobody empties the cable at the vehicle's end. */
  async deafen(name: string): Promise<void> {
    await this.#ask("deaf", name, (line) => line.path === name);
  }

  /** It is emptied again. */
  listen(name: string): void {
    this.#order({ what: "listen", name });
  }

  /** What the station says on this cable, in the pieces in which it comes out. */
  onHeard(name: string, listener: (bytes: Uint8Array) => void): void {
    this.#listeners.add((line) => {
      if (line.name === name && line.hex !== undefined)
        listener(Uint8Array.from(Buffer.from(line.hex, "hex")));
    });
  }

  close(): void {
    this.#child.stdin?.end();
  }

  #order(order: Readonly<Record<string, string>>): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  #ask(what: string, name: string, fits: (line: Line) => boolean): Promise<Line> {
    return new Promise((resolve) => {
      const look = (line: Line): void => {
        if (line.name !== name || !fits(line)) return;
        this.#listeners.delete(look);
        resolve(line);
      };
      this.#listeners.add(look);
      this.#order({ what, name });
    });
  }
}
