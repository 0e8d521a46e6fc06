/** A received message as the reducers need it; the link's `Received` is one. */
export interface VehicleMessage {
  readonly name: string;
  readonly system_id: number;
  readonly component_id: number;
  readonly at_ms: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A finite number, or null: NaN is MAVLink's "not known" in float fields. */
export function num(message: VehicleMessage, field: string): number | null {
  const value = message.fields[field];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function text(message: VehicleMessage, field: string): string {
  const value = message.fields[field];
  return typeof value === "string" ? value : "";
}

/** Several finite numbers of one message, or null when one is missing. */
export function nums<const N extends readonly string[]>(
  message: VehicleMessage,
  fields: N,
): { readonly [I in keyof N]: number } | null {
  const values = fields.map((field) => num(message, field));
  return values.every((value) => value !== null)
    ? (values as unknown as { readonly [I in keyof N]: number })
    : null;
}
