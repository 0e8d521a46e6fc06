import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "#contract/result";
import type { ExportOrder, ExportResult } from "#contract/review";
import { Cancelled, type Job } from "../jobs";
import { Selection } from "../selection";
import type { Session } from "../session";
import { fileProblem } from "../workspace/files";
import { csvExporter } from "./csv";
import { CannotExport, type Exporter, type ExportSource, type WrittenFormat } from "./exported";
import { hdf5Exporter } from "./hdf5";
import { kmlExporter } from "./kml";
import { lerobotExporter } from "./lerobot";
import { mcapExporter } from "./mcap";
import { parquetExporter } from "./parquet";
import { reportExporter } from "./report";
import { tlogExporter } from "./tlog";

const exporters: Readonly<Record<WrittenFormat, Exporter>> = {
  csv: csvExporter,
  parquet: parquetExporter,
  mcap: mcapExporter,
  tlog: tlogExporter,
  kml: kmlExporter,
  hdf5: hdf5Exporter,
  lerobot: lerobotExporter,
  report: reportExporter,
};

/**
 * Writes a review's data into a folder: everything under a hidden folder first, then moved into place, so that a full disk, a
 * cancel or a crash leaves nothing that looks whole. Nothing is replaced unless the order says so. Fails with one
 * sentence.
 */
export async function exportLog(
  session: Session,
  order: ExportOrder,
  job: Job,
): Promise<Result<ExportResult, string>> {
  const { format, folder, from_s, to_s, topics, overwrite } = order;
  if (format === "pdf") return err("A PDF is printed by the window; here the report is HTML.");
  const { reader, path, file } = session.log;
  const source: ExportSource = {
    reader: new Selection(reader, { from_s, to_s, topics }),
    path,
    file,
    session,
    summary: () => session.summary(),
    from_s,
    to_s,
  };
  let stage: string | null = null;
  try {
    const exporter = exporters[format];
    const names = exporter.plan(source);
    if (names.length === 0) return err("Nothing in this log fits the chosen topics and format.");
    const there = names.map((name) => join(folder, name)).filter((target) => existsSync(target));
    if (there.length > 0 && !overwrite) return ok({ state: "exists", files: there });
    mkdirSync(folder, { recursive: true });
    const staged = mkdtempSync(join(folder, ".export-"));
    stage = staged;
    const at = (name: string): string => {
      const target = join(staged, name);
      mkdirSync(dirname(target), { recursive: true });
      return target;
    };
    const { rows, notes } = await exporter.write(source, { at }, job);
    const written = names.filter((name) => existsSync(join(staged, name)));
    if (written.length === 0) return err("Nothing in this log fits the chosen topics, times and format.");
    const bytes = written.reduce((sum, name) => sum + statSync(join(staged, name)).size, 0);
    return ok({ state: "written", format, files: moveAll(staged, folder, written), rows, bytes, notes });
  } catch (error) {
    if (error instanceof CannotExport || error instanceof Cancelled) return err(error.message);
    return err(fileProblem("Export to", folder, error));
  } finally {
    if (stage !== null) rmSync(stage, { recursive: true, force: true });
  }
}

/** Into place; when one cannot be moved, the new ones before it are taken away again. */
function moveAll(staged: string, folder: string, names: readonly string[]): string[] {
  const moved: string[] = [];
  try {
    for (const name of names) {
      const target = join(folder, name);
      const fresh = !existsSync(target);
      mkdirSync(dirname(target), { recursive: true });
      renameSync(join(staged, name), target);
      if (fresh) moved.push(target);
    }
  } catch (error) {
    for (const target of moved) rmSync(target, { force: true });
    throw error;
  }
  return names.map((name) => join(folder, name));
}
