import { type Material, type Object3D, type Texture } from "three";

interface Drawn {
  readonly geometry?: { dispose(): void };
  readonly material?: Material | readonly Material[];
}

/**
 * Frees every geometry and texture below `root`, and takes it out of its parent. Materials are left to the garbage
 * collector on purpose: disposing the last one of a kind also drops its compiled program, and the next object of that
 * kind would compile it again, which at 10 Hz keeps a software renderer busy for good.
 */
export function disposeTree(root: Object3D): void {
  const materials = new Set<Material>();
  root.traverse((object) => {
    const drawn = object as Object3D & Drawn;
    drawn.geometry?.dispose();
    const own = drawn.material;
    if (own === undefined) return;
    for (const material of Array.isArray(own) ? (own as Material[]) : [own as Material])
      materials.add(material);
  });
  for (const material of materials) {
    for (const value of Object.values(material) as unknown[]) if (isTexture(value)) value.dispose();
  }
  root.removeFromParent();
}

/** Empties a group and frees what was in it. */
export function clearGroup(group: Object3D): void {
  for (const child of [...group.children]) disposeTree(child);
}

function isTexture(value: unknown): value is Texture {
  return typeof value === "object" && value !== null && "isTexture" in value;
}
