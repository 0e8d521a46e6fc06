import { basename } from "node:path";
import { err, ok, type Result } from "#contract/result";
import type { ReviewMessage } from "#contract/review";
import { displayImage } from "../images";
import { completeness } from "../reader";
import type { ByteSource } from "../source";
import { type Table, TableLog, type TablePictures } from "../table-log";
import { arraysIn, attributeText, groupAt, namesIn, type RowArray, words } from "./arrays";
import { type Hdf5File, openHdf5 } from "./file";

export { isHdf5 } from "./file";

/** Wider arrays are data, not fields. */
const MAX_COLUMNS = 256;
const DEFAULT_HZ = 20;
/** Up to this size every array is read when the file is opened, so that what is lost is said at once. */
const READ_ALL_BYTES = 256 * 1024 * 1024;
/** Lost and unreadable arrays named one by one. */
const MAX_NOTES = 12;

/**
 * A Robomimic data set (https://robomimic.github.io/docs/datasets/overview.html): `data/demo_N` with `actions`, `obs` and
 * more, one row a step. Demonstrations stand one after another on the timeline; the file has no times, so steps are as far
 * apart as the environment's control rate says.
 */
export async function openRobomimic(
  source: ByteSource,
  name: string,
  path: string | null,
): Promise<Result<TableLog, string>> {
  let file: Hdf5File;
  try {
    file = await openHdf5(source, path);
  } catch (error) {
    return err(`${basename(name)} is an HDF5 file that cannot be read: ${words(error)}.`);
  }
  const close = (): void => {
    file.close();
    source.close();
  };
  const roots = file.roots.map((root) => groupAt(root, "data"));
  const data = roots.flatMap((root) => root ?? []);
  const [first] = data;
  if (!first || data.length < file.roots.length) {
    file.close();
    return err(`${basename(name)} is an HDF5 file without demonstrations (no group “data”).`);
  }
  const environment = parsedEnvironment(attributeText(first, "env_args"));
  const notes: string[] = [];
  let more = 0;
  const complain = (text: string): void => {
    if (notes.length < MAX_NOTES) notes.push(text);
    else more += 1;
  };
  const tables: Table[] = [];
  const pictures: TablePictures[] = [];
  const messages: ReviewMessage[] = [];
  let at_s = 0;
  const all = source.size <= READ_ALL_BYTES;
  const names = namesIn(first).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  for (const demo of names) {
    const groups = data.flatMap((root) => groupAt(root, demo) ?? []);
    if (groups.length < data.length) {
      complain(`${demo} cannot be read`);
      continue;
    }
    const arrays = arraysIn(groups, file.strictly, (text) => {
      complain(`${demo}/${text}`);
    });
    const rows = rowCount(arrays, Number(attributeText(groups[0] ?? first, "num_samples")));
    if (rows === 0) {
      complain(`${demo} has no rows`);
      continue;
    }
    const start_s = at_s;
    const t_s = Float64Array.from({ length: rows }, (_, i) => start_s + i / environment.hz);
    tables.push(tableOf(demo, t_s, arrays, all, complain));
    for (const array of arrays)
      if (isPicture(array)) pictures.push(picturesOf(`${demo}/${array.path}`, t_s, array));
    messages.push({ at_s, severity: "info", source: demo, text: `${demo} begins: ${rows} steps` });
    at_s += rows / environment.hz;
  }
  const duration_s = Math.max(0, at_s - 1 / environment.hz);
  const stated = Number(attributeText(first, "total"));
  let total = 0;
  for (const { t_s } of tables) total += t_s.length;
  if (stated > 0 && stated !== total) complain(`the file counts ${stated} steps; ${total} were found`);
  if (more > 0) notes.push(`and ${more} more`);
  const remarks = environment.stated
    ? []
    : [`the file does not say its control rate: ${DEFAULT_HZ} Hz is assumed`];
  if (!all) remarks.push("too large to check every array when opened: arrays are checked when read");
  return ok(
    new TableLog({
      kind: "robomimic",
      format: "Robomimic demonstrations (HDF5)",
      completeness: completeness(tables.length === 0, file.truncated, notes, remarks),
      duration_s,
      tables,
      pictures,
      messages,
      meta: {
        environment: environment.name,
        control_rate_hz: String(environment.hz),
        episodes: String(tables.length),
      },
      close,
    }),
  );
}

function parsedEnvironment(text: string): { name: string; hz: number; stated: boolean } {
  let parsed: { env_name?: unknown; env_kwargs?: { control_freq?: unknown } | null } = {};
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === "object") parsed = value;
  } catch {
    // A data set without its environment can still be looked at.
  }
  const hz = parsed.env_kwargs?.control_freq;
  const stated = typeof hz === "number" && hz > 0 && Number.isFinite(hz);
  return {
    name: typeof parsed.env_name === "string" ? parsed.env_name : "",
    hz: stated ? hz : DEFAULT_HZ,
    stated,
  };
}

/** As many rows as the attribute says when any array agrees, else as the longest array. */
function rowCount(arrays: readonly RowArray[], stated: number): number {
  const lengths = arrays.map(({ shape }) => shape[0] ?? 0);
  if (lengths.includes(stated)) return stated;
  return lengths.reduce((most, n) => Math.max(most, n), 0);
}

const isPicture = ({ shape, kind, width }: RowArray): boolean =>
  shape.length === 4 &&
  ((kind === "whole" && width === 1 && shape[3] === 3) ||
    (shape[3] === 1 && (kind === "float" || (kind === "whole" && width === 2))));

function tableOf(
  demo: string,
  t_s: Float64Array,
  arrays: readonly RowArray[],
  all: boolean,
  complain: (text: string) => void,
): Table {
  const columns = new Map<string, { array: RowArray; width: number; k: number }>();
  for (const array of arrays) {
    const width = array.shape.slice(1).reduce((product, n) => product * n, 1);
    if (width > MAX_COLUMNS || isPicture(array)) continue;
    const name = array.path.replaceAll("/", ".");
    if (array.shape.length === 1) columns.set(name, { array, width, k: 0 });
    else for (let k = 0; k < width; k++) columns.set(`${name}[${k}]`, { array, width, k });
  }
  const read = new Map<RowArray, Float64Array | null>();
  const valuesOf = (array: RowArray): Float64Array | null => {
    const known = read.get(array);
    if (known !== undefined) return known;
    const values = wholeArray(array, (text) => {
      complain(`${demo}/${text}`);
    });
    if (all) read.set(array, values);
    return values;
  };
  if (all) for (const { array } of columns.values()) valuesOf(array);
  return {
    name: demo,
    type: "demonstration",
    t_s,
    fields: [...columns.keys()].map((path) => ({ path, numeric: true, unit: "" })),
    values: (path) => {
      const found = columns.get(path);
      const flat = found && valuesOf(found.array);
      if (!found || !flat) return null;
      return Float64Array.from(t_s, (_, i) => flat[i * found.width + found.k] ?? Number.NaN);
    },
  };
}

function wholeArray(array: RowArray, complain: (text: string) => void): Float64Array | null {
  try {
    const { values, lost } = array.read(0, array.shape[0] ?? 0);
    const out = Float64Array.from(values);
    let count = 0;
    if (lost)
      for (let i = 0; i < out.length; i++)
        if (lost[i]) {
          out[i] = Number.NaN;
          count += 1;
        }
    if (count > 0) complain(`${array.path}: ${count} of ${out.length} numbers are lost`);
    return out;
  } catch (error) {
    complain(`${array.path} cannot be read (${words(error)})`);
    return null;
  }
}

function picturesOf(topic: string, t_s: Float64Array, array: RowArray): TablePictures {
  const [rows = 0, height = 0, width = 0] = array.shape;
  return {
    topic,
    t_s: t_s.subarray(0, Math.min(rows, t_s.length)),
    picture: (row) => {
      try {
        const { values, lost } = array.read(row, row + 1);
        if (lost) return null;
        const whole = array.kind === "whole";
        const colour = whole && array.width === 1;
        const data = colour
          ? Uint8Array.from(values)
          : new Uint8Array((whole ? Uint16Array.from(values) : Float32Array.from(values)).buffer);
        const encoding = colour ? "rgb8" : whole ? "16UC1" : "32FC1";
        return displayImage({ data, width, height, encoding, step: 0, is_bigendian: 0 });
      } catch {
        return null;
      }
    },
  };
}
