import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "#contract/result";
import type { ReviewSource, ReviewSummary } from "#contract/review";
import { contentKey } from "../content-key";
import { type OpenLog, openLog, type ReviewDeps } from "../open";
import { Session } from "../session";
import { align } from "./align";
import { JoinedReader, type Part } from "./joined-reader";
import { joinedStory, joinedTracks } from "./joined-story";
import type { OffsetsFile } from "./offsets-file";

type Offset = ReviewSource["offset"];

interface Source {
  readonly key: string;
  readonly session: Session;
  readonly content: string;
  offset: Offset;
}

const REFERENCE: Offset = { offset_s: 0, how: "reference", correlation: null, signal: "" };
const MOST_SOURCES = 12;

/** Short names for the topics of joined logs, by the kind of log. */
const KEYS: Readonly<Partial<Record<OpenLog["reader"]["kind"], string>>> = {
  kingfisher: "flight",
  dataflash: "bin",
  rosbag: "bag",
};

/** An open review: one log, or several of one flight on the clock of the first. */
export class Review {
  readonly id: string;
  readonly #deps: ReviewDeps;
  readonly #offsets: OffsetsFile;
  readonly #sources: Source[];
  #view: Session;

  constructor(id: string, log: OpenLog, deps: ReviewDeps, offsets: OffsetsFile) {
    this.id = id;
    this.#deps = deps;
    this.#offsets = offsets;
    const session = new Session(id, log, deps);
    this.#sources = [{ key: "", session, content: contentKey(log.file), offset: REFERENCE }];
    this.#view = session;
  }

  /** What is asked for series, pictures and exports: the single log, or all of them as one. */
  get view(): Session {
    return this.#view;
  }

  summary(): ReviewSummary {
    return { ...this.#view.summary(), id: this.id, sources: this.#described(), beside: this.#beside() };
  }

  async join(path: string): Promise<Result<void, string>> {
    if (this.#sources.length >= MOST_SOURCES)
      return err(`A review joins at most ${MOST_SOURCES} logs; remove one first.`);
    const log = await openLog(path, this.#deps);
    if (!log.ok) return log;
    if (this.#sources.some(({ session }) => resolve(session.log.file) === resolve(log.value.file))) {
      log.value.reader.close();
      return err(`${basename(path)} is part of this review already.`);
    }
    const content = contentKey(log.value.file);
    const key = this.#freeKey(log.value.reader.kind);
    const offset = this.#remembered(content) ?? this.#found(log.value);
    this.#sources.push({
      key,
      session: new Session(`${this.id}/${key}`, log.value, this.#deps),
      content,
      offset,
    });
    this.#rebuild();
    return ok(undefined);
  }

  /** Lays the vehicle's own logs, fetched after landing, over a flight of ours; what cannot be read is passed over. */
  async joinVehicleLogs(): Promise<void> {
    if (this.#sources[0]?.session.log.reader.kind !== "kingfisher") return;
    for (const { path, name } of this.#beside())
      if (/^vehicle-log-\d+\.(ulg|bin)$/.test(name)) await this.join(path);
  }

  leave(key: string): Result<void, string> {
    const at = this.#sources.findIndex((source) => source.key === key);
    if (at <= 0)
      return err(at === 0 ? "The first log carries the clock; it stays." : `There is no log “${key}”.`);
    const [gone] = this.#sources.splice(at, 1);
    gone?.session.close();
    this.#rebuild();
    return ok(undefined);
  }

  /** Null finds the offset again and forgets what was remembered. */
  setOffset(key: string, offset_s: number | null): Result<void, string> {
    const source = this.#sources.find((s) => s.key === key);
    const [reference] = this.#sources;
    if (!source || !reference) return err(`There is no log “${key}”.`);
    if (source === reference) return err("The first log carries the clock; adjust the others.");
    if (offset_s !== null && !Number.isFinite(offset_s)) return err("An offset is a number of seconds.");
    this.#offsets.set(reference.content, source.content, offset_s);
    source.offset =
      offset_s === null
        ? this.#found(source.session.log)
        : { offset_s, how: "given", correlation: null, signal: "" };
    this.#rebuild();
    return ok(undefined);
  }

  /** Where a joined video lies; the window's process makes an address of it that the page may play. */
  media(key: string): { url: string } | null {
    const log = this.#sources.find((s) => s.key === key)?.session.log;
    return log?.reader.kind === "video" ? { url: pathToFileURL(log.file).href } : null;
  }

  close(): void {
    if (this.#sources.length > 1) this.#view.forget();
    for (const { session } of this.#sources) session.close();
  }

  /** The sessions of the single logs, with where they lie. */
  get parts(): readonly { readonly key: string; readonly session: Session; readonly offset_s: number }[] {
    return this.#sources.map(({ key, session, offset }) => ({ key, session, offset_s: offset.offset_s }));
  }

  #remembered(content: string): Offset | null {
    const known = this.#offsets.get(this.#sources[0]?.content ?? "", content);
    return known === null ? null : { offset_s: known, how: "remembered", correlation: null, signal: "" };
  }

  /** Laid over the log that tells most: the reference, else the one that agrees best. */
  #found(log: OpenLog): Offset {
    let best: Offset | null = null;
    for (const { session, offset } of this.#sources) {
      if (session.log === log) continue;
      const found = align(session.log.reader, log.reader);
      const here = { ...found, offset_s: found.offset_s + offset.offset_s };
      if (best === null || rank(here) > rank(best)) best = here;
    }
    return best ?? { offset_s: 0, how: "none", correlation: null, signal: "" };
  }

  #freeKey(kind: OpenLog["reader"]["kind"]): string {
    const base = KEYS[kind] ?? kind;
    const taken = new Set(this.#sources.map(({ key }) => key));
    for (let n = 1; ; n++) {
      const key = n === 1 ? base : `${base}${n}`;
      if (!taken.has(key)) return key;
    }
  }

  #rebuild(): void {
    const [reference, ...others] = this.#sources;
    if (!reference) throw new Error("Invariant: a review has a reference");
    if (this.#view !== reference.session) this.#view.forget();
    if (others.length === 0) {
      this.#view = reference.session;
      return;
    }
    const part = ({ key, session, offset }: Source): Part => ({
      key,
      reader: session.log.reader,
      offset_s: offset.offset_s,
    });
    const reader = new JoinedReader([part(reference), ...others.map(part)]);
    const { path, file } = reference.session.log;
    const ours = this.#sources.find(({ session }) => session.log.reader.kind === "kingfisher");
    const parts = this.parts;
    this.#view = new Session(this.id, { path, file, reader, audit: null }, this.#deps, {
      from_s: reader.from_s,
      story: () => joinedStory(parts),
      audit: () => (ours ?? reference).session.audit(),
      tracks: () => joinedTracks(parts),
    });
  }

  #described(): ReviewSource[] {
    return this.#sources.map(({ key, session, offset }) => {
      const { reader, path } = session.log;
      const { completeness, duration_s, start_utc_ms, format } = reader;
      const title = session.title();
      const video = reader.kind === "video";
      return { key, path, title, format, completeness, duration_s, start_utc_ms, video, offset };
    });
  }

  /** Other logs in the folder of the first one. */
  #beside(): ReviewSummary["beside"] {
    const [reference] = this.#sources;
    if (!reference) return [];
    const folder = dirname(reference.session.log.file);
    const mine = new Set(this.#sources.map(({ session }) => resolve(session.log.file)));
    try {
      return readdirSync(folder)
        .filter((name) => /\.(mcap|ulg|tlog|bag|bin|db3|mp4|mov|mkv|webm)$/i.test(name))
        .filter((name) => !mine.has(resolve(join(folder, name))))
        .slice(0, 50)
        .map((name) => ({ path: join(folder, name), name }));
    } catch {
      return [];
    }
  }
}

const rank = ({ how, correlation }: Offset): number =>
  how === "correlated" ? 2 + (correlation ?? 0) : how === "clock" ? 1 : 0;
