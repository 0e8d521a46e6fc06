import { ULog } from "@foxglove/ulog";
import { describe, expect, test } from "vitest";
import { FlightRig } from "../../../tests/support/flight-rig";
import { eventId } from "./events";
import { crc32 } from "./ftp";
import type { Message } from "./port";

type Fields = Message["fields"];

/** The smallest MAVFTP client: one request, its answers. */
class Ftp {
  readonly #rig: FlightRig;
  #sequence = 10;
  constructor(rig: FlightRig) {
    this.#rig = rig;
  }
  ask(
    opcode: number,
    options: {
      path?: string;
      session?: number;
      offset?: number;
      size?: number;
      data?: Uint8Array;
      repeat?: boolean;
    } = {},
  ): Uint8Array[] {
    const p = new Uint8Array(251);
    const view = new DataView(p.buffer);
    if (options.repeat !== true) this.#sequence += 2;
    view.setUint16(0, this.#sequence, true);
    p[2] = options.session ?? 0;
    p[3] = opcode;
    const data = options.data ?? new TextEncoder().encode(options.path ?? "");
    p[4] = options.size ?? data.length;
    view.setUint32(8, options.offset ?? 0, true);
    p.set(data, 12);
    const start = this.#rig.sent.length;
    this.#rig.receive("FILE_TRANSFER_PROTOCOL", { payload: Array.from(p) });
    this.#rig.run(0.2);
    return this.#rig.sent
      .slice(start)
      .filter((s) => s.message.name === "FILE_TRANSFER_PROTOCOL")
      .map((s) => Uint8Array.from(s.message.fields["payload"] as readonly number[]));
  }
  /** Opens, reads in bursts until the end, checks the CRC, closes. */
  download(path: string): Uint8Array {
    const opened = this.ask(4, { path })[0]!;
    expect(opened[3]).toBe(128);
    const session = opened[2]!;
    const size = new DataView(opened.buffer).getUint32(12, true);
    const out = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      for (const p of this.ask(15, { session, offset: at, size: 239 })) {
        if (p[3] !== 128) continue;
        const offset = new DataView(p.buffer).getUint32(8, true);
        out.set(p.subarray(12, 12 + p[4]!), offset);
        at = Math.max(at, offset + p[4]!);
      }
    }
    const crc = this.ask(14, { path })[0]!;
    expect(new DataView(crc.buffer).getUint32(12, true)).toBe(crc32(out));
    this.ask(1, { session });
    return out;
  }
}

const json = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

describe("files", { timeout: 60_000 }, () => {
  test("the component's general file leads to a parameter file whose CRC and contents fit", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    const ftp = new Ftp(rig);
    expect(rig.command(512, [397])).toBe(0);
    expect(rig.last("COMPONENT_METADATA")["uri"]).toBe("mftp:///etc/extras/component_general.json");
    const general = ftp.download("/etc/extras/component_general.json");
    expect(rig.last("COMPONENT_METADATA")["file_crc"]).toBe(crc32(general));
    const { metadataTypes } = json(general) as {
      metadataTypes: { type: number; uri: string; fileCrc: number }[];
    };
    const entry = metadataTypes.find((t) => t.type === 1)!;
    const file = ftp.download(entry.uri.replace("mftp://", ""));
    expect(crc32(file)).toBe(entry.fileCrc);
    const { parameters } = json(file) as { parameters: { name: string; type: string; default: number }[] };
    expect(parameters.length).toBeGreaterThan(800);
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: "MPC_XY_P", type: "Float", default: 0.95 }),
    );
  });

  test("directories list files with sizes, end with end-of-file, and unknown ones are not found", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    const ftp = new Ftp(rig);
    const listing = ftp.ask(3, { path: "/etc/extras" })[0]!;
    const names = new TextDecoder().decode(listing.subarray(12, 12 + listing[4]!)).split("\0");
    expect(names[0]).toMatch(/^Fall_events\.json\t\d+$/);
    expect(ftp.ask(3, { path: "/etc/extras", offset: 3 })[0]![12]).toBe(6);
    expect(ftp.ask(3, { path: "/nowhere" })[0]![12]).toBe(10);
    expect(ftp.ask(4, { path: "/etc/nothing" })[0]![12]).toBe(10);
    expect(ftp.ask(99)[0]![12]).toBe(7);
  });

  test("a repeated request is answered alike and opens no second session (PX4/PX4-Autopilot#28695)", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    const ftp = new Ftp(rig);
    const first = ftp.ask(4, { path: "/etc/extras/parameters.json" })[0]!;
    for (let i = 0; i < 10; i++) {
      expect(ftp.ask(4, { path: "/etc/extras/parameters.json", repeat: true })[0]).toEqual(first);
    }
    ftp.ask(1, { session: first[2]! });
    expect(ftp.ask(5, { session: first[2]!, size: 10 })[0]![12]).toBe(4);
  });

  test("writing works on the card only", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    const ftp = new Ftp(rig);
    expect(ftp.ask(6, { path: "/etc/evil" })[0]![12]).toBe(9);
    const session = ftp.ask(6, { path: "/fs/microsd/note.txt" })[0]![2]!;
    ftp.ask(7, { session, data: new TextEncoder().encode("hello") });
    ftp.ask(1, { session });
    expect(new TextDecoder().decode(ftp.download("/fs/microsd/note.txt"))).toBe("hello");
    expect(ftp.ask(8, { path: "/fs/microsd/note.txt" })[0]![3]).toBe(128);
    expect(ftp.ask(4, { path: "/fs/microsd/note.txt" })[0]![12]).toBe(10);
  });
});

describe("flight log", { timeout: 60_000 }, () => {
  test("a flight leaves a ULog that another reader opens: topics, parameters, texts, the height that was flown", async () => {
    const rig = new FlightRig();
    rig.takeOff(1.3);
    rig.command(21);
    rig.run(9);
    expect(rig.autopilot.armed).toBe(false);
    rig.receive("LOG_REQUEST_LIST", { start: 0, end: 0xffff });
    rig.run(0.1);
    const entry = rig.last("LOG_ENTRY");
    const size = Number(entry["size"]);
    rig.receive("LOG_REQUEST_DATA", { id: entry["id"] ?? 0, ofs: 0, count: 0xffffffff });
    rig.run(size / 200_000 + 0.2);
    const bytes = new Uint8Array(size);
    for (const piece of rig.of("LOG_DATA")) {
      const data = piece["data"] as readonly number[];
      bytes.set(data.slice(0, Number(piece["count"])), Number(piece["ofs"]));
    }
    expect(new Ftp(rig).download("/fs/microsd/log/sess001/log001.ulg")).toEqual(bytes);

    const log = new ULog({
      open: () => Promise.resolve(size),
      read: (offset: number, length: number) => Promise.resolve(bytes.slice(offset, offset + length)),
      size: () => size,
    });
    await log.open();
    expect(log.header?.parameters.get("MPC_XY_P")?.value).toBeCloseTo(0.95);
    const names = new Map([...log.subscriptions].map(([id, s]) => [id, s.name]));
    const seen = new Map<string, number>();
    let top_m = 0;
    const texts: string[] = [];
    for await (const m of log.readMessages()) {
      if ("message" in m && typeof m.message === "string") texts.push(m.message);
      if (!("msgId" in m) || !("value" in m)) continue;
      const name = names.get(m.msgId) ?? "?";
      seen.set(name, (seen.get(name) ?? 0) + 1);
      const value = m.value as { z?: number };
      if (name === "vehicle_local_position") top_m = Math.max(top_m, -(value.z ?? 0));
    }
    expect(seen.size).toBe(11);
    const attitude = seen.get("vehicle_attitude") ?? 0;
    const flown_s = Number((log.timeRange()?.[1] ?? 0n) - (log.timeRange()?.[0] ?? 0n)) / 1e6;
    expect(attitude / flown_s).toBeGreaterThan(45);
    expect(attitude / flown_s).toBeLessThan(55);
    expect(top_m).toBeGreaterThan(1.2);
    expect(texts.join("\n")).toContain("Takeoff detected");
  });

  test("no logs is an empty entry; erase empties; a request past the end gives an empty piece", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    rig.receive("LOG_REQUEST_LIST", { start: 0, end: 0xffff });
    rig.run(0.05);
    expect(rig.last("LOG_ENTRY")).toMatchObject({ num_logs: 0, size: 0 });
    rig.run(3);
    rig.command(400, [1]);
    rig.run(1);
    rig.command(400, [0]);
    rig.run(0.1);
    rig.receive("LOG_REQUEST_DATA", { id: 0, ofs: 1e8, count: 90 });
    rig.run(0.05);
    expect(rig.last("LOG_DATA")).toMatchObject({ ofs: 1e8, count: 0 });
    rig.receive("LOG_ERASE", {});
    rig.receive("LOG_REQUEST_LIST", { start: 0, end: 0xffff });
    rig.run(0.05);
    expect(rig.last("LOG_ENTRY")["num_logs"]).toBe(0);
  });
});

describe("events", { timeout: 60_000 }, () => {
  const events = (rig: FlightRig): Fields[] => rig.of("EVENT");

  test("ids are PX4's: recorded from a real 1.17.0", () => {
    expect(eventId("commander_takeoff_detected")).toBe(0x01414569);
    expect(eventId("commander_arming_check_summary")).toBe(0x01a893e0);
    expect(eventId("commander_health_summary")).toBe(0x011d3727);
    expect(eventId("check_modes_offboard_signal")).toBe(0x012f1dc7);
  });

  test("all blockers come at once between the two summaries (PX4/PX4-Autopilot#22885)", () => {
    const rig = new FlightRig();
    rig.body.remaining = 0.06;
    rig.run(3);
    rig.command(176, [1, 6, 0]);
    rig.run(0.1);
    const all = events(rig);
    const start = all.map((e) => e["id"]).lastIndexOf(eventId("commander_arming_check_summary"));
    const report = all.slice(start).map((e) => e["id"]);
    expect(report).toContain(eventId("check_battery_level"));
    expect(report).toContain(eventId("check_modes_offboard_signal"));
    expect(report.at(-1)).toBe(eventId("commander_health_summary"));
    const sequences = all.map((e) => Number(e["sequence"]));
    expect(sequences).toEqual(sequences.map((_, i) => i));
  });

  test("a missed sequence can be asked for again; one that is gone is said to be gone", () => {
    const rig = new FlightRig();
    rig.run(7);
    expect(rig.of("CURRENT_EVENT_SEQUENCE").length).toBeGreaterThanOrEqual(1);
    const [first] = events(rig);
    const before = events(rig).length;
    rig.receive("REQUEST_EVENT", { first_sequence: 0, last_sequence: 0 });
    rig.run(0.05);
    expect(events(rig).length).toBe(before + 1);
    expect(events(rig).at(-1)).toMatchObject({ id: first?.["id"], sequence: 0, destination_system: 255 });
    rig.receive("REQUEST_EVENT", { first_sequence: 500, last_sequence: 500 });
    rig.run(0.05);
    expect(rig.last("RESPONSE_EVENT_ERROR")).toMatchObject({ sequence: 500, target_system: 255 });
  });
});
