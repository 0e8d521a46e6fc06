import type { Transfer } from "#contract/link-detail";
import { clock, fixed } from "../../ui/format";
import type { Tone } from "../parts";

/** 312 B, 4.2 kB, 1.3 MB. */
export function byteText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${fixed(bytes / 1e3, 1)} kB` : `${fixed(bytes / 1e6, 1)} MB`;
}

const amount = (count: number, unit: Transfer["unit"]): string =>
  unit === "bytes" ? byteText(count) : `${count} items`;

/** Share that is here, 0-1; null while the size is not known. */
export function shareOf({ received, size, state }: Transfer): number | null {
  if (state === "done") return 1;
  return size === null || size <= 0 ? null : Math.min(1, received / size);
}

/** Milliseconds until it is here at the present rate; null when that cannot be told. */
export function left_ms({ received, size, per_s, state }: Transfer): number | null {
  if (state !== "running" || size === null || !(per_s > 0)) return null;
  return (Math.max(0, size - received) / per_s) * 1000;
}

/** "1.2 of 4.0 MB, 86 kB/s, 00:33 left"; how it ended when it has. */
export function transferText(transfer: Transfer): { readonly tone: Tone; readonly text: string } {
  const { received, size, unit, per_s, state, detail } = transfer;
  switch (state) {
    case "done":
      return { tone: "good", text: `complete, ${amount(received, unit)}` };
    case "cancelled":
      return { tone: "quiet", text: `stopped at ${amount(received, unit)}; it can be resumed` };
    case "failed":
      return { tone: "warning", text: detail };
    case "running": {
      const of = size === null ? "" : ` of ${amount(size, unit)}`;
      const rate = per_s > 0 ? `, ${amount(Math.round(per_s), unit)}/s` : "";
      const rest = left_ms(transfer);
      return {
        tone: "waiting",
        text: `${amount(received, unit)}${of}${rate}${rest === null ? "" : `, ${clock(rest)} left`}`,
      };
    }
  }
}

/** The transfer of one log or file, the newest if there were several. */
export const transferOf = (
  transfers: readonly Transfer[],
  kind: Transfer["kind"],
  name: string,
): Transfer | undefined => transfers.filter((one) => one.kind === kind && one.name === name).at(-1);

/** One folder up; the root stays where it is. */
export const parentOf = (path: string): string => path.replace(/\/+$/, "").replace(/\/[^/]*$/, "") || "/";
export const childOf = (path: string, name: string): string => `${path === "/" ? "" : path}/${name}`;

/** Bytes that a review can open. */
export const isReviewable = (path: string): boolean => /\.(ulg|bin|tlog|mcap|bag)$/i.test(path);
