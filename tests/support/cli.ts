import { spawn } from "node:child_process";
import { join } from "node:path";
import { appRoot } from "../../main/platform/paths";

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `kingfisher ...` from the build, under Node or under Electron's own Node (`electron` names its binary). */
export function kingfisher(
  args: readonly string[],
  options: { home: string; electron?: string; signal?: AbortSignal },
): Promise<CliRun> {
  const child = spawn(
    options.electron ?? process.execPath,
    [join(appRoot(), "out", "main", "cli.cjs"), ...args],
    {
      env: {
        ...process.env,
        KINGFISHER_HOME: options.home,
        ...(options.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: "1" }),
      },
      stdio: ["ignore", "pipe", "pipe"],
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
  );
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) => {
    child.on("error", () => {});
    child.on("close", (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}
