import { describe, expect, test } from "vitest";
import { emergencyKey, type KeyInput } from "./keys";

const key = (code: string, more: Partial<KeyInput> = {}): KeyInput => ({
  type: "keyDown",
  code,
  isAutoRepeat: false,
  shift: false,
  control: false,
  alt: false,
  meta: false,
  ...more,
});
const idle = { typing: false, hung: false };
const typing = { typing: true, hung: false };

describe("F9", () => {
  test.each([idle, typing, { typing: true, hung: true }])("holds in any situation: %o", (situation) => {
    expect(emergencyKey(key("F9"), situation)).toEqual({ action: "hold", swallow: true });
  });
  test("holds with any modifier held down", () => {
    expect(emergencyKey(key("F9", { shift: true, control: true }), idle).action).toBe("hold");
  });
  test("held down it holds once; repeats and the release go nowhere", () => {
    expect(emergencyKey(key("F9", { isAutoRepeat: true }), idle)).toEqual({ action: null, swallow: true });
    expect(emergencyKey(key("F9", { type: "keyUp" }), idle)).toEqual({ action: null, swallow: true });
  });
});

describe("Shift+L", () => {
  const shiftL = key("KeyL", { shift: true });
  test("lands, but writes a letter while the operator is writing", () => {
    expect(emergencyKey(shiftL, idle)).toEqual({ action: "land", swallow: true });
    expect(emergencyKey(shiftL, typing)).toEqual({ action: null, swallow: false });
  });
  test("lands in a hung window, which cannot be typing", () => {
    expect(emergencyKey(shiftL, { typing: true, hung: true }).action).toBe("land");
  });
  test.each(["control", "alt", "meta"] as const)("with %s it is another shortcut", (modifier) => {
    expect(emergencyKey(key("KeyL", { shift: true, [modifier]: true }), idle).action).toBeNull();
  });
  test("a plain l is nobody's", () => {
    expect(emergencyKey(key("KeyL"), idle)).toEqual({ action: null, swallow: false });
  });
});
