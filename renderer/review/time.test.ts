import { afterEach, describe, expect, it, vi } from "vitest";
import { dateText, duration, modesOf, spokenDuration, timeText, timeTicks, zoneOf } from "./time";

const utc = Date.UTC(2026, 10, 12, 13, 31, 7, 250);

afterEach(() => vi.unstubAllEnvs());

describe("durations", () => {
  it.each([
    [174.1, 1, "2:54.1"],
    [0, 1, "0:00.0"],
    [59.96, 1, "1:00.0"],
    [3774.1, 1, "1:02:54.1"],
    [65, 0, "1:05"],
    [-3, 1, "0:00.0"],
    [Number.NaN, 1, "–"],
  ] as const)("%d s with %d digits is %s", (t_s, digits, text) => {
    expect(duration(t_s, digits)).toBe(text);
  });

  it("are spoken in the header", () => {
    expect([8.44, 42, 252, 3725].map(spokenDuration)).toEqual(["8.4 s", "42 s", "4 min 12 s", "1 h 02 min"]);
  });
});

describe("dates", () => {
  it("state the zone of the flight, not of today (flight_review#81)", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    expect(dateText(utc)).toBe("12 Nov 2026, 14:31:07 +01:00");
    expect(zoneOf(Date.UTC(2026, 6, 1))).toBe("+02:00");
    vi.stubEnv("TZ", "America/St_Johns");
    expect(zoneOf(utc)).toBe("−03:30");
  });

  it("read the same under a comma locale (ArduPilot/MissionPlanner#2567)", () => {
    vi.stubEnv("LANG", "de_DE.UTF-8");
    vi.stubEnv("TZ", "UTC");
    expect(timeText("local", 12.34, { start_utc_ms: utc, start_boot_ms: null, takeoff_s: null }, 2)).toBe(
      "13:31:19.59 +00:00",
    );
  });
});

describe("time modes", () => {
  const origin = { start_utc_ms: utc, start_boot_ms: 8090, takeoff_s: 4 };
  it("show the same moment five ways, before zero with a true minus sign", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    expect(timeText("recording", 10, origin)).toBe("0:10.0");
    expect(timeText("recording", -1.5, origin)).toBe("−0:01.5");
    expect(timeText("flight", 10, origin)).toBe("0:06.0");
    expect(timeText("flight", 3, origin)).toBe("−0:01.0");
    expect(timeText("boot", 10, origin)).toBe("0:18.1");
    expect(timeText("utc", 10, origin)).toBe("13:31:17.2 Z");
    expect(timeText("local", 10, origin)).toBe("14:31:17.2 +01:00");
  });

  it("offer no date where the recording has no clock", () => {
    const bare = { start_utc_ms: null, start_boot_ms: null, takeoff_s: null };
    expect(modesOf(bare)).toEqual(["recording"]);
    expect(timeText("utc", 10, bare)).toBe("0:10.0");
  });
});

describe("ticks", () => {
  it("are round, inside, and no more than there is room for", () => {
    expect(timeTicks(0, 60, 7)).toEqual([0, 10, 20, 30, 40, 50, 60]);
    expect(timeTicks(3.2, 4.1, 5)).toHaveLength(5);
    expect(timeTicks(0, 200_000, 4).length).toBeLessThanOrEqual(5);
    expect(timeTicks(5, 5, 4)).toEqual([]);
  });
});
