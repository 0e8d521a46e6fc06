import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { realClock } from "../platform/clock";
import { appRoot } from "../platform/paths";
import { runEstopBench } from "./estop";
import { runLinkBench } from "./link";
import { runMonitorBench } from "./monitor";
import { runReviewBench } from "./review";
import { runSimulationBench } from "./sim";

/** A real PX4's ground link, trimmed. */
const tlog = (): Promise<Uint8Array> => readFile(join(appRoot(), "tests", "golden", "px4-1.17-hexa.tlog"));

export const benches: Readonly<Record<string, (say: (text: string) => void) => Promise<unknown>>> = {
  estop: runEstopBench,
  link: async () => runLinkBench(await tlog(), realClock()),
  monitor: runMonitorBench,
  review: (say) => runReviewBench(realClock(), say),
  sim: runSimulationBench,
};
