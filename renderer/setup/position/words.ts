import type { ExternalPosition, RelayStatus, SiteStatus } from "#contract/link-detail";
import type { Tone } from "../parts";

interface Said {
  readonly tone: Tone;
  readonly text: string;
}

const stale_ms = 500;

/** Whether the vehicle flies by an external position, and how much it can be trusted now. */
export function fusionWords({ fused, age_ms, quality }: ExternalPosition): Said {
  if (fused === null) return { tone: "quiet", text: "the vehicle does not say" };
  if (!fused) return { tone: "caution", text: "not used by the vehicle" };
  if (quality !== null && quality < 0)
    return { tone: "warning", text: "the tracker reports that it has failed" };
  if (age_ms !== null && age_ms > stale_ms) return { tone: "warning", text: "used, but nothing new arrives" };
  return { tone: "good", text: "used by the vehicle" };
}

export const relayWords: Readonly<Record<RelayStatus["state"], Said>> = {
  off: { tone: "quiet", text: "off" },
  starting: { tone: "waiting", text: "starting" },
  waiting: { tone: "caution", text: "listening, no pose yet" },
  relaying: { tone: "good", text: "relaying" },
  failed: { tone: "warning", text: "failed" },
};

/** The verdict of carrying the vehicle along the site's x axis. */
export function checkTone(check: NonNullable<SiteStatus["check"]>): Tone {
  switch (check.verdict) {
    case "agrees":
      return "good";
    case "carry_further":
      return "waiting";
    case "turned":
    case "scale_wrong":
      return "warning";
  }
}
