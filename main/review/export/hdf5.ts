import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { File as H5File } from "h5wasm/node";
import type { Job } from "../jobs";
import { couldDemonstrate, demonstrationOf, ONLY_OURS, rowsOf } from "./demonstration";
import { CannotExport, type Exporter, type ExportSource } from "./exported";
import { flightName } from "./names";

const nameOf = ({ path }: ExportSource): string => `${flightName(path)}.hdf5`;
/** Pictures are small in these data sets; the originals stay in the recording. */
const SPARE = 1 << 20;
const PICTURE = { width: 128, height: 96 };

/**
 * A flight as one Robomimic demonstration (https://robomimic.github.io/docs/datasets/overview.html): `data/demo_0` with
 * `obs`, `next_obs`, `actions`, `rewards` and `dones`, one row a vehicle state. Observations are position, velocity and
 * attitude (ENU, FLU, [w, x, y, z]) and each colour camera's picture; an action is the setpoint commanded then.
 */
export const hdf5Exporter: Exporter = {
  plan: (source) => {
    if (!couldDemonstrate(source.reader)) throw new CannotExport(ONLY_OURS);
    return [nameOf(source)];
  },
  write: async (source, staging, job) => {
    const demo = demonstrationOf(source.reader);
    const { t_s } = demo;
    const pictures = await picturesOf(source, t_s, job);
    const target = staging.at(nameOf(source));
    // The library goes on after a failed write, so that a full disk has to be seen before and a torn file after.
    const needed = t_s.length * 8 * 40 + pictures.reduce((sum, { rgb }) => sum + 2 * rgb.length, 0) + SPARE;
    const { bavail, bsize } = statfsSync(dirname(target));
    if (bavail * bsize < needed) throw new Error("No space left on the device");
    const h5wasm = await import("h5wasm/node");
    await h5wasm.ready;
    const file = new h5wasm.File(target, "w");
    try {
      const data = file.create_group("data");
      data.create_attribute("total", t_s.length);
      data.create_attribute(
        "env_args",
        JSON.stringify({ env_name: "Kingfisher", type: 1, env_kwargs: source.reader.meta }),
      );
      const group = data.create_group("demo_0");
      group.create_attribute("num_samples", t_s.length);
      const write = (into: typeof group, name: string, values: Float64Array, width: number): void => {
        into.create_dataset({ name, data: values, shape: [t_s.length, width] });
      };
      write(group, "actions", rowsOf(demo.action, t_s), demo.action.length);
      for (const [name, shift] of [
        ["obs", 0],
        ["next_obs", 1],
      ] as const) {
        const obs = group.create_group(name);
        write(obs, "position_enu_m", rowsOf(demo.position, t_s, shift), 3);
        write(obs, "velocity_enu_m_s", rowsOf(demo.velocity, t_s, shift), 3);
        write(obs, "quat_flu_enu", rowsOf(demo.attitude, t_s, shift), 4);
        for (const picture of pictures)
          obs.create_dataset({
            name: picture.name,
            data: shift === 0 ? picture.rgb : shifted(picture.rgb),
            shape: [t_s.length, PICTURE.height, PICTURE.width, 3],
            dtype: "<B",
          });
      }
      const last = new Float64Array(t_s.length);
      last[t_s.length - 1] = 1;
      const success = source.summary().steps.every(({ record }) => record.status === "success");
      const none = new Float64Array(t_s.length);
      group.create_dataset({ name: "rewards", data: success ? last : none, shape: [t_s.length] });
      group.create_dataset({ name: "dones", data: last, shape: [t_s.length] });
    } finally {
      file.close();
    }
    checkWritten(new h5wasm.File(target, "r"), t_s.length);
    const notes =
      pictures.length > 0 ? [`pictures are scaled to ${PICTURE.width} × ${PICTURE.height} pixels`] : [];
    return { rows: t_s.length, notes };
  },
};

/** The last thing written must be there. */
function checkWritten(file: H5File, rows: number): void {
  try {
    const dones = file.get("data/demo_0/dones") as { readonly value?: ArrayLike<number> } | null;
    if (dones?.value?.length !== rows || dones.value[rows - 1] !== 1)
      throw new Error("the file could not be written whole");
  } finally {
    file.close();
  }
}

interface Pictures {
  readonly name: string;
  /** Row after row of PICTURE's size. */
  readonly rgb: Uint8Array;
}

/** One picture a row, the newest at its time. Depth is a coloured preview in our recordings and no measurement: left out. */
async function picturesOf({ reader }: ExportSource, t_s: Float64Array, job: Job): Promise<Pictures[]> {
  const out: Pictures[] = [];
  const { default: sharp } = await import("sharp");
  const bytes = PICTURE.width * PICTURE.height * 3;
  for (const { topic } of reader.image_topics.filter((image) => !image.topic.includes("depth"))) {
    const rgb = new Uint8Array(t_s.length * bytes);
    let seen: number | null = null;
    for (const [i, at_s] of t_s.entries()) {
      const image = reader.image(topic, at_s);
      if (!image) continue;
      if (image.index === seen) rgb.copyWithin(i * bytes, (i - 1) * bytes, i * bytes);
      else {
        const pixels = await sharp(image.bytes)
          .resize(PICTURE.width, PICTURE.height, { fit: "fill" })
          .removeAlpha()
          .toColourspace("srgb")
          .raw()
          .toBuffer();
        rgb.set(pixels.subarray(0, bytes), i * bytes);
        seen = image.index;
      }
      if (i % 20 === 0) await job.step(i, t_s.length);
    }
    out.push({ name: `${topic.replace(/^\/camera\//, "").replaceAll("/", "_")}_image`, rgb });
  }
  return out;
}

/** The next row's picture, the last repeated. */
function shifted(rgb: Uint8Array): Uint8Array {
  const row = PICTURE.width * PICTURE.height * 3;
  const out = new Uint8Array(rgb.length);
  out.set(rgb.subarray(row));
  out.set(rgb.subarray(rgb.length - row), rgb.length - row);
  return out;
}
