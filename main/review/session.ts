import { basename, dirname } from "node:path";
import type {
  NamedTrack,
  ReviewFinding,
  ReviewSeries,
  ReviewSpectrum,
  ReviewSummary,
  ReviewTrack,
} from "#contract/review";
import { derivedColumn, withDerived } from "./derived";
import { evaluateExpression } from "./expression";
import type { OpenLog, ReviewDeps } from "./open";
import { Pyramid } from "./pyramid";
import type { Column, LogImage, LogMessage, LogReader } from "./reader";
import { expressionTopic, splitReference } from "./references";
import { scanned } from "./scanned";
import { spectrumOf } from "./spectrum";
import { ardupilotStory } from "./summary/ardupilot";
import { kingfisherStory } from "./summary/kingfisher";
import { kingfisherTracks } from "./summary/kingfisher-tracks";
import { mavlinkStory } from "./summary/mavlink";
import { plainStory } from "./summary/plain";
import { px4Story } from "./summary/px4";
import type { Story } from "./summary/story";
import { sortFindings } from "./summary/story";
import { tracksOf } from "./summary/tracks";

/** Plots kept ready for zooming, in bytes; the least recently used go first. */
const PYRAMID_BYTES = 384 * 1024 * 1024;

/** What is known of several logs laid over each other beside their reader. */
export interface Joined {
  readonly from_s: number;
  story(): Story;
  audit(): ReviewSummary["audit"];
  tracks(): NamedTrack[];
}

/** One opened log: its summary, and what the screen asks of it. */
export class Session {
  readonly id: string;
  readonly #log: OpenLog;
  readonly #deps: ReviewDeps;
  readonly #pyramids = new Map<string, Pyramid>();
  #pyramid_bytes = 0;
  #told: Story | null = null;
  readonly #joined: Joined | null;

  /** `joined` tells what a log made of several cannot know by itself. */
  constructor(id: string, log: OpenLog, deps: ReviewDeps, joined: Joined | null = null) {
    this.id = id;
    this.#log = log;
    this.#deps = deps;
    this.#joined = joined;
  }

  get story(): Story {
    this.#told ??= this.#joined?.story() ?? tell(this.#log);
    return this.#told;
  }

  get log(): OpenLog {
    return this.#log;
  }

  summary(): ReviewSummary {
    const { reader, path } = this.#log;
    const { story } = this;
    const audit = this.audit();
    const findings = [...story.findings, ...recordFindings(audit, reader)];
    let message_count = 0;
    for (const topic of reader.topics) message_count += topic.count;
    return {
      id: this.id,
      path,
      title: this.title(),
      format: reader.format,
      completeness: reader.completeness,
      duration_s: reader.duration_s,
      sources: [this.#source()],
      span: { from_s: this.#joined?.from_s ?? 0, to_s: reader.duration_s },
      beside: [],
      takeoff_s: takeoffOf(story),
      start_utc_ms: reader.start_utc_ms,
      start_boot_ms: reader.start_boot_ms,
      topics: withDerived(reader.topics),
      message_count,
      messages: [...reader.messages, ...story.messages].sort((a, b) => a.at_s - b.at_s),
      lanes: story.lanes,
      findings: sortFindings(findings),
      steps: story.steps,
      image_topics: reader.image_topics,
      has_track: story.track !== null,
      audit,
      parameters: reader.parameters,
      meta: { ...reader.meta, ...story.meta },
    };
  }

  title(): string {
    return titleOf(this.#log.path, this.story.title);
  }

  #source(): ReviewSummary["sources"][number] {
    const { reader, path } = this.#log;
    return {
      key: "",
      path,
      title: this.title(),
      format: reader.format,
      completeness: reader.completeness,
      duration_s: reader.duration_s,
      start_utc_ms: reader.start_utc_ms,
      video: reader.kind === "video",
      offset: { offset_s: 0, how: "reference", correlation: null, signal: "" },
    };
  }

  audit(): ReviewSummary["audit"] {
    if (this.#joined) return this.#joined.audit();
    const { reader, audit } = this.#log;
    if (reader.kind !== "kingfisher")
      return { state: "absent", detail: "only Kingfisher's own flights carry an audit log" };
    const witness = new Map<number, string>();
    for (const { value } of reader.records("/kingfisher/audit")) {
      const { seq, hash } = value as { seq: number; hash: string };
      witness.set(seq, hash);
    }
    return this.#deps.verifyAudit(audit, witness);
  }

  track(): ReviewTrack | null {
    return this.story.track;
  }

  /** Every path the log tells, the estimate first. */
  tracks(): NamedTrack[] {
    if (this.#joined) return this.#joined.tracks();
    const { reader } = this.#log;
    return reader.kind === "kingfisher" ? kingfisherTracks(reader, this.track()) : tracksOf(reader);
  }

  /** Readers that cannot seek to a message are read up to it. */
  message(topic: string, at_s: number): LogMessage | null {
    const { reader } = this.#log;
    return reader.message ? reader.message(topic, at_s) : scanned(reader, topic, at_s);
  }

  image(topic: string, at_s: number): LogImage | null {
    return this.#log.reader.image(topic, at_s);
  }

  /** Null when the topic has no such numeric field. */
  series(
    topic: string,
    field: string,
    from_s: number | null,
    to_s: number | null,
    points: number,
  ): ReviewSeries | null {
    const pyramid = this.pyramid(topic, field);
    if (!pyramid) return null;
    const cut = pyramid.query(from_s, to_s, points);
    return {
      topic,
      field,
      unit: pyramid.column.unit,
      t_s: cut.t_s,
      min: cut.min.map(finite),
      max: cut.max.map(finite),
      raw_count: cut.raw_count,
    };
  }

  spectrum(
    topic: string,
    field: string,
    from_s: number | null,
    to_s: number | null,
    window: ReviewSpectrum["window"],
  ): { ok: true; value: ReviewSpectrum } | { ok: false; reason: string } {
    const column = this.column(topic, field);
    if (!column) return { ok: false, reason: `${topic} has no numeric field ${field}.` };
    const found = spectrumOf(column, from_s, to_s, window);
    if (!found) return { ok: false, reason: "There are too few samples in this stretch for a spectrum." };
    return { ok: true, value: { topic, field, unit: column.unit, ...found } };
  }

  /** A field of the log, one derived from it, or with the topic "=" an expression. */
  column(topic: string, field: string): Column | null {
    const { reader } = this.#log;
    if (topic !== expressionTopic) return reader.column(topic, field) ?? derivedColumn(reader, topic, field);
    const result = evaluateExpression(field, (reference) => {
      const split = splitReference(reader.topics, reference);
      return split && this.column(split.topic, split.field);
    });
    if (!result.ok) throw new Error(result.error);
    return result.value;
  }

  pyramid(topic: string, field: string): Pyramid | null {
    const key = `${topic}\n${field}`;
    const known = this.#pyramids.get(key);
    if (known) {
      this.#pyramids.delete(key);
      this.#pyramids.set(key, known);
      return known;
    }
    const column = this.column(topic, field);
    if (!column) return null;
    const made = new Pyramid(column);
    this.#pyramid_bytes += made.bytes;
    for (const [oldest, old] of this.#pyramids) {
      if (this.#pyramid_bytes <= PYRAMID_BYTES) break;
      this.#pyramids.delete(oldest);
      this.#pyramid_bytes -= old.bytes;
    }
    this.#pyramids.set(key, made);
    return made;
  }

  /** Drops what was kept for zooming; the log stays open. */
  forget(): void {
    this.#pyramids.clear();
    this.#pyramid_bytes = 0;
  }

  close(): void {
    this.forget();
    this.#log.reader.close();
  }
}

/** What the recording itself complains of, beside what it tells. */
function recordFindings(audit: ReviewSummary["audit"], reader: LogReader): ReviewFinding[] {
  const { state, notes } = reader.completeness;
  const out: ReviewFinding[] = [];
  const rest = { rule: "record", evidence: null };
  if (audit.state === "broken")
    out.push({ at_s: 0, severity: "warning", title: "Audit log broken", detail: audit.detail, ...rest });
  if (state === "truncated" || state === "damaged")
    out.push({
      at_s: state === "truncated" ? reader.duration_s : 0,
      severity: "caution",
      title: state === "truncated" ? "Recording cut" : "Recording damaged",
      detail: notes[0] ?? "",
      ...rest,
    });
  return out;
}

/** The first moment in the air, from the lane that knows it. */
function takeoffOf(story: Story): number | null {
  for (const lane of story.lanes) {
    const flying = lane.spans.find(({ label }) => label === "In flight");
    if (flying) return flying.from_s;
  }
  return null;
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function titleOf(path: string, story: string): string {
  const name = basename(path);
  if (/^flight\.(mcap|tlog)$/.test(name)) return basename(dirname(path));
  return story === "" ? name : `${story} · ${name}`;
}

function tell(log: OpenLog): Story {
  switch (log.reader.kind) {
    case "kingfisher":
      return kingfisherStory(log.reader);
    case "tlog":
      return mavlinkStory(log.reader);
    case "ulog":
      return px4Story(log.reader);
    case "dataflash":
      return ardupilotStory(log.reader);
    case "mcap":
    case "rosbag":
    case "rosbag2":
    case "robomimic":
    case "lerobot":
    case "video":
      return plainStory(log.reader);
  }
}
