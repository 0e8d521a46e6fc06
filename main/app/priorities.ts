import { readdirSync } from "node:fs";
import { setPriority } from "node:os";
import { app } from "electron";

/** A third of the weight of what flies: enough that the page, which waits for it, still shows signs of life. */
const drawing_niceness = 5;

/**
 * Puts the process that draws behind link, perception and monitor: without a graphics card it rasterises on every
 * core there is and would starve the flight. With one it hardly computes at all, and nothing changes.
 * On Linux a priority belongs to a thread, so each is set; a thread or process that has just ended is no loss.
 */
export function yieldDrawing(): void {
  for (const { type, pid } of app.getAppMetrics()) {
    if (type !== "GPU") continue;
    for (const thread of threadsOf(pid)) {
      try {
        setPriority(thread, drawing_niceness);
      } catch {
        // gone meanwhile
      }
    }
  }
}

function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
