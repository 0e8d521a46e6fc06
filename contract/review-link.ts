/** A moment of a recording. `at_s` is on the clock of the file's own start. */
export interface Moment {
  readonly path: string;
  readonly at_s: number | null;
}

const start = "kingfisher://review?";

/** A link that opens a file, flight folder or workspace at a time: `kingfisher://review?file=…&t=12.3`. */
export function momentLink({ path, at_s }: Moment): string {
  const query = `file=${encodeURIComponent(path)}`;
  return at_s === null ? start + query : `${start}${query}&t=${Number(at_s.toFixed(3))}`;
}

/** Null when the text is no such link; everything about it may be hostile, so only a file and a finite time are taken. */
export function parseMomentLink(text: string): Moment | null {
  if (!/^kingfisher:\/\/review\/?\?/.test(text)) return null;
  let path: string | null = null;
  let at_s: number | null = null;
  for (const pair of text.slice(text.indexOf("?") + 1).split("&")) {
    const [name = "", raw = ""] = pair.split("=", 2);
    const value = decoded(raw);
    if (name === "file" && value !== null && value !== "" && !value.includes("\0")) path = value;
    if (name === "t" && value !== null && /^-?\d+(\.\d+)?$/.test(value)) at_s = Number(value);
  }
  return path === null ? null : { path, at_s };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    return null;
  }
}
