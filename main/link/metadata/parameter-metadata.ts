import { z } from "zod";
import { err, ok, type Result } from "#contract/result";

/** What a vehicle says of one of its parameters. */
export interface ParameterMeta {
  readonly group: string;
  readonly short: string;
  readonly long: string;
  readonly unit: string;
  readonly min: number | null;
  readonly max: number | null;
  readonly increment: number | null;
  readonly decimals: number | null;
  readonly default: number | null;
  readonly values: readonly { readonly value: number; readonly text: string }[];
  readonly bits: readonly { readonly index: number; readonly text: string }[];
  readonly reboot_required: boolean;
  readonly read_only: boolean;
}

const number = z.number().optional().catch(undefined);
const text = z.string().optional().catch(undefined);

/** https://github.com/mavlink/mavlink/blob/master/component_metadata/parameter.schema.json */
const ParameterFile = z.object({
  version: z.number(),
  parameters: z.array(
    z.object({
      name: z.string(),
      group: text,
      shortDesc: text,
      longDesc: text,
      units: text,
      min: number,
      max: number,
      increment: number,
      decimalPlaces: number,
      default: number,
      rebootRequired: z.boolean().optional().catch(undefined),
      volatile: z.boolean().optional().catch(undefined),
      values: z
        .array(z.object({ value: z.number(), description: z.string() }))
        .optional()
        .catch(undefined),
      bitmask: z
        .array(z.object({ index: z.number(), description: z.string() }))
        .optional()
        .catch(undefined),
    }),
  ),
});

export const undescribed: ParameterMeta = {
  group: "",
  short: "",
  long: "",
  unit: "",
  min: null,
  max: null,
  increment: null,
  decimals: null,
  default: null,
  values: [],
  bits: [],
  reboot_required: false,
  read_only: false,
};

/**
 * Reads the parameter file of a component. A detail that does not fit is left out, not the parameter: descriptions help,
 * they decide nothing.
 */
export function parseParameterMetadata(json: unknown): Result<ReadonlyMap<string, ParameterMeta>, string> {
  const parsed = ParameterFile.safeParse(json);
  if (!parsed.success) return err("it is not a list of parameter descriptions");
  return ok(
    new Map(
      parsed.data.parameters.map((p): [string, ParameterMeta] => [
        p.name,
        {
          group: p.group ?? "",
          short: p.shortDesc ?? "",
          long: p.longDesc ?? "",
          unit: p.units ?? "",
          min: p.min ?? null,
          max: p.max ?? null,
          increment: p.increment ?? null,
          decimals: p.decimalPlaces ?? null,
          default: p.default ?? null,
          values: (p.values ?? []).map((v) => ({ value: v.value, text: v.description })),
          bits: (p.bitmask ?? []).map((b) => ({ index: b.index, text: b.description })),
          reboot_required: p.rebootRequired ?? false,
          // The vehicle itself changes these: flight time, calibration results.
          read_only: p.volatile ?? false,
        },
      ]),
    ),
  );
}
