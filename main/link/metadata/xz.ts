import { err, ok, type Result } from "#contract/result";

/** Descriptions of a vehicle are a few hundred kilobytes; a small file that unpacks to gigabytes is an attack or damage. */
const MOST_BYTES = 32 << 20;
const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] as const;

const isXz = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

/** Unpacks an .xz file, its checksum included; what is not one comes back as it is. */
export async function unxz(bytes: Uint8Array): Promise<Result<Uint8Array, string>> {
  if (!isXz(bytes)) return ok(bytes);
  const library = await import("xz-decompress");
  // A CommonJS package: outside a bundle its exports hang on `default`.
  const { XzReadableStream } = "default" in library ? library.default : library;
  const packed = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = new XzReadableStream(packed).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > MOST_BYTES) return err("it unpacks to more than 32 MB");
      // The library reuses its output buffer.
      pieces.push(value.slice());
    }
  } catch {
    return err("it is a damaged .xz file");
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return ok(whole);
}

/** The JSON in a file that may be packed. */
export async function readPackedJson(bytes: Uint8Array): Promise<Result<unknown, string>> {
  const unpacked = await unxz(bytes);
  if (!unpacked.ok) return unpacked;
  try {
    return ok(JSON.parse(new TextDecoder().decode(unpacked.value)));
  } catch {
    return err("it is not JSON");
  }
}
