import type { ReviewTopic } from "#contract/review";

export interface TopicMatch {
  readonly topic: ReviewTopic;
  /** Fields to show; all numeric ones when the topic itself matched. */
  readonly fields: ReviewTopic["fields"];
  /** A field matched, so the topic is shown open. */
  readonly by_field: boolean;
}

/** Topics and fields that contain every word of the query, in any order, without regard to case. */
export function searchTopics(topics: readonly ReviewTopic[], query: string): readonly TopicMatch[] {
  const asked = query
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== "");
  const sorted = [...topics].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.flatMap((topic): readonly TopicMatch[] => {
    const numeric = topic.fields.filter((f) => f.numeric);
    if (asked.length === 0) return [{ topic, fields: numeric, by_field: false }];
    const name = topic.name.toLowerCase();
    if (asked.every((w) => name.includes(w))) return [{ topic, fields: numeric, by_field: false }];
    const fields = numeric.filter((f) => asked.every((w) => `${name}.${f.path.toLowerCase()}`.includes(w)));
    return fields.length === 0 ? [] : [{ topic, fields, by_field: true }];
  });
}

/** "125 Hz", "17 ×": how often a topic came. Rates below one a second are counts. */
export function rateText(count: number, duration_s: number): string {
  const rate = duration_s > 0 ? count / duration_s : 0;
  if (rate >= 9.95) return `${rate.toFixed(0)} Hz`;
  return rate >= 1 ? `${rate.toFixed(1)} Hz` : `${count} ×`;
}
