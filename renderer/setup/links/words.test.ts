import { describe, expect, it } from "vitest";
import type { StreamRow } from "#contract/link-detail";
import { faultText, signingWords, streamNote } from "./words";

describe("the words of a link", () => {
  it("tell four signing faults apart and say what to do (ArduPilot/ardupilot#12077, mavlink/qgroundcontrol#14160)", () => {
    const wrong = (["unsigned", "replayed", "wrong_key", "no_key"] as const).map(
      (state) => signingWords[state],
    );
    expect(new Set(wrong.map(({ text }) => text)).size).toBe(4);
    expect(new Set(wrong.map(({ advice }) => advice)).size).toBe(4);
    expect(wrong.every(({ tone, advice }) => tone === "warning" && advice !== "")).toBe(true);
    expect(signingWords.ok.advice + signingWords.off.advice).toBe("");
  });

  it("count faults, the most frequent first", () => {
    expect(faultText({})).toBe("none");
    expect(faultText({ bad_checksum: 2, garbage_bytes: 40, unknown_message: 0 })).toBe(
      "40 garbage bytes, 2 bad checksum",
    );
  });

  it("say why a stream is not what was wanted", () => {
    const stream: StreamRow = { name: "ATTITUDE", wanted_hz: 50, asked_hz: 50, answer: "accepted" };
    expect(streamNote(stream).tone).toBe("quiet");
    expect(streamNote({ ...stream, asked_hz: 10 }).text).toBe("slowed for the radio");
    expect(streamNote({ ...stream, asked_hz: 0 }).text).toBe("left out: the radio is too slow");
    expect(streamNote({ ...stream, answer: "refused" }).tone).toBe("caution");
    expect(streamNote({ ...stream, answer: "unanswered" }).text).toBe("no answer");
  });
});
