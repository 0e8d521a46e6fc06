import type { ReviewTopic } from "#contract/review";
import type { PlotLayout, PlotLine } from "#contract/review-workspace";
import { expressionReferences } from "../expression";
import { expressionTopic, splitReference } from "../references";
import { ardupilotLayouts, mavlinkLayouts } from "./mavlink";
import { missionLayouts } from "./mission";
import { px4Layouts } from "./px4";

const ready = [...missionLayouts, ...px4Layouts, ...mavlinkLayouts, ...ardupilotLayouts];

/**
 * The ready-made and saved layouts that topics can fill, without what they do not hold; the reference's first, then those of
 * each joined log. `keys` are the joined logs' keys.
 */
export function offeredLayouts(
  topics: readonly ReviewTopic[],
  keys: readonly string[],
  saved: readonly PlotLayout[],
): PlotLayout[] {
  const own = [...saved, ...ready].flatMap((layout) => fill(layout, topics, ""));
  const joined = keys
    .filter((key) => key !== "")
    .flatMap((key) => ready.flatMap((layout) => fill(layout, topics, key)));
  return [
    ...own.filter(({ id }) => id.startsWith("mission")),
    ...own.filter(({ id }) => !id.startsWith("mission")),
    ...joined,
  ];
}

function fill(layout: PlotLayout, topics: readonly ReviewTopic[], key: string): PlotLayout[] {
  const plots = layout.plots.flatMap((plot) => {
    const lines = plot.lines.map((line) => present(line, topics, key)).filter((line) => line !== null);
    return lines.length === 0 ? [] : [{ ...plot, lines }];
  });
  if (plots.length === 0) return [];
  return [
    key === ""
      ? { ...layout, plots }
      : { id: `${key}:${layout.id}`, title: `${layout.title} (${key})`, plots },
  ];
}

/** A line with its spelling in this review; null when the review does not hold it. */
function present(line: PlotLine, topics: readonly ReviewTopic[], key: string): PlotLine | null {
  if (line.topic === expressionTopic) {
    const field = line.field.replace(
      /\{([^{}]+)\}/g,
      (_, reference: string) => `{${inside(key, reference)}}`,
    );
    const references = expressionReferences(field);
    return references?.every((reference) => {
      const split = splitReference(topics, reference);
      return split !== null && holds(topics, split.topic, split.field);
    })
      ? { ...line, field }
      : null;
  }
  const topic = inside(key, line.topic);
  return holds(topics, topic, line.field) ? { ...line, topic } : null;
}

const inside = (key: string, name: string): string => (key === "" ? name : `${key}:${name}`);

const holds = (topics: readonly ReviewTopic[], name: string, path: string): boolean => {
  const topic = topics.find((t) => t.name === name);
  return topic !== undefined && topic.count > 0 && topic.fields.some((f) => f.numeric && f.path === path);
};
