import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type {
  ArchiveComparison,
  ArchiveFlight,
  ArchiveIndexed,
  ArchiveQuery,
  ArchiveTrend,
  SqlResult,
} from "#contract/archive";
import { err, ok, type Result } from "#contract/result";
import type { Clock } from "../../platform/clock";
import { type Duck, named, openDuck, quoted, sqlProblem } from "../duckdb";
import { Cancelled, type Job } from "../jobs";
import type { ReviewDeps } from "../open";
import { indexFolder } from "./indexer";
import { metricOf, metrics } from "./metrics";
import { conditionsOf, orderOf } from "./query";
import { ARCHIVE_TABLES, ARCHIVE_VERSION } from "./schema";
import { TopicCache } from "./topic-cache";

const UNINDEXED = "This folder has not been indexed yet; index it first.";
const TABLES = ["flights", "metrics", "findings", "steps", "messages", "topics"] as const;

/** A folder of flights and its index in Kingfisher's own home. Nothing is ever written into the folder itself. */
export class Archive {
  readonly folder: string;
  readonly #home: string;
  readonly #index: string;
  readonly #topics: TopicCache;
  readonly #deps: ReviewDeps;
  readonly #clock: Clock;

  constructor(folder: string, home: string, deps: ReviewDeps, clock: Clock) {
    this.folder = resolve(folder);
    const key = createHash("sha256").update(this.folder).digest("hex").slice(0, 16);
    this.#home = join(home, "archive", key);
    this.#index = join(this.#home, "index.duckdb");
    this.#deps = deps;
    this.#clock = clock;
    this.#topics = new TopicCache(join(this.#home, "topics"), deps);
  }

  /** `rebuild` throws the index away and reads every file again. */
  async index(rebuild: boolean, job: Job): Promise<Result<ArchiveIndexed, string>> {
    if (!existsSync(this.folder) || !statSync(this.folder).isDirectory())
      return err(`${this.folder} is no folder.`);
    return this.#guarded(async () => {
      mkdirSync(this.#home, { recursive: true });
      if (rebuild) this.#forget();
      let duck = await openDuck(this.#index);
      try {
        if (!(await current(duck))) {
          duck.close();
          this.#forget();
          duck = await openDuck(this.#index);
          for (const sql of ARCHIVE_TABLES) await duck.run(sql);
          await duck.append("archive_info", [[ARCHIVE_VERSION, this.folder]]);
        }
        const indexed = await indexFolder(duck, this.folder, this.#deps, job, (flight) => {
          this.#topics.forget(flight, cachedTopics(this.#topics.folder));
        });
        return ok(indexed);
      } finally {
        duck.close();
      }
    });
  }

  search(query: ArchiveQuery): Promise<Result<{ total: number; flights: ArchiveFlight[] }, string>> {
    return this.#reading(async (duck) => {
      const { where, values } = conditionsOf(query);
      const [count] = await duck.rows(`SELECT count(*)::DOUBLE AS n FROM flights f ${where}`, values);
      const rows = await duck.rows(
        `SELECT f.* EXCLUDE (words) FROM flights f ${where} ORDER BY ${orderOf(query)} LIMIT ${query.limit} OFFSET ${query.offset}`,
        values,
      );
      return ok({ total: Number(count?.["n"] ?? 0), flights: await flightsOf(duck, rows) });
    });
  }

  compare(names: readonly string[]): Promise<Result<ArchiveComparison, string>> {
    return this.#reading(async (duck) => {
      const list = names.map(quoted).join(", ");
      const rows = await duck.rows(`SELECT f.* EXCLUDE (words) FROM flights f WHERE flight IN (${list})`);
      const all = await flightsOf(duck, rows);
      const flights = names.map((name) => all.find(({ flight }) => flight === name));
      const missing = names.filter((_, i) => flights[i] === undefined);
      if (missing.length > 0) return err(`The archive has no flight ${missing.join(", ")}.`);
      const there = flights.filter((f) => f !== undefined);
      const found = await duck.rows(
        `SELECT rule, any_value(title) AS title, flight, count(*)::DOUBLE AS n FROM findings WHERE flight IN (${list}) GROUP BY rule, flight`,
      );
      const rules = [...new Set(found.map((r) => String(r["rule"])))].sort();
      return ok({
        flights: there,
        metrics: metrics.flatMap((metric) => {
          const values = there.map((f) => f.metrics[metric.id] ?? null);
          return values.some((v) => v !== null) ? [{ metric, values }] : [];
        }),
        rules: rules.map((rule) => ({
          rule,
          title: String(found.find((r) => r["rule"] === rule)?.["title"] ?? rule),
          counts: there.map(({ flight }) =>
            Number(found.find((r) => r["rule"] === rule && r["flight"] === flight)?.["n"] ?? 0),
          ),
        })),
      });
    });
  }

  trend(id: string, query: ArchiveQuery): Promise<Result<ArchiveTrend, string>> {
    const metric = metricOf(id);
    if (metric === null)
      return Promise.resolve(
        err(`There is no figure “${id}”; known are ${metrics.map((m) => m.id).join(", ")}.`),
      );
    return this.#reading(async (duck) => {
      const { where, values } = conditionsOf(query);
      const rows = await duck.rows(
        `SELECT f.flight, f.path, f.start_utc_ms, m.value FROM flights f JOIN metrics m ON m.flight = f.flight AND m.metric = ${quoted(id)}
         ${where} ${where === "" ? "WHERE" : "AND"} f.start_utc_ms IS NOT NULL ORDER BY f.start_utc_ms`,
        values,
      );
      const points = rows.map((r) => ({
        flight: String(r["flight"]),
        path: String(r["path"]),
        start_utc_ms: Number(r["start_utc_ms"]),
        value: Number(r["value"]),
      }));
      return ok({ metric, points, slope_per_30_days: slope(points) });
    });
  }

  /** Tables are the index's own and every topic by its name; reading only, in time. */
  async sql(text: string, limit: number, timeout_s: number, job: Job): Promise<Result<SqlResult, string>> {
    return this.#guarded(async () => {
      if (!existsSync(this.#index)) return err(UNINDEXED);
      const duck = await openDuck();
      try {
        await duck.run(`ATTACH ${quoted(this.#index)} AS archive (READ_ONLY)`);
        for (const table of TABLES)
          await duck.run(
            table === "flights"
              ? "CREATE VIEW flights AS SELECT * EXCLUDE (words, stamp), make_timestamp_ms(start_utc_ms::BIGINT) AS start_utc FROM archive.flights"
              : `CREATE VIEW ${table} AS SELECT * FROM archive.${table}`,
          );
        await this.#topicViews(duck, text, job);
        mkdirSync(this.#topics.folder, { recursive: true });
        await duck.run(`SET allowed_directories = [${quoted(this.#topics.folder)}]`);
        await duck.run("SET enable_external_access = false");
        await duck.run("SET lock_configuration = true");
        return await duck.ask(text, { limit, timeout_s, clock: this.#clock, signal: job.signal });
      } finally {
        duck.close();
      }
    });
  }

  /** A view for every topic that the statement names. */
  async #topicViews(duck: Duck, text: string, job: Job): Promise<void> {
    const tables = new Set(await duck.tablesIn(text));
    const wanted = [...tables].filter((name) => !TABLES.some((table) => table === name));
    for (const topic of wanted) {
      const rows = await duck.rows(
        "SELECT f.flight, f.path FROM archive.topics t JOIN archive.flights f ON f.flight = t.flight WHERE t.topic = $1 AND t.count > 0 ORDER BY f.flight",
        [topic],
      );
      const flights = rows.map((r) => ({ flight: String(r["flight"]), path: String(r["path"]), topic }));
      await this.#topics.fill(flights, job);
      const files = flights
        .map(({ flight }) => this.#topics.pathOf(topic, flight))
        .filter((path) => existsSync(path));
      if (files.length > 0)
        await duck.run(
          `CREATE VIEW ${named(topic)} AS SELECT flight, * EXCLUDE (flight, topic) FROM read_parquet([${files.map(quoted).join(", ")}], hive_partitioning = true, hive_types_autocast = false, union_by_name = true)`,
        );
    }
  }

  #reading<T>(work: (duck: Duck) => Promise<Result<T, string>>): Promise<Result<T, string>> {
    return this.#guarded(async () => {
      if (!existsSync(this.#index)) return err(UNINDEXED);
      const duck = await openDuck(this.#index);
      try {
        return (await current(duck)) ? await work(duck) : err(UNINDEXED);
      } finally {
        duck.close();
      }
    });
  }

  #forget(): void {
    rmSync(this.#index, { force: true });
    rmSync(`${this.#index}.wal`, { force: true });
    this.#topics.forgetAll();
  }

  async #guarded<T>(work: () => Promise<Result<T, string>>): Promise<Result<T, string>> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Cancelled) return err(error.message);
      const text = sqlProblem(error);
      return err(
        /lock/i.test(text)
          ? "The archive's index is in use by another Kingfisher; try again in a moment."
          : text,
      );
    }
  }
}

async function current(duck: Duck): Promise<boolean> {
  try {
    const [info] = await duck.rows("SELECT version::DOUBLE AS version FROM archive_info");
    return info?.["version"] === ARCHIVE_VERSION;
  } catch {
    return false;
  }
}

function cachedTopics(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (name.startsWith("topic=") ? [name.slice(6)] : []));
  } catch {
    return [];
  }
}

async function flightsOf(duck: Duck, rows: Awaited<ReturnType<Duck["rows"]>>): Promise<ArchiveFlight[]> {
  const names = rows.map((r) => quoted(String(r["flight"]))).join(", ");
  const figures =
    names === ""
      ? []
      : await duck.rows(`SELECT flight, metric, value FROM metrics WHERE flight IN (${names})`);
  return rows.map((r) => ({
    flight: String(r["flight"]),
    path: String(r["path"]),
    title: String(r["title"]),
    format: String(r["format"]),
    start_utc_ms: r["start_utc_ms"] === null ? null : Number(r["start_utc_ms"]),
    duration_s: Number(r["duration_s"]),
    size_bytes: Number(r["size_bytes"]),
    completeness: String(r["completeness"]) as ArchiveFlight["completeness"],
    vehicle: String(r["vehicle"]),
    message_count: Number(r["message_count"]),
    topic_count: Number(r["topic_count"]),
    warnings: Number(r["warnings"]),
    cautions: Number(r["cautions"]),
    metrics: Object.fromEntries(
      figures
        .filter((m) => m["flight"] === r["flight"])
        .map((m) => [String(m["metric"]), Number(m["value"])]),
    ),
  }));
}

const MONTH_MS = 30 * 86_400_000;

/** Least squares over time; null below three points or when all are of one moment. */
function slope(points: readonly { start_utc_ms: number; value: number }[]): number | null {
  if (points.length < 3) return null;
  const n = points.length;
  const t = points.map((p) => p.start_utc_ms / MONTH_MS);
  const [mt, mv] = [t.reduce((a, b) => a + b, 0) / n, points.reduce((a, p) => a + p.value, 0) / n];
  let [up, down] = [0, 0];
  for (const [i, p] of points.entries()) {
    const dt = (t[i] ?? 0) - mt;
    up += dt * (p.value - mv);
    down += dt * dt;
  }
  return down > 1e-12 ? up / down : null;
}
