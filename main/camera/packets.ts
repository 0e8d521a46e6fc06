import { CameraFrame, CameraHello, cameraMagic } from "#contract/camera-wire";
import { err, ok, type Result } from "#contract/result";
import type { RgbdFrame } from "./port";

export type CameraPacket = { readonly hello: CameraHello } | { readonly frame: RgbdFrame };

const prefix_bytes = 12;
const maxHeader_bytes = 64 * 1024;
const maxPayload_bytes = 64 * 1024 * 1024;

/** Cuts the camera socket's byte stream into packets (contract/camera-wire.ts). Any violation is final: the stream has lost its place. */
export class PacketReader {
  #pending: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): Result<CameraPacket[], string> {
    this.#pending.push(chunk);
    this.#length += chunk.length;
    const packets: CameraPacket[] = [];
    for (;;) {
      if (this.#length < prefix_bytes) return ok(packets);
      const head = this.#peek(prefix_bytes);
      if (head.readUInt32LE(0) !== cameraMagic) return err("the camera stream does not start with KFC1");
      const header_bytes = head.readUInt32LE(4);
      const payload_bytes = head.readUInt32LE(8);
      if (header_bytes > maxHeader_bytes || payload_bytes > maxPayload_bytes)
        return err("a camera packet claims an impossible size");
      const total = prefix_bytes + header_bytes + payload_bytes;
      if (this.#length < total) return ok(packets);
      const whole = this.#take(total);
      const packet = parse(
        whole.subarray(prefix_bytes, prefix_bytes + header_bytes),
        whole.subarray(prefix_bytes + header_bytes),
      );
      if (!packet.ok) return packet;
      packets.push(packet.value);
    }
  }

  #join(): Buffer {
    const [first] = this.#pending;
    if (this.#pending.length === 1 && first !== undefined) return first;
    const joined = Buffer.concat(this.#pending);
    this.#pending = [joined];
    return joined;
  }
  #peek(bytes: number): Buffer {
    const [first] = this.#pending;
    return first !== undefined && first.length >= bytes ? first : this.#join();
  }
  #take(bytes: number): Buffer {
    const all = this.#join();
    this.#pending = all.length > bytes ? [all.subarray(bytes)] : [];
    this.#length -= bytes;
    return all.subarray(0, bytes);
  }
}

function parse(header: Buffer, payload: Buffer): Result<CameraPacket, string> {
  let raw: unknown;
  try {
    raw = JSON.parse(header.toString("utf8"));
  } catch {
    return err("a camera packet's header is not JSON");
  }
  const hello = CameraHello.safeParse(raw);
  if (hello.success) return ok({ hello: hello.data });
  const frame = CameraFrame.safeParse(raw);
  if (!frame.success)
    return err(`a camera packet is neither hello nor frame: ${frame.error.issues[0]?.message ?? ""}`);
  const n = frame.data.width * frame.data.height;
  if (payload.length !== 5 * n)
    return err(
      `a ${String(frame.data.width)}x${String(frame.data.height)} frame carries ${String(payload.length)} bytes`,
    );
  const colour = Uint8Array.prototype.slice.call(payload, 0, 3 * n);
  const depth = new Uint16Array(n);
  new Uint8Array(depth.buffer).set(payload.subarray(3 * n));
  return ok({ frame: { header: frame.data, colour, depth } });
}
