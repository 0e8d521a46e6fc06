import { expect, test } from "vitest";
import { darkPalette } from "./palette";
import { TruthModel, type TruthThing } from "./truth-model";

const cup: TruthThing = {
  name: "red_cup",
  label: "red cup",
  min: [-0.04, -0.04, 0],
  max: [0.06, 0.04, 0.1],
  colour: [0.8, 0.1, 0.1],
};
const level = [1, 0, 0, 0] as const;

test("ground truth is drawn only between a hello with its poses and the end", () => {
  const truth = new TruthModel(darkPalette);
  truth.move({ vehicle: { p: [0, 0, 1], q: level }, objects: [{ p: [1, 2, 0.7], q: level }] });
  expect(truth.group.visible).toBe(false);
  truth.set([cup]);
  expect(truth.group.visible).toBe(false);
  expect(truth.labels).toEqual([]);
  truth.move({ vehicle: { p: [0, 0, 1], q: level }, objects: [{ p: [1, 2, 0.7], q: level }] });
  expect(truth.group.visible).toBe(true);
  expect(truth.labels).toEqual([
    expect.objectContaining({ text: "truth: red cup", at: [1, 2, expect.closeTo(0.83)] }),
  ]);
  const places = truth.group.children.map((c) => c.position.toArray());
  expect(places).toEqual([
    [0, 0, 1],
    [1, 2, 0.7],
  ]);
  truth.set(null);
  expect(truth.group.children).toEqual([]);
  expect(truth.labels).toEqual([]);
});

test("nothing of it can be picked or taken for something perceived", () => {
  const truth = new TruthModel(darkPalette);
  truth.set([cup]);
  truth.group.traverse((part) => {
    expect(part.userData).toEqual({});
    expect(part.castShadow).toBe(false);
  });
});
