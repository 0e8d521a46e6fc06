import { err, ok, type Result } from "#contract/result";
import type { Session } from "../session";
import { exportCsv } from "./csv";
import type { Exported, ExportFormat } from "./exported";
import { exportHdf5 } from "./hdf5";
import { exportKml } from "./kml";
import { exportMcap } from "./mcap";
import { exportParquet } from "./parquet";
import { exportReport } from "./report";

/** Writes a log's data into the folder `out`. Fails with one sentence. */
export async function exportLog(
  session: Session,
  format: ExportFormat,
  out: string,
): Promise<Result<Exported, string>> {
  try {
    switch (format) {
      case "csv":
        return ok(await exportCsv(session, out));
      case "parquet":
        return ok(await exportParquet(session, out));
      case "mcap":
        return ok(await exportMcap(session, out));
      case "kml":
        return exportKml(session, out);
      case "hdf5":
        return await exportHdf5(session, out);
      case "report":
        return ok(exportReport(session, out));
    }
  } catch (error) {
    return err(`Export to ${out} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
