import { randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { extname } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const types: Readonly<Record<string, string>> = {
  ".mp4": "video/mp4",
  ".mov": "video/mp4",
  ".m4v": "video/mp4",
  ".webm": "video/webm",
  ".mkv": "video/x-matroska",
};
const MOST = 32;

/** Videos of open reviews that the page may play: each under an address that only it was told. */
export class MediaDesk {
  readonly #files = new Map<string, string>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The page's address for a file that the review process named. */
  addressOf(fileUrl: string): string {
    const path = fileURLToPath(fileUrl);
    for (const [token, known] of this.#files) if (known === path) return `${this.#origin}/media/${token}`;
    const token = randomUUID();
    this.#files.set(token, path);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MOST && oldest !== undefined) this.#files.delete(oldest);
    return `${this.#origin}/media/${token}`;
  }

  /** Null when the address is none of ours. Answers ranges, so that a player can seek. */
  answer(url: string, range: string | null): Response | null {
    const { pathname } = new URL(url);
    const path = pathname.startsWith("/media/") ? this.#files.get(pathname.slice(7)) : undefined;
    if (path === undefined) return null;
    const { size } = statSync(path);
    const [from, to] = rangeOf(range, size);
    const headers = {
      "content-type": types[extname(path).toLowerCase()] ?? "application/octet-stream",
      "accept-ranges": "bytes",
      "content-length": String(to - from + 1),
      ...(range === null ? {} : { "content-range": `bytes ${from}-${to}/${size}` }),
    };
    const body = Readable.toWeb(createReadStream(path, { start: from, end: to })) as ReadableStream;
    return new Response(body, { status: range === null ? 200 : 206, headers });
  }
}

/** First and last byte asked for; all of them when the header makes no sense. */
export function rangeOf(header: string | null, size: number): [number, number] {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  const last = Math.max(0, size - 1);
  if (!match) return [0, last];
  const [, first = "", end = ""] = match;
  if (first === "") return [Math.max(0, size - Number(end || 0)), last];
  const from = Math.min(Number(first), last);
  return [from, end === "" ? last : Math.max(from, Math.min(Number(end), last))];
}
