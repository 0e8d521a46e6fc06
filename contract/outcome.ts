import { z } from "zod";

/** What an asked-for action came to. Refusals are values with one clear sentence, never exceptions. */
export const Outcome = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({ ok: z.literal(false), reason: z.string() }),
]);
export type Outcome = z.infer<typeof Outcome>;

type OutcomeOf<T extends z.ZodType> = z.ZodDiscriminatedUnion<
  [
    z.ZodObject<{ ok: z.ZodLiteral<true>; value: T }, z.core.$strict>,
    z.ZodObject<{ ok: z.ZodLiteral<false>; reason: z.ZodString }, z.core.$strict>,
  ],
  "ok"
>;
export const outcomeOf = <T extends z.ZodType>(value: T): OutcomeOf<T> =>
  z.discriminatedUnion("ok", [
    z.strictObject({ ok: z.literal(true), value }),
    z.strictObject({ ok: z.literal(false), reason: z.string() }),
  ]);

/** An input or an answer without content. */
export const nothing = z.strictObject({});
