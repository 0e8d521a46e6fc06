import { type Material, Mesh, type Object3D, type Texture } from "three";

interface Drawn {
  readonly geometry?: { dispose(): void };
  readonly material?: Material | readonly Material[];
}

/** Frees every geometry, material and texture below `root`, and takes it out of its parent. Shared ones are freed once. */
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
    material.dispose();
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

export const isMesh = (object: Object3D): object is Mesh => object instanceof Mesh;
