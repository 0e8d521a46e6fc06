import { Buffer } from "node:buffer";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { MavLinkPacket } from "node-mavlink";
import { decodePayload } from "../link/codec";
import { tlogToColumns } from "../link/columns";
import { Framer } from "../link/framing";
import { readTlog } from "../link/tlog";
import type { Clock } from "../platform/clock";

export interface LinkBench {
  /** Messages decoded per second. */
  readonly frames_per_s: {
    readonly ours_live: number;
    readonly ours_columns: number;
    readonly node_mavlink: number;
  };
  /** Ours over node-mavlink's, from one run. */
  readonly ratios: { readonly live: number; readonly columns: number };
  readonly bytes_per_message: { readonly live: number; readonly columns: number };
  readonly frames: number;
}

/** As UDP delivers them: small pieces. */
const CHUNK = 1400;
/** Short, and taken in turns: another program on the machine then slows all three, or none of their best. */
const MIN_RUN_ms = 150;
const ROUNDS = 9;

/**
 * Messages per second out of the frames of a recording: ours as objects, through the framer in network-sized chunks; ours
 * into columns; and node-mavlink's splitter and parser with decoded data, all in one process and run.
 */
export async function runLinkBench(tlog: Uint8Array, clock: Clock): Promise<LinkBench> {
  const stream = framesOnly(tlog);
  const repeated = repeat(tlog, 4);
  const columns = (): number => tlogToColumns(repeated).frames;
  // The peer first and last would profit from a warm machine: alternate and take each one's best round.
  const best = { live: 0, columns: 0, peer: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    best.live = Math.max(best.live, await rate(() => live(stream), clock));
    best.columns = Math.max(best.columns, await rate(columns, clock));
    best.peer = Math.max(best.peer, await rate(() => peer(stream), clock));
  }
  const frames = live(stream);
  return {
    frames_per_s: {
      ours_live: Math.round(best.live),
      ours_columns: Math.round(best.columns),
      node_mavlink: Math.round(best.peer),
    },
    ratios: { live: round2(best.live / best.peer), columns: round2(best.columns / best.peer) },
    bytes_per_message: { live: memoryOfObjects(stream), columns: memoryOfColumns(tlog) },
    frames,
  };
}

const round2 = (value: number): number => Math.round(value * 100) / 100;

async function rate(run: () => number | Promise<number>, clock: Clock): Promise<number> {
  const start_ms = clock.now_ms();
  let messages = 0;
  let elapsed_ms = 0;
  do {
    messages += await run();
    elapsed_ms = clock.now_ms() - start_ms;
  } while (elapsed_ms < MIN_RUN_ms);
  return messages / (elapsed_ms / 1000);
}

function live(stream: Uint8Array): number {
  const framer = new Framer();
  let messages = 0;
  for (let at = 0; at < stream.length; at += CHUNK) {
    framer.push(stream.subarray(at, at + CHUNK), (frame) => {
      if (frame.def === undefined) return;
      decodePayload(frame.def, frame.bytes, frame.view, frame.payload_start, frame.payload_length);
      messages++;
    });
  }
  return messages;
}

async function peer(stream: Uint8Array): Promise<number> {
  const { MavLinkPacketSplitter, MavLinkPacketParser } = await import("node-mavlink");
  const { ardupilotmega, common, minimal, standard } = await import("mavlink-mappings");
  const registry = {
    ...minimal.REGISTRY,
    ...common.REGISTRY,
    ...standard.REGISTRY,
    ...ardupilotmega.REGISTRY,
  };
  const source = new PassThrough();
  const parser = source.pipe(new MavLinkPacketSplitter()).pipe(new MavLinkPacketParser());
  let messages = 0;
  parser.on("data", (packet: MavLinkPacket) => {
    const clazz = registry[packet.header.msgid];
    if (clazz === undefined) return;
    packet.protocol.data(packet.payload, clazz);
    messages++;
  });
  const ended = once(parser, "end");
  const buffer = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
  for (let at = 0; at < buffer.length; at += CHUNK) {
    if (!source.write(buffer.subarray(at, at + CHUNK))) await once(source, "drain");
  }
  source.end();
  await ended;
  return messages;
}
function framesOnly(tlog: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  readTlog(tlog, (frame) => parts.push(tlog.subarray(frame.start, frame.end)));
  return new Uint8Array(Buffer.concat(parts));
}

function repeat(bytes: Uint8Array, times: number): Uint8Array {
  return new Uint8Array(Buffer.concat(Array.from({ length: times }, () => bytes)));
}

function memoryOfColumns(tlog: Uint8Array): number {
  const { tables, frames } = tlogToColumns(tlog);
  const sizes = tables.flatMap((t) => [t.time_us.byteLength, ...t.columns.map((c) => c.values.byteLength)]);
  return Math.round(sizes.reduce((a, b) => a + b, 0) / Math.max(1, frames));
}

/** From the heap's growth while all messages of the recording are kept. */
function memoryOfObjects(stream: Uint8Array): number {
  const kept: unknown[] = [];
  const before = process.memoryUsage().heapUsed;
  new Framer().push(repeat(stream, 8), (frame) => {
    if (frame.def === undefined) return;
    kept.push(decodePayload(frame.def, frame.bytes, frame.view, frame.payload_start, frame.payload_length));
  });
  return Math.max(0, Math.round((process.memoryUsage().heapUsed - before) / Math.max(1, kept.length)));
}
