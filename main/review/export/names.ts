import { basename, dirname } from "node:path";

/** A topic's name as a file's: `/kingfisher/vehicle` becomes `kingfisher.vehicle`. */
export const fileName = (topic: string): string =>
  topic
    .replace(/^\/+/, "")
    .replaceAll("/", ".")
    .replace(/[^\w.@()[\]-]+/g, "_");

/** The flight's folder, or the log's name without its ending. */
export function flightName(path: string): string {
  const name = basename(path);
  const plain = /^flight\.(mcap|tlog)$/.test(name) ? basename(dirname(path)) : name.replace(/\.\w+$/, "");
  return fileName(plain);
}
