import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../../platform/clock";
import { decodeFtp, encodeFtp, FTP_DATA, type FtpPacket, ftpCrc32, nakCodes, opcodes } from "./ftp-wire";
import { Ranges } from "./ranges";
import { listen, type ServiceTarget, type ServiceWire } from "./service";

export type FtpFailure =
  | { readonly kind: "unanswered"; readonly text: string }
  | { readonly kind: "not_found"; readonly text: string }
  | { readonly kind: "refused"; readonly text: string }
  /** The checksum of what arrived is not the vehicle's. */
  | { readonly kind: "corrupt"; readonly text: string }
  | { readonly kind: "busy"; readonly text: string }
  | { readonly kind: "cancelled"; readonly text: string };

export interface FtpFile {
  readonly bytes: Uint8Array;
  /** False when the vehicle cannot compute a checksum: then only the length is known to be right. */
  readonly verified: boolean;
}

export interface FtpEntry {
  readonly name: string;
  readonly directory: boolean;
  readonly size: number;
}

const REPLY_TIMEOUT_ms = 1200;
const TRIES = 10;
/** Silence in a burst after which the first gap is asked for. */
const BURST_QUIET_ms = 800;
const FRUITLESS = 12;
const REOPENINGS = 5;

type Reply = Result<FtpPacket, FtpFailure | { readonly kind: "nak"; readonly code: number }>;

/** Files of one component: listed, and read in bursts with gaps asked for again and the checksum compared. */
export class FtpService {
  readonly #wire: ServiceWire;
  readonly #clock: Clock;
  readonly #target: ServiceTarget;
  #seq = 0;
  #busy = false;

  constructor(wire: ServiceWire, clock: Clock, target: ServiceTarget) {
    this.#wire = wire;
    this.#clock = clock;
    this.#target = target;
  }

  download(
    path: string,
    onProgress: (received: number, size: number) => void = () => {},
    signal?: AbortSignal,
  ): Promise<Result<FtpFile, FtpFailure>> {
    return this.#alone(() => this.#download(path, onProgress, signal));
  }

  list(path: string): Promise<Result<readonly FtpEntry[], FtpFailure>> {
    return this.#alone(() => this.#list(path));
  }

  async #alone<T>(run: () => Promise<Result<T, FtpFailure>>): Promise<Result<T, FtpFailure>> {
    if (this.#busy) return err({ kind: "busy", text: "another file is being transferred" });
    this.#busy = true;
    try {
      return await run();
    } finally {
      this.#busy = false;
    }
  }

  async #download(
    path: string,
    onProgress: (received: number, size: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<Result<FtpFile, FtpFailure>> {
    let bytes = new Uint8Array(0);
    let ranges = new Ranges(0);
    for (let opening = 0; opening < REOPENINGS; opening++) {
      const opened = await this.#request(opcodes.open_read, { data: utf8(path), size: utf8(path).length });
      if (!opened.ok) return err(failure(opened.error, path));
      const size = uint32(opened.value.data);
      if (ranges.length !== size) {
        bytes = new Uint8Array(size);
        ranges = new Ranges(size);
      }
      const read = await this.#burst(opened.value.session, bytes, ranges, onProgress, signal);
      // Whatever became of it, the session must not stay taken; an answer does not matter.
      this.#send(opcodes.terminate_session, { session: opened.value.session });
      if (read === "complete") return this.#verify(path, bytes);
      if (read === "cancelled") return err({ kind: "cancelled", text: "the download was stopped" });
      if (read === "silent") return err({ kind: "unanswered", text: `${path}: the vehicle stopped sending` });
    }
    return err({ kind: "refused", text: `${path}: the vehicle closes the file again and again` });
  }

  async #verify(path: string, bytes: Uint8Array): Promise<Result<FtpFile, FtpFailure>> {
    const reply = await this.#request(opcodes.crc32, { data: utf8(path), size: utf8(path).length });
    if (!reply.ok) {
      if (reply.error.kind === "nak") return ok({ bytes, verified: false });
      return err(reply.error);
    }
    if (uint32(reply.value.data) === ftpCrc32(bytes)) return ok({ bytes, verified: true });
    return err({ kind: "corrupt", text: `${path}: the checksum is wrong; download it again` });
  }

  /** Reads until nothing is missing. "closed": the vehicle has forgotten the session. */
  #burst(
    session: number,
    bytes: Uint8Array,
    ranges: Ranges,
    onProgress: (received: number, size: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<"complete" | "silent" | "closed" | "cancelled"> {
    return new Promise((settle) => {
      let cancelQuiet: Cancel = () => {};
      let fruitless = 0;
      const finish = (outcome: "complete" | "silent" | "closed" | "cancelled"): void => {
        cancelQuiet();
        unhear();
        signal?.removeEventListener("abort", onAbort);
        settle(outcome);
      };
      const onAbort = (): void => {
        finish("cancelled");
      };
      const ask = (): void => {
        const gap = ranges.gap();
        if (gap === null) {
          finish("complete");
          return;
        }
        if (fruitless++ >= FRUITLESS) {
          finish("silent");
          return;
        }
        // A small gap is one read; a burst would send everything behind it again.
        const length = gap.to - gap.from;
        const single = length <= FTP_DATA && gap.to < ranges.length;
        const size = Math.min(length, FTP_DATA);
        this.#send(single ? opcodes.read : opcodes.burst_read, { session, offset: gap.from, size });
        wait();
      };
      const wait = (): void => {
        cancelQuiet();
        cancelQuiet = this.#clock.after(BURST_QUIET_ms, ask);
      };
      const unhear = this.#hear((packet) => {
        const reading = packet.req_opcode === opcodes.read || packet.req_opcode === opcodes.burst_read;
        if (!reading || packet.session !== session) return;
        if (packet.opcode === opcodes.nak) {
          if (packet.data[0] === nakCodes.invalid_session) finish("closed");
          // The end of the file ends a burst; gaps before it are asked for at once.
          else if (packet.data[0] === nakCodes.end_of_file) ask();
          return;
        }
        if (packet.opcode !== opcodes.ack || packet.offset + packet.data.length > bytes.length) return;
        if (ranges.add(packet.offset, packet.offset + packet.data.length)) {
          bytes.set(packet.data, packet.offset);
          fruitless = 0;
          onProgress(ranges.received, ranges.length);
        }
        if (packet.burst_complete || packet.req_opcode === opcodes.read || ranges.gap() === null) ask();
        else wait();
      });
      if (signal?.aborted === true) finish("cancelled");
      else {
        signal?.addEventListener("abort", onAbort);
        ask();
      }
    });
  }

  async #list(path: string): Promise<Result<readonly FtpEntry[], FtpFailure>> {
    const entries: FtpEntry[] = [];
    let skipped = 0;
    for (;;) {
      const reply = await this.#request(opcodes.list_directory, {
        data: utf8(path),
        size: utf8(path).length,
        offset: entries.length + skipped,
      });
      if (!reply.ok) {
        if (reply.error.kind === "nak" && reply.error.code === nakCodes.end_of_file) return ok(entries);
        return err(failure(reply.error, path));
      }
      const lines = new TextDecoder()
        .decode(reply.value.data)
        .split("\0")
        .filter((line) => line !== "");
      if (lines.length === 0) return ok(entries);
      for (const line of lines) {
        const [name = "", size = ""] = line.slice(1).split("\t");
        if (line.startsWith("S") || name === "." || name === "..") skipped++;
        else entries.push({ name, directory: line.startsWith("D"), size: Number(size) || 0 });
      }
    }
  }

  /** Sends one request until its own reply has come; repeats carry the same number, so the vehicle does nothing twice. */
  #request(opcode: number, fields: Partial<FtpPacket>): Promise<Reply> {
    return new Promise((settle) => {
      let tries = 0;
      let cancel: Cancel = () => {};
      const seq = this.#nextSeq();
      const unhear = this.#hear((packet) => {
        if (packet.req_opcode !== opcode || packet.seq !== ((seq + 1) & 0xffff)) return;
        cancel();
        unhear();
        this.#seq = packet.seq;
        settle(packet.opcode === opcodes.ack ? ok(packet) : err({ kind: "nak", code: packet.data[0] ?? 0 }));
      });
      const attempt = (): void => {
        if (tries++ >= TRIES) {
          unhear();
          settle(err({ kind: "unanswered", text: "the vehicle does not answer file requests" }));
          return;
        }
        cancel = this.#clock.after(REPLY_TIMEOUT_ms, attempt);
        this.#send(opcode, { ...fields, seq });
      };
      attempt();
    });
  }

  #nextSeq(): number {
    this.#seq = (this.#seq + 1) & 0xffff;
    return this.#seq;
  }

  #send(opcode: number, fields: Partial<FtpPacket>): void {
    const packet: FtpPacket = {
      seq: fields.seq ?? this.#nextSeq(),
      session: fields.session ?? 0,
      opcode,
      req_opcode: 0,
      burst_complete: false,
      offset: fields.offset ?? 0,
      size: fields.size ?? 0,
      data: fields.data ?? new Uint8Array(0),
    };
    this.#wire.send("FILE_TRANSFER_PROTOCOL", {
      target_network: 0,
      target_system: this.#target.system_id,
      target_component: this.#target.component_id,
      payload: encodeFtp(packet),
    });
  }

  #hear(listener: (packet: FtpPacket) => void): Cancel {
    return listen(this.#wire, this.#target, ["FILE_TRANSFER_PROTOCOL"], (received) => {
      const packet = decodeFtp(received.fields["payload"]);
      if (packet !== null) listener(packet);
    });
  }
}

function failure(
  error: FtpFailure | { readonly kind: "nak"; readonly code: number },
  path: string,
): FtpFailure {
  if (error.kind !== "nak") return error;
  const missing = error.code === nakCodes.not_found || error.code === nakCodes.fail_errno;
  return missing
    ? { kind: "not_found", text: `${path} is not on the vehicle` }
    : { kind: "refused", text: `${path}: the vehicle refused (error ${error.code})` };
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function uint32(bytes: Uint8Array): number {
  return bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}
