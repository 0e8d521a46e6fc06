import type { ParameterRow } from "#contract/link-ipc";

/** The parameter that holds the fence's ceiling: PX4's, then ArduPilot's. 0 is no ceiling. */
const names = ["GF_MAX_VER_DIST", "FENCE_ALT_MAX"] as const;

export const ceilingRow = (rows: readonly ParameterRow[]): ParameterRow | null =>
  names.map((name) => rows.find((row) => row.name === name)).find((row) => row !== undefined) ?? null;

/** What the vehicle's ceiling is, metres above home; null when it has none or it is not known. */
export const ceilingOf = (row: ParameterRow | null): number | null =>
  row === null || !(row.value > 0) ? null : row.value;
