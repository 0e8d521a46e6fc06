export const exportFormats = ["csv", "parquet", "mcap", "kml", "report", "hdf5"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What an export has written. */
export interface Exported {
  readonly format: ExportFormat;
  readonly files: readonly string[];
  readonly rows: number;
}
