import { expect, vi } from "vitest";
import type { RequestName } from "#contract/channels";
import type { Snapshot } from "#contract/ipc";
import type { MissionPhase } from "#contract/mission";
import type { EmergencyAction } from "#contract/station";
import type { AppUnderTest } from "./electron";

/** An operator in front of the window: looks at what the station says, acts through what the page shows. */
export interface Cockpit {
  snapshot(): Promise<Snapshot>;
  /** Waits until the station's state satisfies `condition`. */
  until(condition: (now: Snapshot) => boolean, what: string, timeout_ms?: number): Promise<Snapshot>;
  say(command: string): Promise<void>;
  /** Waits for a card and presses Approve for as long as the card asks for. Resolves to the approved skill. */
  approve(): Promise<string>;
  /** Approves card after card until the mission has reached one of these phases. */
  approveUntil(...phases: readonly MissionPhase[]): Promise<Snapshot>;
  emergency(action: EmergencyAction, state: string): Promise<Snapshot>;
  /** Ends a mission that is still under way; the vehicle hovers on. */
  endMission(): Promise<void>;
}

export function cockpitOf({ app, page }: Pick<AppUnderTest, "app" | "page">): Cockpit {
  // Through the window and not through `page`, which stays dead for Playwright once its process has crashed.
  const ask = (request: RequestName): Promise<unknown> =>
    app.evaluate(
      ({ BrowserWindow }, name) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          `window.kingfisher.request(${JSON.stringify(name)}, {})`,
        ) as Promise<unknown>,
      request,
    );
  const snapshot = async (): Promise<Snapshot> => (await ask("station.snapshot")) as Snapshot;
  const until: Cockpit["until"] = async (condition, what, timeout_ms = 60_000) => {
    const seen: Snapshot[] = [];
    const met = async (): Promise<Snapshot | false> => {
      const now = await snapshot();
      seen.splice(0, 1, now);
      return condition(now) && now;
    };
    try {
      return await vi.waitUntil(met, { timeout: timeout_ms, interval: 100 });
    } catch (cause) {
      throw new Error(`Never came: ${what}. ${outline(seen[0])}`, { cause });
    }
  };
  const approve = async (): Promise<string> => {
    const { approval } = await until(({ approval: card }) => card !== null, "a card");
    if (approval === null) throw new Error("Invariant: a card that is there");
    const breached = approval.verdict.checks.filter(({ status, hard }) => status === "fail" && hard);
    if (breached.length > 0) {
      const reasons = breached.map(({ label, detail }) => `${label}: ${detail}`).join("; ");
      throw new Error(`${approval.proposal.call.skill} cannot be approved: ${reasons}`);
    }
    const button = page
      .getByRole("group", { name: "Proposal" })
      .getByRole("button", { name: /^(Hold to approve|Approve)\b(?! next)/ });
    await expect.poll(() => button.getAttribute("aria-disabled"), { timeout: 20_000 }).toBe("false");
    // The card may grow while it is being aimed at, as for a hand: the press is tried again.
    for (let press = 1; ; press++) {
      await button.hover();
      await page.mouse.down();
      try {
        await until(
          (now) => now.approval?.token !== approval.token,
          `the approval of ${approval.proposal.call.skill}`,
          press < 4 ? 5000 : 10_000,
        );
        break;
      } catch (cause) {
        if (press === 4) throw cause;
      } finally {
        await page.mouse.up();
      }
    }
    return approval.proposal.call.skill;
  };
  return {
    snapshot,
    until,
    approve,
    say: async (command) => {
      await until(
        ({ vehicle }) => vehicle.armed || vehicle.arming.every((issue) => issue.severity !== "blocks"),
        "a vehicle that may be armed",
      );
      const field = page.getByRole("textbox", { name: "Say a mission" });
      await field.fill(command);
      await field.press("Enter");
      await until(({ mission }) => mission.command === command, `the mission "${command}"`);
    },
    approveUntil: async (...phases) => {
      for (;;) {
        const now = await until(
          ({ approval, mission }) => approval !== null || phases.includes(mission.phase),
          `a card or ${phases.join(", ")}`,
          120_000,
        );
        if (now.approval === null) return now;
        await approve();
      }
    },
    endMission: async () => {
      const over: readonly MissionPhase[] = ["idle", "complete", "failed"];
      if (over.includes((await snapshot()).mission.phase)) return;
      await ask("mission.cancel");
      await until(({ mission }) => over.includes(mission.phase), "the end of the mission");
    },
    emergency: (action, state) =>
      until(
        ({ station }) => station.emergency.some((one) => one.action === action && one.state === state),
        `${action} ${state}`,
      ),
  };
}

/** What there was instead, in one line. */
function outline(now: Snapshot | undefined): string {
  if (now === undefined) return "The station never answered";
  const { mission, vehicle, station, approval } = now;
  return JSON.stringify({
    phase: mission.phase,
    why: mission.why,
    card: approval?.proposal.call.skill ?? null,
    steps: mission.steps.map((step) => [step.proposal.call.skill, step.status]),
    vehicle: [vehicle.connected, vehicle.armed, vehicle.mode, vehicle.landed],
    emergency: station.emergency.map((one) => [one.action, one.state]),
  });
}
