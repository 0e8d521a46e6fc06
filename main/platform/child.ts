import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { appRoot } from "./paths";

export type ChildName = "sim" | "perception" | "review" | "relay" | "cli";

export interface ChildOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** In a process group of its own: Ctrl+C at the terminal does not reach it, its parent decides. */
  readonly apart?: boolean;
  /** Called with each piece of text from the child's stderr. */
  readonly onText?: (text: string) => void;
}

/**
 * Starts one of Kingfisher's own processes from out/main/<name>.cjs.
 *
 * Always child_process.fork with structured-clone messages, the same with and without Electron: utilityProcess
 * reports exit 0 after a kill. Under Electron ELECTRON_RUN_AS_NODE turns its binary into plain Node.
 * stdin is closed, stdout and stderr are pipes; the fourth channel carries messages.
 */
export function forkChild(name: ChildName, options: ChildOptions = {}): ChildProcess {
  const child = fork(join(appRoot(), "out", "main", `${name}.cjs`), [...(options.args ?? [])], {
    execPath: process.execPath,
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: options.apart === true,
    env: { ...process.env, ...options.env, ELECTRON_RUN_AS_NODE: "1" },
  });
  child.stderr?.setEncoding("utf8");
  child.stderr?.on("data", (text: string) => options.onText?.(text));
  return child;
}

/** The child's end of the channel. */
export interface ParentChannel {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/**
 * Takes the channel to the parent, or null when started by hand. A child never outlives its parent: when the
 * channel closes, `onParentGone` runs and the process ends.
 */
export function parentChannel(onParentGone: () => void = () => {}): ParentChannel | null {
  if (process.send === undefined) return null;
  const send = process.send.bind(process);
  process.once("disconnect", () => {
    onParentGone();
    process.exit(0);
  });
  return {
    send: (message) => {
      if (process.connected) send(message);
    },
    onMessage: (listener) => {
      process.on("message", listener);
    },
  };
}

/**
 * Resolves with the exit code (null after a signal) once a child is gone and everything it printed has been read. Node's own
 * "close" event never comes after this end has disconnected the channel.
 */
export function childGone(child: ChildProcess): Promise<number | null> {
  const read = ({ stdout, stderr }: ChildProcess): Promise<unknown> =>
    Promise.all(
      [stdout, stderr].map(
        (stream) =>
          new Promise<void>((resolve) => {
            if (stream === null || stream.destroyed) resolve();
            else
              stream.once("close", () => {
                resolve();
              });
          }),
      ),
    );
  return new Promise((resolve) => {
    child.once("error", () => {
      resolve(null);
    });
    child.once("exit", (code) => {
      void read(child).then(() => {
        resolve(code);
      });
    });
  });
}

/** Ends a child: asked first, killed after `grace_ms`. Resolves once it is gone. */
export async function endChild(child: ChildProcess, grace_ms = 2000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), grace_ms);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    if (child.connected) child.disconnect();
    child.kill("SIGTERM");
  });
}
