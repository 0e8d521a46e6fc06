import type { Bookmark } from "#contract/review-workspace";

/** Two marks nearer than this are one: a second press on the same spot is a slip. */
const same_s = 0.02;

/** Another bookmark, in order of time. `label` is the moment in words until the operator writes something better. */
export function withBookmark(
  bookmarks: readonly Bookmark[],
  at_s: number,
  label: string,
): readonly Bookmark[] {
  if (!Number.isFinite(at_s) || bookmarks.some((b) => Math.abs(b.at_s - at_s) < same_s)) return bookmarks;
  const id = `b${1 + Math.max(0, ...bookmarks.map((b) => Number(b.id.slice(1)) || 0))}`;
  return [...bookmarks, { id, at_s, label, note: "" }].sort((a, b) => a.at_s - b.at_s);
}

export const withoutBookmark = (bookmarks: readonly Bookmark[], id: string): readonly Bookmark[] =>
  bookmarks.filter((b) => b.id !== id);

export const relabelled = (
  bookmarks: readonly Bookmark[],
  id: string,
  change: Partial<Pick<Bookmark, "label" | "note">>,
): readonly Bookmark[] => bookmarks.map((b) => (b.id === id ? { ...b, ...change } : b));
