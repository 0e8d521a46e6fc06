import { z } from "zod";

/**
 * The clock barrier of `sim://` addresses: a TCP socket on loopback, one JSON object a line. The sim is the server.
 *
 * sim to station `{kind:"step", t_ms, datagrams, frames}`: simulated time is now `t_ms`; so far `datagrams` were sent to the
 * station's link and `frames` to the camera socket (totals since start). The station waits until it has received both,
 * runs everything due up to `t_ms`, then answers `{kind:"done", t_ms, datagrams}` with its own total of datagrams sent.
 * The sim waits for those before it steps on. Nobody advances before everyone has finished.
 */
export const BarrierStep = z.strictObject({
  kind: z.literal("step"),
  t_ms: z.number(),
  datagrams: z.number().int(),
  frames: z.number().int(),
});
export type BarrierStep = z.infer<typeof BarrierStep>;

export const BarrierDone = z.strictObject({
  kind: z.literal("done"),
  t_ms: z.number(),
  datagrams: z.number().int(),
});
export type BarrierDone = z.infer<typeof BarrierDone>;
