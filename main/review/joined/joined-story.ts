import type { NamedTrack, ReviewFinding, ReviewLane } from "#contract/review";
import type { Session } from "../session";
import { type Story, sortFindings } from "../summary/story";
import { topicIn } from "./joined-reader";

interface StoryPart {
  readonly key: string;
  readonly session: Session;
  readonly offset_s: number;
}

/** What all logs of a flight tell, on one clock. Lanes and findings of the joined ones say whose they are. */
export function joinedStory(parts: readonly StoryPart[]): Story {
  const told = parts.map((part) => ({ ...part, story: part.session.story }));
  const withSteps = told.find(({ story }) => story.steps.length > 0);
  const withTrack = told.find(({ story }) => story.track !== null);
  return {
    title: told[0]?.story.title ?? "",
    lanes: told.flatMap(({ key, offset_s, story }) => story.lanes.map((lane) => laneIn(key, offset_s, lane))),
    findings: sortFindings(
      told.flatMap(({ key, offset_s, story }) => story.findings.map((f) => findingIn(key, offset_s, f))),
    ),
    steps: (withSteps?.story.steps ?? []).map((step) => ({
      ...step,
      at_s: step.at_s + (withSteps?.offset_s ?? 0),
    })),
    messages: told.flatMap(({ offset_s, story }) =>
      story.messages.map((message) => ({ ...message, at_s: message.at_s + offset_s })),
    ),
    track: withTrack?.story.track
      ? { ...withTrack.story.track, t_s: withTrack.story.track.t_s.map((t) => t + withTrack.offset_s) }
      : null,
    meta: told[0]?.story.meta ?? {},
  };
}

function laneIn(key: string, offset_s: number, lane: ReviewLane): ReviewLane {
  if (key === "") return lane;
  return {
    id: `${key}:${lane.id}`,
    label: `${lane.label} (${key})`,
    spans: lane.spans.map((s) => ({ ...s, from_s: s.from_s + offset_s, to_s: s.to_s + offset_s })),
    marks: lane.marks.map((m) => ({ ...m, at_s: m.at_s + offset_s })),
  };
}

function findingIn(key: string, offset_s: number, finding: ReviewFinding): ReviewFinding {
  if (key === "") return finding;
  const { evidence } = finding;
  return {
    ...finding,
    at_s: finding.at_s + offset_s,
    detail: `${finding.detail} (${key})`,
    evidence: evidence && {
      ...evidence,
      topic: topicIn(key, evidence.topic),
      from_s: evidence.from_s + offset_s,
      to_s: evidence.to_s + offset_s,
    },
  };
}

/** The paths of all logs on one clock. Each in its own log's frame: two estimators do not share their zero. */
export function joinedTracks(parts: readonly StoryPart[]): NamedTrack[] {
  return parts.flatMap(({ key, session, offset_s }) =>
    session.tracks().map(({ id, label, role, topic, track }) => ({
      id: topicIn(key, id),
      label: key === "" ? label : `${label} (${key})`,
      role,
      topic: topicIn(key, topic),
      track: { ...track, t_s: track.t_s.map((t) => t + offset_s) },
    })),
  );
}
