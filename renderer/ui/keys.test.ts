import { describe, expect, it } from "vitest";
import { emergencyKey, isEditable, type KeyPress, matches } from "./keys";

const press = (key: string, over: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  repeat: false,
  ...over,
});
const space = press(" ", { code: "Space" });
const text = { tagName: "INPUT", type: "text" };
const button = { tagName: "BUTTON", type: "button" };

describe("chords", () => {
  it("want exactly their modifiers", () => {
    expect(matches("Ctrl+K", press("k", { ctrlKey: true }))).toBe(true);
    expect(matches("Ctrl+K", press("k", { metaKey: true }))).toBe(true);
    expect(matches("Ctrl+K", press("k"))).toBe(false);
    expect(matches("Ctrl+K", press("K", { ctrlKey: true, shiftKey: true }))).toBe(false);
    expect(matches("E", press("e", { ctrlKey: true }))).toBe(false);
    expect(matches("Ctrl+Enter", press("Enter"))).toBe(false);
  });

  it("find digits on a layout that prints them only with Shift", () => {
    expect(matches("Ctrl+1", press("&", { code: "Digit1", ctrlKey: true }))).toBe(true);
  });

  it("follow the printed letter, and the place where no Latin letter is printed", () => {
    expect(matches("Ctrl+A", press("a", { code: "KeyQ", ctrlKey: true }))).toBe(true);
    expect(matches("Ctrl+K", press("л", { code: "KeyK", ctrlKey: true }))).toBe(true);
    expect(matches("Alt+M", press("µ", { code: "KeyM", altKey: true }))).toBe(true);
  });
});

describe("emergency keys", () => {
  it("F9 holds everywhere, while typing too", () => {
    expect(emergencyKey(press("F9"), text)).toEqual({ action: "hold", fire: true });
    expect(emergencyKey(press("F9"), button)).toEqual({ action: "hold", fire: true });
  });

  it("Space holds on a focused button and is text in a field", () => {
    expect(emergencyKey(space, button)).toEqual({ action: "hold", fire: true });
    expect(emergencyKey(space, text)).toBeNull();
    expect(emergencyKey(space, { tagName: "DIV", isContentEditable: true })).toBeNull();
  });

  it("a held key is one press, and its repeats are still taken away from the focus", () => {
    expect(emergencyKey({ ...space, repeat: true }, button)).toEqual({ action: "hold", fire: false });
  });

  it("Shift+L lands, L alone and L in a field do not", () => {
    expect(emergencyKey(press("L", { shiftKey: true }), button)).toEqual({ action: "land", fire: true });
    expect(emergencyKey(press("l"), button)).toBeNull();
    expect(emergencyKey(press("L", { shiftKey: true }), text)).toBeNull();
  });
});

it("sliders and tick boxes are not text", () => {
  expect(isEditable({ tagName: "INPUT", type: "range" })).toBe(false);
  expect(isEditable({ tagName: "INPUT", type: "checkbox" })).toBe(false);
  expect(isEditable({ tagName: "TEXTAREA" })).toBe(true);
  expect(isEditable(null)).toBe(false);
});
