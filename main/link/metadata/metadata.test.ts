import { describe, expect, it } from "vitest";
import { px4EventId } from "../../vehicle/arming-events";
import { EventDictionary } from "./event-words";
import { parseParameterMetadata } from "./parameter-metadata";
import { readPackedJson, unxz } from "./xz";

/** `{"version":1,"parameters":[{"name":"RTL_RETURN_ALT",…}]}` packed by `xz --check=crc64`. */
const packed =
  "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AC1AI5dAD2IisaUU5CGpmN9JTQQPBo+85e5BzRy9/paBSu3oE5eOm9U3R5IK9tiLxLLHYx5SNYC2On/Vc2T9XMKVBkwWkn4DDcr523VFS82Y3KkPG8AIXsoiPX4nqPYij72iocQ+S+iohq4p9QbIy3nJz3egKrq1iOLv4DWnPzdvMJM386NE7MEmCvdMKrGCadBLAAAAABkX3lPb8bobgABqgG2AQAAlLRpf7HEZ/sCAAAAAARZWg==";

describe(".xz", () => {
  it("is unpacked, its checksum checked; anything else comes back as it is", async () => {
    const bytes = new Uint8Array(Buffer.from(packed, "base64"));
    const json = await readPackedJson(bytes);
    expect(json.ok && parseParameterMetadata(json.value).ok).toBe(true);
    expect(await unxz(Uint8Array.of(1, 2, 3))).toEqual({ ok: true, value: Uint8Array.of(1, 2, 3) });
    const flipped = bytes.slice();
    flipped[70] = (flipped[70] ?? 0) ^ 1;
    expect(await unxz(flipped)).toEqual({ ok: false, error: "it is a damaged .xz file" });
    expect(await unxz(bytes.subarray(0, bytes.length - 20))).toEqual({
      ok: false,
      error: "it is a damaged .xz file",
    });
    expect(await readPackedJson(new TextEncoder().encode("{"))).toEqual({
      ok: false,
      error: "it is not JSON",
    });
  });
});

describe("descriptions of parameters", () => {
  it("keep what fits and leave out what does not", () => {
    const parsed = parseParameterMetadata({
      version: 1,
      parameters: [
        {
          name: "COM_OBL_RC_ACT",
          type: "Int32",
          group: "Commander",
          shortDesc: "Set offboard loss failsafe mode",
          values: [
            { value: 0, description: "Position mode" },
            { value: 3, description: "Return" },
          ],
          rebootRequired: true,
          min: "low",
        },
        { name: "EKF2_EV_CTRL", type: "Int32", bitmask: [{ index: 0, description: "Horizontal position" }] },
      ],
    });
    if (!parsed.ok) throw new Error(parsed.error);
    expect(parsed.value.get("COM_OBL_RC_ACT")).toMatchObject({
      group: "Commander",
      min: null,
      reboot_required: true,
      values: [{ text: "Position mode" }, { value: 3, text: "Return" }],
    });
    expect(parsed.value.get("EKF2_EV_CTRL")?.bits).toEqual([{ index: 0, text: "Horizontal position" }]);
    expect(parseParameterMetadata([]).ok).toBe(false);
  });
});

describe("events in the vehicle's own words", () => {
  const id = px4EventId("check_battery_level");
  const dictionary = EventDictionary.parse({
    version: 1,
    components: {
      "1": {
        namespace: "px4",
        enums: {
          cause_t: { type: "uint8_t", entries: { "2": { name: "low", description: "low battery" } } },
          modes_t: {
            type: "uint32_t",
            is_bitfield: true,
            entries: {
              "1": { name: "manual", description: "Manual" },
              "4": { name: "posctl", description: "Position" },
            },
          },
        },
        event_groups: {
          arming_check: {
            events: {
              [String(id & 0xff_ffff)]: {
                name: "check_battery_level",
                message: "Battery {3} at {4:.1m_v}: {5}, <param>BAT_LOW_THR</param> \\{raw\\}",
                description:
                  'Charge it.<profile name="dev">\nInternal note {1}</profile>\nThen try again in {1}.',
                arguments: [
                  { type: "modes_t", name: "modes" },
                  { type: "uint8_t", name: "component" },
                  { type: "int16_t", name: "index" },
                  { type: "float", name: "level" },
                  { type: "px4::enums::cause_t", name: "cause" },
                ],
              },
            },
          },
        },
      },
    },
  });
  const float = [...new Uint8Array(Float32Array.of(12.34).buffer)];
  const event = { sequence: 1, id, level: 3, arguments: [5, 0, 0, 0, 11, 0xfe, 0xff, ...float, 2] };

  it("fill arguments by type, enumerations by their words, units, and drop markup", () => {
    if (!dictionary.ok) throw new Error(dictionary.error);
    expect(dictionary.value.words(event)).toEqual({
      name: "check_battery_level",
      group: "arming_check",
      text: "Battery -2 at 12.3 m: low battery, BAT_LOW_THR {raw}",
      description: "Charge it. Then try again in Manual, Position.",
    });
  });

  it("arguments whose trailing zeros were cut are zero; what is not described has no words", () => {
    if (!dictionary.ok) throw new Error(dictionary.error);
    expect(dictionary.value.words({ ...event, arguments: [] })?.text).toMatch(/^Battery 0 at 0.0 m: 0/);
    expect(dictionary.value.words({ ...event, id: 99 })).toBeNull();
    expect(EventDictionary.parse({ components: 3 }).ok).toBe(false);
  });
});
