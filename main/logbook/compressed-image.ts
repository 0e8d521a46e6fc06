/**
 * `foxglove.CompressedImage` in protobuf, so that any MCAP viewer shows the pictures without a plug-in.
 * The schema is https://github.com/foxglove/foxglove-sdk/blob/main/schemas/proto/foxglove/CompressedImage.proto:
 * timestamp = 1, data = 2, format = 3, frame_id = 4. Encoded by hand: two messages do not need a library in main.
 */
export const compressedImageSchemaName = "foxglove.CompressedImage";

const VARINT = 0;
const BYTES = 2;

function varint(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    out.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  out.push(rest);
  return out;
}

const tag = (field: number, wire: number): number[] => varint(field * 8 + wire);
const number = (field: number, value: number): Uint8Array =>
  Uint8Array.from([...tag(field, VARINT), ...varint(value)]);

function bytes(field: number, value: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.from([...tag(field, BYTES), ...varint(value.length)]), value]);
}

const text = (field: number, value: string): Uint8Array => bytes(field, Buffer.from(value, "utf8"));
const nested = (field: number, ...parts: Uint8Array[]): Uint8Array => bytes(field, Buffer.concat(parts));

/** Numbers of google/protobuf/descriptor.proto: labels and types of fields. */
const OPTIONAL = 1;
const TYPE = { int64: 3, int32: 5, string: 9, message: 11, bytes: 12 } as const;

function field(name: string, id: number, type: keyof typeof TYPE, typeName?: string): Uint8Array {
  const parts = [text(1, name), number(3, id), number(4, OPTIONAL), number(5, TYPE[type])];
  if (typeName !== undefined) parts.push(text(6, typeName));
  return nested(2, ...parts);
}

/** A FileDescriptorSet with google.protobuf.Timestamp and foxglove.CompressedImage: the schema record's data. */
export function compressedImageDescriptor(): Uint8Array {
  const timestamp = nested(
    1,
    text(1, "google/protobuf/timestamp.proto"),
    text(2, "google.protobuf"),
    nested(4, text(1, "Timestamp"), field("seconds", 1, "int64"), field("nanos", 2, "int32")),
    text(12, "proto3"),
  );
  const image = nested(
    1,
    text(1, "foxglove/CompressedImage.proto"),
    text(2, "foxglove"),
    text(3, "google/protobuf/timestamp.proto"),
    nested(
      4,
      text(1, "CompressedImage"),
      field("timestamp", 1, "message", ".google.protobuf.Timestamp"),
      field("frame_id", 4, "string"),
      field("data", 2, "bytes"),
      field("format", 3, "string"),
    ),
    text(12, "proto3"),
  );
  return Buffer.concat([timestamp, image]);
}

/** One picture as a foxglove.CompressedImage message. `format` is "jpeg" or "png". */
export function encodeCompressedImage(
  image: Uint8Array,
  format: string,
  frame_id: string,
  utc_ms: number,
): Uint8Array {
  const seconds = Math.floor(utc_ms / 1000);
  const nanos = Math.floor((utc_ms - seconds * 1000) * 1e6);
  return Buffer.concat([
    nested(1, number(1, seconds), number(2, nanos)),
    bytes(2, image),
    text(3, format),
    text(4, frame_id),
  ]);
}
