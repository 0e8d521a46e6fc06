import { describe, expect, it } from "vitest";
import type { Transfer } from "#contract/link-detail";
import {
  byteText,
  childOf,
  isReviewable,
  left_ms,
  parentOf,
  shareOf,
  transferOf,
  transferText,
} from "./progress";

const transfer: Transfer = {
  id: "t1",
  kind: "log",
  name: "log 3",
  received: 1_200_000,
  size: 4_000_000,
  unit: "bytes",
  per_s: 86_000,
  state: "running",
  detail: "",
  path: null,
};

describe("a download", () => {
  it("says how far it is and when it will be here", () => {
    expect(transferText(transfer)).toEqual({
      tone: "waiting",
      text: "1.2 MB of 4.0 MB, 86.0 kB/s, 00:32 left",
    });
    expect(shareOf(transfer)).toBeCloseTo(0.3);
  });

  it("claims no share and no time that it cannot know", () => {
    expect(shareOf({ ...transfer, size: null })).toBeNull();
    expect(left_ms({ ...transfer, per_s: 0 })).toBeNull();
    expect(transferText({ ...transfer, size: null, per_s: 0 }).text).toBe("1.2 MB");
    expect(shareOf({ ...transfer, received: 5_000_000 })).toBe(1);
  });

  it("ends as it ended", () => {
    expect(transferText({ ...transfer, state: "done", received: 312 })).toEqual({
      tone: "good",
      text: "complete, 312 B",
    });
    expect(transferText({ ...transfer, state: "cancelled" }).text).toContain("can be resumed");
    expect(transferText({ ...transfer, state: "failed", detail: "the vehicle stopped sending" })).toEqual({
      tone: "warning",
      text: "the vehicle stopped sending",
    });
  });

  it("belongs to its log, the newest if it was tried again", () => {
    const again = { ...transfer, id: "t2" };
    expect(transferOf([transfer, again], "log", "log 3")?.id).toBe("t2");
    expect(transferOf([transfer], "file", "log 3")).toBeUndefined();
  });
});

it("paths of the vehicle go up to the root and no further", () => {
  expect(parentOf("/fs/microsd/log")).toBe("/fs/microsd");
  expect(parentOf("/fs")).toBe("/");
  expect(parentOf("/")).toBe("/");
  expect(childOf("/", "fs")).toBe("/fs");
  expect(childOf("/fs", "microsd")).toBe("/fs/microsd");
  expect(byteText(999)).toBe("999 B");
  expect(isReviewable("/a/log.ULG") && !isReviewable("/a/parameters.json")).toBe(true);
});
