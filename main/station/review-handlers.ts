import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Input, Output } from "#contract/ipc";
import type { FlightEntry } from "#contract/review";
import type { StationHandlers } from "../ipc/port";
import type { Clock } from "../platform/clock";
import type { Home } from "../platform/paths";
import type { ReviewClient } from "../review/client";
import { type ReviewRequest, reviewRequests } from "../review/service-names";
import { asName } from "../review/workspace/files";
import { layoutPath, openLayout, saveLayout } from "../review/workspace/layout-files";
import { RecentFiles } from "../review/workspace/recent";
import { openWorkspace, saveWorkspace } from "../review/workspace/workspace";
import type { LogOffers } from "./log-offer";

type ReviewHandlers = Pick<
  StationHandlers,
  Extract<
    keyof StationHandlers,
    `review.${string}` | `archive.${string}` | `jobs.${string}` | `log_offer.${string}`
  >
>;

export interface ReviewPorts {
  readonly review: ReviewClient;
  readonly offers: LogOffers;
  readonly home: Home;
  readonly clock: Clock;
}

const refuse = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });

/** Requests of Review, the archive and the vehicle's logs: files and lists here, everything else in the review process. */
export function reviewHandlers({ review, offers, home, clock }: ReviewPorts): ReviewHandlers {
  const recent = new RecentFiles(join(home.root, "review", "recent.json"));
  const now = <T>(value: T): Promise<T> => Promise.resolve(value);
  const asked = Object.fromEntries(
    reviewRequests.map((name) => [
      name,
      (input: Input<typeof name>): Promise<Output<typeof name>> => review.request(name, input),
    ]),
  ) as unknown as { [C in ReviewRequest]: (input: Input<C>) => Promise<Output<C>> };
  return {
    ...asked,
    "review.flights": () => listFlights(home.flights),
    "review.recent": () => now(recent.list()),
    "review.recent_clear": () => {
      recent.clear();
      return now({});
    },
    "review.open": async (input) => {
      const opened = await review.request("review.open", input);
      if (opened.ok) recent.add(opened.value.path, opened.value.title, clock.utc_ms());
      return opened;
    },
    "review.layout_save": ({ path, layout, overwrite }) => {
      const to = path ?? layoutPath(join(home.root, "layouts"), layout);
      const saved = saveLayout(to, layout, overwrite);
      return now(saved.ok ? { ok: true as const, value: { path: to } } : refuse(saved.error));
    },
    "review.layout_open": ({ path }) => {
      const opened = openLayout(path);
      return now(opened.ok ? { ok: true as const, value: opened.value } : refuse(opened.error));
    },
    "review.workspace_save": ({ path, workspace, overwrite }) => {
      const to = path ?? join(home.root, "workspaces", `${asName(workspace.title)}.kingfisher-review.json`);
      const saved = saveWorkspace(to, workspace, overwrite);
      if (saved.ok) recent.add(to, workspace.title, clock.utc_ms());
      return now(saved.ok ? { ok: true as const, value: { path: to } } : refuse(saved.error));
    },
    "review.workspace_open": ({ path }) => {
      const opened = openWorkspace(path);
      if (opened.ok) recent.add(path, opened.value.workspace.title, clock.utc_ms());
      return now(opened.ok ? { ok: true as const, value: opened.value } : refuse(opened.error));
    },
    "log_offer.current": () => now(offers.offer),
    "log_offer.fetch": ({ offer, log }) => offers.fetch(offer, log),
    "log_offer.dismiss": ({ offer }) =>
      now(offers.dismiss(offer) ? { ok: true as const } : refuse("This offer is gone already.")),
  };
}

/** Recorded flights, newest first. A folder that does not exist yet is an empty list. */
async function listFlights(folder: string): Promise<FlightEntry[]> {
  const names = await readdir(folder).catch(() => []);
  const entries = await Promise.all(
    names.map(async (name): Promise<FlightEntry | null> => {
      const path = join(folder, name);
      const file = await stat(join(path, "flight.mcap")).catch(() => null);
      return file === null ? null : { path, name, size_bytes: file.size, modified_utc_ms: file.mtimeMs };
    }),
  );
  return entries.filter((e) => e !== null).sort((a, b) => b.modified_utc_ms - a.modified_utc_ms);
}
