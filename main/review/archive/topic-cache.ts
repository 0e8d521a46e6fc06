import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { tableOf } from "../export/csv";
import { fileName } from "../export/names";
import { writeTable } from "../export/parquet";
import type { Job } from "../jobs";
import { openLog, type ReviewDeps } from "../open";

/**
 * Topics as Parquet, made from the flights when SQL first names them:
 * `topic=NAME/flight=ID/part-0.parquet` below the cache, the same layout as the export.
 */
export class TopicCache {
  readonly folder: string;
  readonly #deps: ReviewDeps;

  constructor(folder: string, deps: ReviewDeps) {
    this.folder = folder;
    this.#deps = deps;
  }

  pathOf(topic: string, flight: string): string {
    return join(this.folder, `topic=${fileName(topic)}`, `flight=${flight}`, "part-0.parquet");
  }

  forgetAll(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A flight whose file has changed or gone. */
  forget(flight: string, topics: readonly string[]): void {
    for (const topic of topics) rmSync(dirname(this.pathOf(topic, flight)), { recursive: true, force: true });
  }

  /** Makes what is missing, flight by flight; flights that can no longer be read are left out. */
  async fill(
    wanted: readonly { readonly flight: string; readonly path: string; readonly topic: string }[],
    job: Job,
  ): Promise<void> {
    const missing = wanted.filter(({ topic, flight }) => !existsSync(this.pathOf(topic, flight)));
    const flights = [...new Set(missing.map(({ flight }) => flight))];
    for (const [n, flight] of flights.entries()) {
      await job.step(n, flights.length);
      const topics = missing.filter((m) => m.flight === flight);
      const log = await openLog(topics[0]?.path ?? "", this.#deps);
      if (!log.ok) continue;
      try {
        for (const { topic } of topics) {
          const table = tableOf(log.value.reader, topic);
          if (!table) continue;
          const path = this.pathOf(topic, flight);
          mkdirSync(dirname(path), { recursive: true });
          rmSync(`${path}.new`, { force: true });
          await writeTable(`${path}.new`, table, log.value.reader);
          renameSync(`${path}.new`, path);
        }
      } finally {
        log.value.reader.close();
      }
    }
  }
}
