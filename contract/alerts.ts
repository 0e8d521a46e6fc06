import { z } from "zod";

export const AlertSeverity = z.enum(["warning", "caution", "advisory"]);
export type AlertSeverity = z.infer<typeof AlertSeverity>;

/** Latched until acknowledged. Repeats raise `count`. One line each, with what to do. */
export const Alert = z.strictObject({
  id: z.string(),
  severity: AlertSeverity,
  text: z.string(),
  action: z.string(),
  count: z.number().int(),
  first_at_ms: z.number(),
  last_at_ms: z.number(),
  acknowledged_by: z.string().nullable(),
});
export type Alert = z.infer<typeof Alert>;
