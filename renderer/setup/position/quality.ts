import { fixed } from "../../ui/format";

/** ODOMETRY's quality in words: -1 is a failed tracker. */
export function qualityText(quality: number | null): string {
  if (quality === null) return "not told";
  return quality < 0 ? "failed" : `${fixed(quality, 0)} of 100`;
}
