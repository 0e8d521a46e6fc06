import { expect, it } from "vitest";
import { keyAction } from "./keys";

it("leaves Space to HOLD and plays with K", () => {
  expect(keyAction(" ", false)).toBeNull();
  expect(keyAction("Spacebar", false)).toBeNull();
  expect(keyAction("k", false)).not.toBeNull();
});

it("leaves LAND's key alone, and unknown keys", () => {
  expect(keyAction("L", true)).toBeNull();
  expect(keyAction("F9", false)).toBeNull();
});
