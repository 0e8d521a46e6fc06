// Makes the small golden logs from the full recordings: node tests/golden/trim.mjs FOLDER_OF_LOGS
// Whole records are kept or dropped, never changed; high-rate topics are thinned.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const from = process.argv[2];
if (from === undefined) throw new Error("usage: node tests/golden/trim.mjs FOLDER_OF_LOGS");
const here = new URL(".", import.meta.url).pathname;
const load = (name) => readFileSync(join(from, name));
const save = (name, parts) => writeFileSync(join(here, name), Buffer.concat(parts));

/** Keeps every n-th record of a kind, the first included. */
function thinner(every) {
  const seen = new Map();
  return (kind) => {
    const n = seen.get(kind) ?? 0;
    seen.set(kind, n + 1);
    return n % every(kind) === 0;
  };
}

// MAVLink 2 telemetry log: stamp, then frame.
{
  const bytes = load("px4-1.17-hexa-gcs.tlog");
  const rare = new Set([0, 22, 77, 253, 148, 410, 245, 1]);
  const keep = thinner((id) => (rare.has(id) ? 1 : 16));
  const parts = [];
  for (let at = 0; at + 12 < bytes.length; ) {
    const length = 8 + 10 + bytes[at + 9] + 2 + (bytes[at + 10] & 1 ? 13 : 0);
    const id = bytes.readUIntLE(at + 15, 3);
    if (keep(id)) parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  save("px4-1.17-hexa.tlog", parts);
}

// ULog: all definitions; of the data, what the summary and the plots need.
{
  const bytes = load("px4-1.18-hexa.ulg");
  const topics = new Map();
  const rates = {
    vehicle_status: 1,
    vehicle_land_detected: 1,
    battery_status: 1,
    vehicle_imu_status: 1,
    estimator_status: 20,
    event: 1,
    vehicle_attitude: 50,
    vehicle_local_position: 20,
    actuator_motors: 40,
    sensor_gps: 5,
  };
  const keep = thinner((name) => rates[name] ?? Number.POSITIVE_INFINITY);
  const parts = [bytes.subarray(0, 16)];
  for (let at = 16; at + 3 <= bytes.length; ) {
    const length = bytes.readUInt16LE(at);
    const type = String.fromCharCode(bytes[at + 2]);
    const body = bytes.subarray(at + 3, at + 3 + length);
    if (type === "A") topics.set(body.readUInt16LE(1), body.subarray(3).toString());
    const name = type === "D" ? topics.get(body.readUInt16LE(0)) : "";
    const perf = type === "M" && body.toString("latin1").includes("perf_");
    if (perf ? false : type === "D" ? name in rates && keep(name) : true)
      parts.push(bytes.subarray(at, at + 3 + length));
    at += 3 + length;
  }
  save("px4-1.18-hexa.ulg", parts);
}

// DataFlash: all formats, parameters and texts; the rest thinned.
{
  const bytes = load("ardupilot-4.7-hexa.bin");
  const lengths = new Map([[128, 89]]);
  const names = new Map([[128, "FMT"]]);
  const whole = new Set(["FMT", "FMTU", "UNIT", "MULT", "PARM", "MSG", "MODE", "ARM", "EV", "ERR", "VER", "ORGN"]);
  const keep = thinner((name) => (whole.has(name) ? 1 : ["ESC", "ESCX", "SIM2", "FILE"].includes(name) ? 2000 : 24));
  const parts = [];
  for (let at = 0; at + 3 <= bytes.length; ) {
    const type = bytes[at + 2];
    if (type === 128) {
      lengths.set(bytes[at + 3], bytes[at + 4]);
      names.set(bytes[at + 3], bytes.subarray(at + 5, at + 9).toString("latin1").replace(/\0.*/, ""));
    }
    const length = lengths.get(type);
    if (keep(names.get(type))) parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  save("ardupilot-4.7-hexa.bin", parts);
}

// RealSense: the beginning of the bag, as a recorder that died would have left it (no index).
save("realsense-cut.bag", [load("realsense-640-lz4.bag").subarray(0, 290_000)]);
