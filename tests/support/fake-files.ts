import type { LinkHub, Received } from "../../main/link/port";
import {
  decodeFtp,
  encodeFtp,
  FTP_DATA,
  type FtpPacket,
  ftpCrc32,
  nakCodes,
  opcodes,
} from "../../main/link/protocols/ftp-wire";
import type { FakeClock } from "./fake-clock";

const u32 = (value: number) =>
  Uint8Array.of(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);

/** A vehicle's files and logs, with the ways in which their transfer goes wrong. */
export class FakeFiles {
  readonly files = new Map<string, Uint8Array>();
  logs: { id: number; bytes: Uint8Array; utc_s: number }[] = [];
  /** Blocks per burst. */
  burst = 8;
  /** Never sends the last block in a burst. */
  holdBackLast = false;
  /** Forgets its session after so many packets. */
  closeAfter = Number.POSITIVE_INFINITY;
  /** Sends wrong bytes that no frame checksum can notice. */
  corrupt = false;
  noCrc = false;
  opened = 0;
  readonly #hub: LinkHub;
  readonly #clock: FakeClock;
  #session: { id: number; bytes: Uint8Array } | null = null;
  #sent = 0;
  #last: { seq: number; reply: FtpPacket } | null = null;

  constructor(hub: LinkHub, clock: FakeClock) {
    this.#hub = hub;
    this.#clock = clock;
    hub.onMessage((message) => this.#on(message));
  }

  #on({ name, fields }: Received): void {
    if (name === "FILE_TRANSFER_PROTOCOL") {
      const packet = decodeFtp(fields["payload"]);
      if (packet) this.#ftp(packet);
    } else if (name === "LOG_REQUEST_LIST") {
      if (this.logs.length === 0)
        this.#hub.send("LOG_ENTRY", { id: 0, num_logs: 0, last_log_num: 0, time_utc: 0, size: 0 });
      for (const { id, bytes, utc_s } of this.logs) {
        this.#hub.send("LOG_ENTRY", {
          id,
          num_logs: this.logs.length,
          last_log_num: 9,
          time_utc: utc_s,
          size: bytes.length,
        });
      }
    } else if (name === "LOG_REQUEST_DATA") this.#logData(fields);
  }

  #logData(fields: Received["fields"]): void {
    const log = this.logs.find(({ id }) => id === fields["id"]);
    if (!log) return;
    const from = fields["ofs"] as number;
    const to = Math.min(log.bytes.length, from + (fields["count"] as number));
    for (let ofs = from, i = 0; ofs < to; ofs += 90, i++) {
      const part = log.bytes.subarray(ofs, Math.min(to, ofs + 90));
      const data = new Uint8Array(90);
      data.set(part);
      this.#clock.after(i / 4, () =>
        this.#hub.send("LOG_DATA", { id: log.id, ofs, count: part.length, data }),
      );
    }
  }

  #ftp(request: FtpPacket): void {
    if (this.#last?.seq === request.seq) {
      this.#reply(this.#last.reply);
      return;
    }
    const path = new TextDecoder().decode(request.data);
    const file = this.files.get(path);
    switch (request.opcode) {
      case opcodes.open_read:
        if (!file) {
          this.#nak(request, nakCodes.not_found);
          return;
        }
        this.#session = { id: ++this.opened, bytes: file };
        this.#ack(request, u32(file.length), this.opened);
        return;
      case opcodes.crc32:
        if (this.noCrc) {
          this.#nak(request, nakCodes.unknown_command);
          return;
        }
        if (file) this.#ack(request, u32(ftpCrc32(file)));
        else this.#nak(request, nakCodes.not_found);
        return;
      case opcodes.list_directory: {
        const names = [...this.files]
          .map(([name, bytes]) => `F${name}\t${bytes.length}`)
          .slice(request.offset, request.offset + 2);
        if (names.length === 0) {
          this.#nak(request, nakCodes.end_of_file);
          return;
        }
        this.#ack(request, new TextEncoder().encode(`${names.join("\0")}\0`));
        return;
      }
      case opcodes.terminate_session:
        this.#session = null;
        this.#ack(request, new Uint8Array(0));
        return;
      case opcodes.read:
      case opcodes.burst_read:
        this.#read(request);
        return;
    }
  }

  #read(request: FtpPacket): void {
    const session = this.#session;
    if (session?.id !== request.session) {
      this.#nak(request, nakCodes.invalid_session);
      return;
    }
    const blocks = request.opcode === opcodes.read ? 1 : this.burst;
    for (let i = 0; i < blocks; i++) {
      if (++this.#sent > this.closeAfter) {
        this.closeAfter = Number.POSITIVE_INFINITY;
        this.#session = null;
        this.#nak(request, nakCodes.invalid_session);
        return;
      }
      const offset = request.offset + i * FTP_DATA;
      if (offset >= session.bytes.length) {
        this.#nak(request, nakCodes.end_of_file);
        return;
      }
      const data = session.bytes.slice(offset, offset + FTP_DATA);
      const last = offset + data.length >= session.bytes.length;
      if (last && this.holdBackLast && request.opcode === opcodes.burst_read && this.#sent < 30) return;
      if (this.corrupt && i === 0) data[0] = (data[0] ?? 0) ^ 1;
      this.#reply({
        ...request,
        seq: (request.seq + 1 + i) & 0xffff,
        opcode: opcodes.ack,
        req_opcode: request.opcode,
        offset,
        size: data.length,
        data,
        burst_complete: i === blocks - 1,
      });
    }
  }

  #ack(request: FtpPacket, data: Uint8Array, session = request.session): void {
    const reply = {
      ...request,
      seq: (request.seq + 1) & 0xffff,
      session,
      opcode: opcodes.ack,
      req_opcode: request.opcode,
      size: data.length,
      data,
    };
    this.#last = { seq: request.seq, reply };
    this.#reply(reply);
  }
  #nak(request: FtpPacket, code: number): void {
    const data = Uint8Array.of(code);
    this.#reply({
      ...request,
      seq: (request.seq + 1) & 0xffff,
      opcode: opcodes.nak,
      req_opcode: request.opcode,
      size: 1,
      data,
    });
  }
  #reply(packet: FtpPacket): void {
    this.#hub.send("FILE_TRANSFER_PROTOCOL", {
      target_network: 0,
      target_system: 255,
      target_component: 190,
      payload: encodeFtp(packet),
    });
  }
}
