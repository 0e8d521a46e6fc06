import { CylinderGeometry, type Material, Mesh, Shape, Vector3 } from "three";

/** A round tube between two points. */
export function tube(from: Vector3, to: Vector3, radius_m: number, material: Material): Mesh {
  const along = to.clone().sub(from);
  const mesh = new Mesh(new CylinderGeometry(radius_m, radius_m, along.length(), 14), material);
  mesh.position.copy(from).addScaledVector(along, 0.5);
  mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along.normalize());
  return mesh;
}

/** A hexagon with a corner straight left and right of the nose. */
export function hexagon(radius_m: number): Shape {
  const s = new Shape();
  for (let i = 0; i < 6; i += 1) {
    const a = Math.PI / 6 + (i * Math.PI) / 3;
    const [x, y] = [radius_m * Math.cos(a), radius_m * Math.sin(a)];
    if (i === 0) s.moveTo(x, y);
    else s.lineTo(x, y);
  }
  s.closePath();
  return s;
}

export function roundedRect(length_m: number, width_m: number, radius_m: number): Shape {
  const [x, y, r] = [length_m / 2, width_m / 2, radius_m];
  const s = new Shape();
  s.moveTo(-x + r, -y);
  s.lineTo(x - r, -y);
  s.quadraticCurveTo(x, -y, x, -y + r);
  s.lineTo(x, y - r);
  s.quadraticCurveTo(x, y, x - r, y);
  s.lineTo(-x + r, y);
  s.quadraticCurveTo(-x, y, -x, y - r);
  s.lineTo(-x, -y + r);
  s.quadraticCurveTo(-x, -y, -x + r, -y);
  return s;
}
