import type { ParameterRow } from "#contract/link-ipc";

/** What the list is narrowed to. */
export interface Filter {
  readonly text: string;
  /** Empty: all groups. */
  readonly group: string;
  readonly modified: boolean;
}
export const everything: Filter = { text: "", group: "", modified: false };

/** Floats are stored with 32 bits: 0.1 read back is not the 0.1 that the description says. */
const same = (a: number, b: number): boolean => Math.fround(a) === Math.fround(b);

/** Differs from the default in its description; what has no known default is not called modified. */
export const isModified = (row: ParameterRow): boolean =>
  row.default !== null && !same(row.value, row.default);

/**
 * The rows that hold every word of the search, in the name, the group or the description. Underscores count as spaces, so
 * "mpc vel max" finds MPC_XY_VEL_MAX. Names that begin with the search come first, then names that hold it, then descriptions.
 */
export function filterRows(rows: readonly ParameterRow[], filter: Filter): readonly ParameterRow[] {
  const needles = wordsOf(filter.text);
  const wanted = rows.filter(
    (row) =>
      (filter.group === "" || row.group === filter.group) &&
      (!filter.modified || isModified(row)) &&
      needles.every((needle) => haystack(row).includes(needle)),
  );
  if (needles.length === 0) return wanted;
  const rank = (row: ParameterRow): number => {
    const name = wordsOf(row.name).join(" ");
    const text = needles.join(" ");
    if (name.startsWith(text)) return 0;
    return needles.every((needle) => name.includes(needle)) ? 1 : 2;
  };
  return wanted
    .map((row, at) => ({ row, at, rank: rank(row) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ row }) => row);
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== "");
const haystack = (row: ParameterRow): string =>
  `${row.name.toLowerCase().replaceAll("_", " ")} ${row.name} ${row.group} ${row.short} ${row.long}`.toLowerCase();

export interface Group {
  readonly name: string;
  readonly count: number;
}

/** Groups by name, with how many parameters each has. */
export function groupsOf(rows: readonly ParameterRow[]): readonly Group[] {
  const counts = new Map<string, number>();
  for (const { group } of rows) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The part of a long list that is in view, with a few rows beyond either end so that scrolling never shows a gap. */
export function visibleRange(
  count: number,
  scroll_px: number,
  height_px: number,
  row_px: number,
  beyond = 8,
): { readonly first: number; readonly last: number } {
  const first = Math.max(0, Math.floor(scroll_px / row_px) - beyond);
  const last = Math.min(count, Math.ceil((scroll_px + height_px) / row_px) + beyond);
  return { first: Math.min(first, count), last: Math.max(last, Math.min(first, count)) };
}

/** How far to scroll so that a row is wholly in view; the present position when it is. */
export function scrollToShow(index: number, scroll_px: number, height_px: number, row_px: number): number {
  const top = index * row_px;
  if (top < scroll_px) return top;
  return top + row_px > scroll_px + height_px ? top + row_px - height_px : scroll_px;
}
