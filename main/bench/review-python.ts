import { spawnSync } from "node:child_process";

/** Megabytes of an ULog and messages of a telemetry log a second of processor time, by the readers everyone scripts with. */
export interface PythonRates {
  readonly ulog_mb_per_s: number | null;
  readonly tlog_messages_per_s: number | null;
}

const ULOG = `
import os, sys, time
from pyulog import ULog
start = time.process_time()
ULog(sys.argv[1])
print(os.path.getsize(sys.argv[1]) / 1e6 / (time.process_time() - start))
`;
const TLOG = `
import sys, time
from pymavlink import mavutil
start = time.process_time()
log = mavutil.mavlink_connection(sys.argv[1])
count = 0
while log.recv_msg() is not None: count += 1
print(count / (time.process_time() - start))
`;

/** Null for what is not installed here. */
export function pythonRates(ulog: string, tlog: string): PythonRates {
  return { ulog_mb_per_s: rate(ULOG, ulog), tlog_messages_per_s: rate(TLOG, tlog) };
}

function rate(program: string, path: string): number | null {
  const run = spawnSync("python3", ["-c", program, path], { encoding: "utf8", timeout: 300_000 });
  const value = run.status === 0 ? Number(run.stdout.trim().split("\n").at(-1)) : Number.NaN;
  return Number.isFinite(value) && value > 0 ? value : null;
}
