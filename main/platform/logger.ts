import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import log from "electron-log/node";

/** What a process has to say about itself, for the person who looks after it. Flights have their own recording. */
export interface Logger {
  debug(text: string, details?: unknown): void;
  info(text: string, details?: unknown): void;
  warn(text: string, details?: unknown): void;
  error(text: string, details?: unknown): void;
}

export interface LoggerOptions {
  readonly folder: string;
  /** Name of the process: becomes the file's name. */
  readonly name: string;
  /** Also write to stderr. stdout stays free for what a command prints. */
  readonly echo?: boolean;
  readonly max_bytes?: number;
  /** Older files kept: name.1.log is the youngest of them. */
  readonly keep?: number;
}

/** Opens `<folder>/<name>.log`; when it passes `max_bytes` it becomes name.1.log, and the oldest is dropped. */
export function openLogger(options: LoggerOptions): Logger {
  const { folder, name, echo = false, max_bytes = 5_000_000, keep = 4 } = options;
  const file = join(folder, `${name}.log`);
  const logger = log.create({ logId: file });
  logger.transports.file.resolvePathFn = () => file;
  logger.transports.file.level = "debug";
  logger.transports.file.maxSize = max_bytes;
  logger.transports.file.format = "{iso} {level} {text}";
  logger.transports.file.archiveLogFn = () => {
    rotate(folder, name, keep);
  };
  logger.transports.console.level = echo ? "info" : false;
  logger.transports.console.format = `${name}: {text}`;
  // Whoever read our stderr may have gone: that is no reason to fail.
  if (echo) process.stderr.on("error", () => {});
  logger.transports.console.writeFn = ({ message }) => {
    process.stderr.write(`${message.data.map(String).join(" ")}\n`);
  };
  const write =
    (level: keyof Logger) =>
    (text: string, details?: unknown): void => {
      if (details === undefined) logger[level](text);
      else logger[level](text, details);
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

function rotate(folder: string, name: string, keep: number): void {
  const numbered = (n: number): string => join(folder, n === 0 ? `${name}.log` : `${name}.${n}.log`);
  for (let n = keep - 1; n >= 0; n--) {
    if (statSync(numbered(n), { throwIfNoEntry: false }) !== undefined)
      renameSync(numbered(n), numbered(n + 1));
  }
}
