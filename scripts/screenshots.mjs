// npm run screenshots: flies a mission in the window and takes the pictures of the README, docs/images/*.png, and of every
// scene, docs/images/scenes/*.png. `npm run screenshots scenes` takes the scenes alone.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run, say } from "./lib/base.mjs";
import { prepare } from "./lib/prepare.mjs";
import { takeCameraPictures, takeTwinPictures } from "./lib/scene-pictures.mjs";
import { ensureDisplay, onPath } from "./lib/system.mjs";

const mission = "take off, move forward twice, turn right and land";
const pictures = join(root, "docs", "images");
const scenes_alone = process.argv[2] === "scenes";
const pause = (delay_ms) => new Promise((done) => setTimeout(done, delay_ms));

await run(async () => {
  const runtime = await prepare();
  const display = await ensureDisplay({ virtual: onPath("Xvfb") });
  const home = mkdtempSync(join(tmpdir(), "kingfisher-pictures-"));
  writeFileSync(
    join(home, "window.json"),
    JSON.stringify({ x: 0, y: 0, width: 1600, height: 1000, maximized: false }),
  );
  mkdirSync(pictures, { recursive: true });
  await takeCameraPictures();
  // Only here: before the packages are installed there is nothing to import.
  const { _electron } = await import("playwright-core");
  const app = await _electron.launch({
    executablePath: runtime.executable,
    args: [...display.flags, root],
    env: { ...process.env, ...display.env, KINGFISHER_HOME: home },
  });
  try {
    if (!scenes_alone) await takePictures(app);
    await takeTwinPictures(app, await app.firstWindow());
    return 0;
  } finally {
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBoxSync = () => 1;
    });
    await app.close();
    display.stop();
    rmSync(home, { recursive: true, force: true });
  }
});

async function takePictures(app) {
  const page = await app.firstWindow();
  const snapshot = () => page.evaluate(() => window.kingfisher.request("station.snapshot", {}));
  const until = async (condition, what) => {
    for (let tries = 0; tries < 1200; tries++) {
      const now = await snapshot();
      if (condition(now)) return now;
      await pause(100);
    }
    throw new Error(`Never came: ${what}`);
  };
  const shoot = async (name) => {
    const png = await app.evaluate(async ({ BrowserWindow }) => {
      const picture = await BrowserWindow.getAllWindows()[0].webContents.capturePage();
      return picture.toPNG().toString("base64");
    });
    writeFileSync(join(pictures, name), Buffer.from(png, "base64"));
    say(`docs/images/${name}`);
  };
  const approve = async ({ approval }) => {
    const button = page
      .getByRole("group", { name: "Proposal" })
      .getByRole("button", { name: /approve(?! next)/i });
    for (;;) {
      const { approval: shown, mission, alerts } = await snapshot();
      if (shown?.token !== approval.token)
        throw new Error(
          `The card went away: ${mission.phase} ${mission.why}; ${alerts.map((a) => a.text).join("; ")}`,
        );
      if ((await button.count()) > 0 && (await button.first().getAttribute("aria-disabled")) !== "true")
        break;
      await pause(100);
    }
    await button.first().hover();
    await page.mouse.down();
    await until((now) => now.approval?.token !== approval.token, "the approval");
    await page.mouse.up();
  };

  await until(({ vehicle, perception }) => vehicle.connected && perception !== null, "vehicle and camera");
  const field = page.getByRole("textbox", { name: "Say a mission" });
  await field.fill(mission);
  await field.press("Enter");
  for (let step = 0; ; step++) {
    const now = await until(
      ({ approval, mission: { phase } }) => approval !== null || phase === "complete" || phase === "failed",
      "a card or the end",
    );
    if (now.approval === null) break;
    if (step === 2) {
      // In the air, with one move flown and the next one asked for.
      await pause(1500);
      await shoot("fly.png");
    }
    await approve(now);
  }
  await until(({ station }) => station.recording === null, "the recording's end");
  await page.keyboard.press("Control+3");
  await page.getByRole("region", { name: "Flights on this machine" }).getByRole("button").first().click();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await timeline.waitFor({ timeout: 60_000 });
  const box = await timeline.boundingBox();
  if (box !== null) await page.mouse.click(box.x + 0.52 * box.width, box.y + 0.7 * box.height);
  await pause(4000);
  await shoot("review.png");

  // A log of a real PX4, with the attitude layout.
  await app.evaluate(
    ({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    },
    join(root, "tests", "golden", "px4-1.18-hexa.ulg"),
  );
  await page.getByRole("button", { name: "Open…" }).click();
  const layout = page.getByRole("combobox", { name: "Layout" });
  await layout
    .locator("option", { hasText: "Attitude" })
    .first()
    .waitFor({ state: "attached", timeout: 60_000 });
  await layout.selectOption({ label: "Attitude" });
  const axis = await page.getByRole("region", { name: "Timeline" }).boundingBox();
  if (axis !== null) await page.mouse.click(axis.x + 0.55 * axis.width, axis.y + 0.7 * axis.height);
  await pause(4000);
  await shoot("review-px4.png");
}
