import { err, type Result } from "#contract/result";
import type { Session } from "../session";
import { exportCsv } from "./csv";

export const exportFormats = ["csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface Exported {
  readonly format: ExportFormat;
  readonly files: readonly string[];
  readonly rows: number;
}

/** Writes a log's data into the folder `out`. Fails with one sentence. */
export async function exportLog(
  session: Session,
  format: ExportFormat,
  out: string,
): Promise<Result<Exported, string>> {
  try {
    switch (format) {
      case "csv":
        return { ok: true, value: await exportCsv(session, out) };
    }
  } catch (error) {
    return err(`Export to ${out} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
