import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allMessages, decode, encodePayload, messageByName } from "./codec";
import { encodeFrame } from "./encode-frame";
import { Framer } from "./framing";
import { crcExtra, type FieldDef, type MessageDef } from "./message";
import { readTlog } from "./tlog";

/** Values that fit a field. Texts are NUL-free; NaN is compared as such. */
function fieldValue(field: FieldDef): fc.Arbitrary<unknown> {
  const one = (): fc.Arbitrary<unknown> => {
    switch (field.type) {
      case "float":
        return fc.float();
      case "double":
        return fc.double();
      case "uint64_t":
        return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(narrow);
      case "int64_t":
        return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(narrow);
      case "char":
      case "uint8_t":
        return fc.integer({ min: 0, max: 255 });
      case "int8_t":
        return fc.integer({ min: -128, max: 127 });
      case "uint16_t":
        return fc.integer({ min: 0, max: 65_535 });
      case "int16_t":
        return fc.integer({ min: -32_768, max: 32_767 });
      case "uint32_t":
        return fc.integer({ min: 0, max: 4_294_967_295 });
      case "int32_t":
        return fc.integer({ min: -2_147_483_648, max: 2_147_483_647 });
    }
  };
  if (field.length === 0) return one();
  if (field.type === "char") {
    return fc.stringMatching(/^[ -~]*$/).map((text) => text.slice(0, field.length));
  }
  return fc.array(one(), { minLength: field.length, maxLength: field.length });
}
const narrow = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;
const fieldsOf = (def: MessageDef): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(
      def.fields.filter((field) => !field.alias).map((field) => [field.name, fieldValue(field)]),
    ),
  );

const heartbeat = {
  type: 6,
  autopilot: 8,
  base_mode: 0,
  custom_mode: 0,
  system_status: 4,
  mavlink_version: 3,
};

describe("definitions", () => {
  it("have the checksum seed that their fields give, so no field can be misnamed or misplaced", () => {
    const wrong = allMessages.filter(
      (def) =>
        def.crc_extra !==
        crcExtra(
          def.name,
          def.fields.map((field) => field),
        ),
    );
    expect(wrong.map((def) => def.name)).toEqual([]);
  });

  it("know the messages that PX4 sends and the mappings lack", () => {
    for (const name of ["EVENT", "CURRENT_EVENT_SEQUENCE", "REQUEST_EVENT", "RESPONSE_EVENT_ERROR"]) {
      expect(messageByName(name)).toBeDefined();
    }
    expect(messageByName("EVENT")?.crc_extra).toBe(160);
    expect(messageByName("COMPONENT_METADATA")?.crc_extra).toBe(182);
    expect(messageByName("CURRENT_MODE")?.crc_extra).toBe(193);
  });
});

describe("encode and decode", () => {
  it("are inverse for every message and any values", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...allMessages).chain((def) => fieldsOf(def).map((fields) => ({ def, fields }))),
        ({ def, fields }) => {
          const payload = encodePayload(def.name, fields);
          expect(payload.ok).toBe(true);
          if (payload.ok) expect(decode(def, payload.value)).toMatchObject(normalise(def, fields));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("refuse what does not fit instead of bending it into a zero", () => {
    const refused = (change: Record<string, unknown>): string => {
      const result = encodePayload("HEARTBEAT", { ...heartbeat, ...change });
      return result.ok ? "" : result.error;
    };
    expect(refused({})).toBe("");
    expect(refused({ type: Number.NaN })).toBe("HEARTBEAT.type: NaN does not fit uint8_t");
    expect(refused({ type: 256 })).toBe("HEARTBEAT.type: 256 does not fit uint8_t");
    expect(refused({ custom_mode: -1 })).toBe("HEARTBEAT.custom_mode: -1 does not fit uint32_t");
    expect(refused({ custom_mode: 1.5 })).toBe("HEARTBEAT.custom_mode: 1.5 does not fit uint32_t");
    expect(refused({ custom_mode: undefined })).toBe("HEARTBEAT.custom_mode is missing");
    expect(refused({ costum_mode: 1 })).toBe("HEARTBEAT has no field costum_mode");
    expect(() => encodeFrame("HEARTBEAT", { ...heartbeat, type: Number.NaN }, header(0))).toThrow(
      "Invariant",
    );
  });

  it("keep NaN in float fields, where it means that a value is not used", () => {
    const def = messageByName("ATTITUDE") as MessageDef;
    const fields = {
      time_boot_ms: 1,
      roll: Number.NaN,
      pitch: 0,
      yaw: 0,
      rollspeed: 0,
      pitchspeed: 0,
      yawspeed: 0,
    };
    const payload = encodePayload("ATTITUDE", fields);
    expect(payload.ok && decode(def, payload.value)["roll"]).toBeNaN();
  });

  it("keep the bits of PX4's integers in a float field, those that make a NaN too", () => {
    const def = messageByName("PARAM_VALUE") as MessageDef;
    const fields = {
      param_id: "X",
      param_value: 0,
      param_value_bits: 0xffffffff,
      param_type: 6,
      param_count: 1,
      param_index: 0,
    };
    const payload = encodePayload("PARAM_VALUE", fields);
    expect(payload.ok && decode(def, payload.value)["param_value_bits"]).toBe(0xffffffff);
  });

  it("carry text beyond ASCII and refuse one that is too long", () => {
    const def = messageByName("STATUSTEXT") as MessageDef;
    const text = encodePayload("STATUSTEXT", { severity: 6, text: "Höhe 3 m 🚁" });
    expect(text.ok && decode(def, text.value)["text"]).toBe("Höhe 3 m 🚁");
    expect(encodePayload("STATUSTEXT", { severity: 6, text: "🚁".repeat(13) }).ok).toBe(false);
  });

  it("ArduPilot/pymavlink#684: ODOMETRY trimmed to one byte reads as zeros, not out of range", () => {
    const def = messageByName("ODOMETRY") as MessageDef;
    const fields = decode(def, new Uint8Array([7]));
    expect(fields["time_usec"]).toBe(7);
    expect(fields["q"]).toEqual([0, 0, 0, 0]);
    expect(fields["quality"]).toBe(0);
    expect((fields["pose_covariance"] as number[]).length).toBe(21);
  });
});

describe("frames", () => {
  it("survive the way through bytes, in both versions of the protocol", () => {
    for (const version of [1, 2] as const) {
      const bytes = encodeFrame("HEARTBEAT", heartbeat, { ...header(7), version });
      const seen: unknown[] = [];
      new Framer().push(bytes, (frame) => {
        const payload = frame.bytes.subarray(frame.payload_start, frame.payload_start + frame.payload_length);
        seen.push([frame.version, frame.seq, frame.def?.name, frame.def && decode(frame.def, payload)]);
      });
      expect(seen).toEqual([[version, 7, "HEARTBEAT", heartbeat]]);
    }
  });
});

const LOG = "/work/shared/data/logs/px4-1.17-hexa-gcs.tlog";
/** The whole recording is beside the project, not in it; a trimmed copy is checked in any case. */
const logs = [
  "tests/golden/px4-1.17-hexa-gcs-head.tlog",
  ...(existsSync(process.env["KINGFISHER_TLOG"] ?? LOG) ? [process.env["KINGFISHER_TLOG"] ?? LOG] : []),
];

describe.each(logs)("the recording of a real PX4 %s", (path) => {
  const bytes = readFileSync(path);

  it("decodes without a fault, equal to node-mavlink's decoding", async () => {
    const peer = await import("node-mavlink");
    const mappings = await import("mavlink-mappings");
    const registry: Record<number, (typeof mappings.common.REGISTRY)[number]> = {
      ...mappings.minimal.REGISTRY,
      ...mappings.common.REGISTRY,
      ...mappings.standard.REGISTRY,
      ...mappings.ardupilotmega.REGISTRY,
    };
    let compared = 0;
    const reading = readTlog(bytes, (frame) => {
      expect(frame.def).toBeDefined();
      const clazz = registry[frame.id];
      if (frame.def === undefined || clazz === undefined) return;
      const payload = bytes.subarray(frame.payload_start, frame.payload_start + frame.payload_length);
      const theirs = new peer.MavLinkProtocolV2().data(payload, clazz) as unknown as Record<string, unknown>;
      const ours = decode(frame.def, payload);
      for (const field of clazz.FIELDS) {
        const value = theirs[field.name];
        const plain = typeof value === "bigint" ? narrow(value) : value;
        if (!same(ours[field.source], plain)) expect(ours[field.source]).toEqual(plain);
        compared++;
      }
    });
    expect(reading.skipped_bytes).toBe(0);
    expect(reading.frames).toBeGreaterThan(500);
    expect(compared).toBeGreaterThan(4000);
  });

  it("encodes back to the bytes it was made of", () => {
    let different = 0;
    readTlog(bytes, (frame) => {
      if (frame.def === undefined) return;
      const payload = bytes.subarray(frame.payload_start, frame.payload_start + frame.payload_length);
      const again = encodeFrame(frame.def.name, decode(frame.def, payload), {
        version: 2,
        seq: frame.seq,
        system_id: frame.system_id,
        component_id: frame.component_id,
      });
      if (Buffer.compare(again, bytes.subarray(frame.start, frame.end)) !== 0) different++;
    });
    expect(different).toBe(0);
  });
});

function header(seq: number) {
  return { version: 2, seq, system_id: 255, component_id: 190 } as const;
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => same(x, b[i]));
  return Object.is(a, b);
}

function normalise(def: MessageDef, fields: Record<string, unknown>): Record<string, unknown> {
  const floats = new Set(def.fields.filter((f) => f.type === "float").map((f) => f.name));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, floats.has(name) ? fround(value) : value]),
  );
}
function fround(value: unknown): unknown {
  return Array.isArray(value) ? value.map(fround) : Math.fround(value as number);
}
