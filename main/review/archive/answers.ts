import type { Input, Output } from "#contract/ipc";
import type { Result } from "#contract/result";
import type { Jobs } from "../jobs";
import type { ReviewDeps } from "../open";
import { Archive } from "./archive";
import { metrics } from "./metrics";

type ArchiveRequest =
  | "archive.index"
  | "archive.search"
  | "archive.compare"
  | "archive.metrics"
  | "archive.trend"
  | "archive.sql";
type Answers = { readonly [C in ArchiveRequest]: (input: Input<C>) => Promise<Output<C>> };
type Answer<T> = { ok: true; value: T } | { ok: false; reason: string };

const told = <T>(result: Result<T, string>): Answer<T> =>
  result.ok ? { ok: true, value: result.value } : { ok: false, reason: result.error };

const NO_HOME = "There is no home for an archive's index.";

/** One request after another: an index that is being written is not read meanwhile. */
export function archiveAnswers(deps: ReviewDeps, jobs: Jobs): Answers {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
  const on = <T>(
    folder: string | null,
    work: (archive: Archive) => Promise<Result<T, string>>,
  ): Promise<Answer<T>> => {
    const { home } = deps;
    if (home === null) return Promise.resolve({ ok: false, reason: NO_HOME });
    const archive = new Archive(folder ?? home.flights, home.root, deps, deps.clock);
    return inTurn(async () => told(await work(archive)));
  };
  return {
    "archive.index": ({ folder, rebuild }) =>
      on(folder, (archive) =>
        jobs.run("archive", `Index ${archive.folder}`, "flights", (job) => archive.index(rebuild, job)),
      ),
    "archive.search": ({ folder, query }) => on(folder, (archive) => archive.search(query)),
    "archive.compare": ({ folder, flights }) => on(folder, (archive) => archive.compare(flights)),
    "archive.metrics": () => Promise.resolve({ ok: true, value: metrics }),
    "archive.trend": ({ folder, metric, query }) => on(folder, (archive) => archive.trend(metric, query)),
    "archive.sql": ({ folder, sql, limit, timeout_s }) =>
      on(folder, (archive) =>
        jobs.run("query", "SQL over the archive", "flights", (job) =>
          archive.sql(sql, limit, timeout_s, job),
        ),
      ),
  };
}
