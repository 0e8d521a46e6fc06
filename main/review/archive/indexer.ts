import type { ArchiveIndexed } from "#contract/archive";
import { type Cell, type Duck, quoted } from "../duckdb";
import { Cancelled, type Job } from "../jobs";
import { openLog, type ReviewDeps } from "../open";
import { Session } from "../session";
import { metricsOf } from "./metrics";
import { FLIGHT_TABLES } from "./schema";
import { type FoundFlight, nameIn, walkFlights } from "./walk";

const MESSAGES_MAX = 5000;

interface Known {
  readonly flight: string;
  readonly path: string;
  readonly stamp: string;
}

/** Brings the index up to what lies in the folder. Flights whose file has not changed are not read again. */
export async function indexFolder(
  duck: Duck,
  folder: string,
  deps: ReviewDeps,
  job: Job,
  forgetTopics: (flight: string) => void,
): Promise<ArchiveIndexed> {
  const found = walkFlights(folder);
  const known = (await duck.rows("SELECT flight, path, stamp FROM flights")) as unknown as Known[];
  const bad = (await duck.rows("SELECT path, stamp, reason FROM unreadable")) as unknown as {
    path: string;
    stamp: string;
    reason: string;
  }[];
  const now = new Map(found.map((f) => [f.path, f]));
  const stale = known.filter((k) => now.get(k.path)?.stamp !== k.stamp);
  for (const { flight } of stale) {
    for (const table of FLIGHT_TABLES)
      await duck.run(`DELETE FROM ${table} WHERE flight = ${quoted(flight)}`);
    forgetTopics(flight);
  }
  const kept = new Map(known.filter((k) => !stale.includes(k)).map((k) => [k.path, k.flight]));
  const stillBad = bad.filter((b) => now.get(b.path)?.stamp === b.stamp);
  await duck.run("DELETE FROM unreadable");
  await duck.append(
    "unreadable",
    stillBad.map(({ path, stamp, reason }) => [path, stamp, reason]),
  );
  const taken = new Set(kept.values());
  const badPaths = new Set(stillBad.map(({ path }) => path));
  const fresh = found.filter(({ path }) => !kept.has(path) && !badPaths.has(path));
  const unreadable = stillBad.map(({ path, reason }) => ({ path, reason }));
  let added = 0;
  for (const [n, flight] of fresh.entries()) {
    await job.step(n, fresh.length);
    const name = nameIn(folder, flight.path, taken);
    const reason = await addFlight(duck, name, flight, deps);
    if (reason === null) {
      taken.add(name);
      added += 1;
    } else {
      unreadable.push({ path: flight.path, reason });
      await duck.append("unreadable", [[flight.path, flight.stamp, reason]]);
    }
  }
  return { folder, flights: taken.size, added, removed: stale.length, unreadable };
}

/** Reads one flight into the tables; the reason when it cannot be read. A bug in a reader costs this flight only. */
async function addFlight(
  duck: Duck,
  flight: string,
  found: FoundFlight,
  deps: ReviewDeps,
): Promise<string | null> {
  const log = await openLog(found.path, deps);
  if (!log.ok) return log.error;
  const session = new Session("archive", log.value, deps);
  try {
    const rows = rowsOf(flight, found, session);
    for (const table of FLIGHT_TABLES) await duck.append(table, rows[table]);
    return null;
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    for (const table of FLIGHT_TABLES)
      await duck.run(`DELETE FROM ${table} WHERE flight = ${quoted(flight)}`);
    return `Review failed: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    session.close();
  }
}

type Rows = Readonly<Record<(typeof FLIGHT_TABLES)[number], readonly (readonly Cell[])[]>>;

function rowsOf(flight: string, found: FoundFlight, session: Session): Rows {
  const s = session.summary();
  const count = (severity: string): number => s.findings.filter((f) => f.severity === severity).length;
  const vehicle = [s.meta["autopilot"], s.meta["type"], s.meta["frame"]]
    .filter((word) => word !== undefined && word !== "")
    .join(" ");
  const words = [
    flight,
    s.title,
    s.format,
    vehicle,
    ...Object.values(s.meta),
    ...s.findings.map(({ title, detail }) => `${title} ${detail}`),
    ...s.steps.map(({ record }) => `${record.proposal.call.skill} ${record.proposal.trace.reasoning}`),
    ...s.messages.slice(0, MESSAGES_MAX).map(({ text }) => text),
  ]
    .join("\n")
    .toLowerCase();
  return {
    flights: [
      [
        flight,
        found.path,
        found.file,
        found.stamp,
        s.title,
        s.format,
        s.start_utc_ms,
        s.duration_s,
        found.size_bytes,
        s.completeness.state,
        vehicle,
        s.message_count,
        s.topics.length,
        count("warning"),
        count("caution"),
        words,
      ],
    ],
    metrics: Object.entries(metricsOf(session, s)).map(([metric, value]) => [flight, metric, value]),
    findings: s.findings.map((f) => [
      flight,
      f.at_s,
      f.severity,
      f.rule,
      f.title,
      f.detail,
      f.evidence?.topic ?? null,
      f.evidence?.field ?? null,
      f.evidence?.from_s ?? null,
      f.evidence?.to_s ?? null,
    ]),
    steps: s.steps.map(({ at_s, record }) => [
      flight,
      record.step,
      at_s,
      record.proposal.call.skill,
      record.status,
      record.decision?.kind ?? null,
      record.decision?.by ?? null,
      record.decision === null ? null : record.decision.after_ms / 1000,
      record.proposal.trace.reasoning,
      record.detail,
    ]),
    messages: s.messages
      .slice(0, MESSAGES_MAX)
      .map(({ at_s, severity, source, text }) => [flight, at_s, severity, source, text]),
    topics: s.topics.map(({ name, type, count: messages }) => [flight, name, type, messages]),
  };
}
