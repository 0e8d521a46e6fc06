import type { Locator } from "playwright-core";
import type { RequestName } from "#contract/channels";
import type { Bridge, Input, Output } from "#contract/ipc";
import type { AppUnderTest } from "./electron";

/** Setup as an operator uses it: sections by name, the system's dialogs answered, and what the station says beside it. */
export interface SetupPage {
  open(section: string): Promise<Locator>;
  ask<C extends RequestName>(channel: C, input: Input<C>): Promise<Output<C>>;
  /** The next dialogs of the system give this path. */
  dialogsGive(path: string): Promise<void>;
}

export function setupOf({ app, page }: Pick<AppUnderTest, "app" | "page">): SetupPage {
  return {
    async open(section) {
      await page.keyboard.press("Control+5");
      await page.getByRole("tab", { name: section }).click();
      const panel = page.getByRole("tabpanel", { name: section });
      await panel.waitFor();
      return panel;
    },
    ask: (channel, input) =>
      page.evaluate(
        ([name, value]) => {
          const { kingfisher } = window as unknown as { kingfisher: Bridge };
          return kingfisher.request(name as never, value as never);
        },
        [channel, input] as const,
      ),
    dialogsGive: (path) =>
      app.evaluate(({ dialog }, given) => {
        const opened = { canceled: false, filePaths: [given] };
        const saved = { canceled: false, filePath: given };
        Object.assign(dialog, {
          showOpenDialog: () => Promise.resolve(opened),
          showSaveDialog: () => Promise.resolve(saved),
        });
      }, path),
  };
}
