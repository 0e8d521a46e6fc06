import fc from "fast-check";
import { PerspectiveCamera } from "three";
import { expect, it } from "vitest";
import { onScreen, underneath } from "./screen";

function look(): PerspectiveCamera {
  const camera = new PerspectiveCamera(40, 1.6, 0.05, 100);
  camera.up.set(0, 0, 1);
  camera.position.set(1, -6, 7);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld(true);
  return camera;
}
const size = { width: 800, height: 500 };

it("finds the ground under the place where a point of the ground is drawn", () => {
  const camera = look();
  const metre = fc.double({ min: -1.5, max: 1.5, noNaN: true });
  fc.assert(
    fc.property(metre, metre, (east, north) => {
      const at = onScreen(camera, [east, north, 0], size);
      expect(at).not.toBeNull();
      if (at === null) return;
      const back = underneath(camera, (at.x / size.width) * 2 - 1, 1 - (at.y / size.height) * 2, 0);
      expect(back?.[0]).toBeCloseTo(east, 6);
      expect(back?.[1]).toBeCloseTo(north, 6);
    }),
  );
});

it("finds nothing above the horizon, and shows nothing behind the observer", () => {
  const camera = look();
  camera.lookAt(1, 20, 20);
  camera.updateMatrixWorld(true);
  expect(underneath(camera, 0, 0.5, 0)).toBeNull();
  expect(onScreen(camera, [1, -20, 0], size)).toBeNull();
});
