import { errorCode, errorText } from "../../link/problems";

/** What a file error means, in one line; `path` is how the operator named it. */
export function diskProblem(error: unknown, path: string): string {
  switch (errorCode(error)) {
    case "ENOENT":
      return `${path} does not exist.`;
    case "EISDIR":
      return `${path} is a directory, not a file.`;
    case "ENOTDIR":
      return `${path} lies below something that is not a directory.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `${path}: this computer does not allow it.`;
    case "ENOSPC":
      return `${path}: the disk is full.`;
    default:
      return `${path}: ${errorText(error)}`;
  }
}

/** Work that must take turns: a vehicle serves one file at a time. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => {});
    return mine;
  }
}
