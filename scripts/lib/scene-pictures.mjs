// A picture of each scene twice, docs/images/scenes/*.png: the twin as an operator has it, and what a third person's camera sees.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root, say } from "./base.mjs";

/** Each with the seed that shows most of what its paper asks for, in its first look. */
const scenes = [
  { name: "office", seed: 1 },
  { name: "laboratory", seed: 1 },
  { name: "warehouse", seed: 3 },
  { name: "household", seed: 1 },
  { name: "industrial", seed: 2 },
  { name: "outdoor", seed: 5 },
];
/** Shown with the ground truth laid over it as well. */
const spectated = "household";
const folder = join(root, "docs", "images", "scenes");
const pause = (delay_ms) => new Promise((done) => setTimeout(done, delay_ms));
const run = promisify(execFile);

/** Few colours keep a picture of flat faces below 300 kB. */
async function store(png, name) {
  const { default: sharp } = await import("sharp");
  await sharp(png).png({ palette: true, colours: 160, effort: 9 }).toFile(join(folder, name));
  say(`docs/images/scenes/${name}`);
}

/** The camera's view needs no window: the software renderer draws it. */
export async function takeCameraPictures() {
  mkdirSync(folder, { recursive: true });
  const home = mkdtempSync(join(tmpdir(), "kingfisher-scenes-"));
  try {
    for (const { name, seed } of scenes) {
      const file = join(home, `${name}.png`);
      const cli = join(root, "out", "main", "cli.cjs");
      await run(process.execPath, [cli, "sim", "--scene", name, "--seed", String(seed), "--picture", file]);
      await store(file, `${name}-camera.png`);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export async function takeTwinPictures(app, page) {
  // Without graphics hardware, or beside other work, the window answers late.
  page.setDefaultTimeout(180_000);
  mkdirSync(folder, { recursive: true });
  const twin = page.getByRole("application", { name: /^3D view/ });
  for (const { name, seed } of scenes) {
    const address = `sim://${name}?seed=${seed}`;
    const outcome = await page.evaluate(
      (to) => window.kingfisher.request("station.connect", { address: to, simulated: false }),
      address,
    );
    if (!outcome.ok) throw new Error(`${address}: ${outcome.reason}`);
    await page.waitForFunction(
      async (scene) => {
        const { station, vehicle, perception } = await window.kingfisher.request("station.snapshot", {});
        return station.site?.name === scene && vehicle.connected && perception !== null;
      },
      name,
      { timeout: 120_000, polling: 500 },
    );
    // From straight above, then lowered until the walls in front open and the room is seen from its corner.
    const top = page.getByRole("button", { name: "Top", exact: true });
    await top.click();
    await page.waitForFunction((b) => b?.getAttribute("aria-pressed") === "true", await top.elementHandle());
    await pause(4000);
    await twin.focus();
    for (const [key, times] of [
      ["ArrowDown", name === "outdoor" ? 5 : 6],
      ["ArrowLeft", 3],
      ["+", name === "outdoor" ? 4 : 1],
    ])
      for (let i = 0; i < times; i++) await page.keyboard.press(key, { delay: 40 });
    await pause(4000);
    await shoot(app, twin, `${name}-twin.png`);
    if (name !== spectated) continue;
    // The spectator's layer over the same picture: what is really there, marked as such.
    const truth = page.getByRole("button", { name: "Ground truth, for a spectator" });
    await truth.click();
    await page.getByText("GROUND TRUTH shown, dashed").waitFor({ timeout: 60_000 });
    await pause(9000);
    await shoot(app, twin, `${name}-truth.png`);
    await truth.click();
  }
}

async function shoot(app, twin, name) {
  const box = await twin.boundingBox();
  if (box === null) throw new Error("The twin is not on the screen.");
  const area = Object.fromEntries(["x", "y", "width", "height"].map((side) => [side, Math.round(box[side])]));
  const png = await app.evaluate(async ({ BrowserWindow }, part) => {
    const picture = await BrowserWindow.getAllWindows()[0].webContents.capturePage(part);
    return picture.toPNG().toString("base64");
  }, area);
  await store(Buffer.from(png, "base64"), name);
}
