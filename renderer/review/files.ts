import { momentLink, parseMomentLink } from "#contract/review-link";
import {
  type OpenedWorkspace,
  type PlotLayout,
  type ReviewWorkspace,
  workspaceSchemaVersion,
} from "#contract/review-workspace";
import type { ReviewDesk } from "./desk";
import type { DeskState } from "./desk-state";
import { modesOf } from "./time";

const workspace_suffix = ".kingfisher-review.json";
const layout_suffix = ".kingfisher-layout.json";

/** Whatever the operator gives: a recording, a flight's folder, a link to a moment, or a workspace file. */
export async function openAny(desk: ReviewDesk, asked: string): Promise<void> {
  const moment = parseMomentLink(asked);
  const path = moment?.path ?? asked;
  if (!path.endsWith(workspace_suffix)) {
    await desk.open(asked);
    return;
  }
  await openWorkspace(desk, path);
  if (moment !== null && moment.at_s !== null) desk.send({ kind: "seek", to_s: moment.at_s });
}

/** Lays a log over the open review. */
export async function join(desk: ReviewDesk, path: string): Promise<boolean> {
  const { summary } = desk;
  if (summary === null) return false;
  desk.state.setState({ joining: true });
  const joined = await desk.ask("review.join", { id: summary.id, path });
  desk.state.setState({ joining: false });
  if (!joined.ok) {
    desk.say(joined.reason, true);
    return false;
  }
  await desk.replace(joined.value);
  return true;
}

export async function leave(desk: ReviewDesk, source: string): Promise<void> {
  const { summary } = desk;
  if (summary === null) return;
  const left = await desk.ask("review.leave", { id: summary.id, source });
  if (left.ok) await desk.replace(left.value);
  else desk.say(left.reason, true);
}

/** Null looks for the offset again. */
export async function setOffset(desk: ReviewDesk, source: string, offset_s: number | null): Promise<void> {
  const { summary } = desk;
  if (summary === null) return;
  const moved = await desk.ask("review.offset", { id: summary.id, source, offset_s });
  if (moved.ok) await desk.replace(moved.value);
  else desk.say(moved.reason, true);
}

/** Everything about this review as it is kept in a file; null while none is open. */
export function workspaceOf(state: DeskState): ReviewWorkspace | null {
  const { phase, playback, range } = state;
  if (phase.kind !== "open") return null;
  const { summary } = phase;
  return {
    schema: workspaceSchemaVersion,
    title: summary.title,
    logs: summary.sources.map((s) => ({ path: s.path, offset_s: s.offset.offset_s })),
    layout: { ...ownLayout(state), id: state.layout ?? "own" },
    bookmarks: state.bookmarks,
    notes: state.notes,
    loop: playback.loop,
    range,
    cursor_s: playback.cursor_s,
    speed: playback.speed,
    time_mode: state.time_mode,
  };
}

const ownLayout = ({ layouts, layout, plots }: DeskState): PlotLayout => ({
  id: "own",
  title: layouts.find((l) => l.id === layout)?.title ?? "own plots",
  plots,
});

/** Into the file it came from, else into one named after the recording; `elsewhere` asks for the place first. */
export async function saveWorkspace(desk: ReviewDesk, elsewhere: boolean): Promise<void> {
  const state = desk.state.getState();
  const workspace = workspaceOf(state);
  if (workspace === null) return;
  const own = state.file !== null && !state.file.read_only ? state.file.path : null;
  const path = elsewhere ? await place(desk, "Save Workspace", workspace_suffix, workspace.title) : own;
  if (elsewhere && path === null) return;
  const saved = await desk.ask("review.workspace_save", { path, workspace, overwrite: path !== null });
  if (!saved.ok) {
    desk.say(saved.reason, true);
    return;
  }
  desk.state.setState({ file: { path: saved.value.path, read_only: false } });
  desk.say(`Saved to ${saved.value.path}`);
}

async function openWorkspace(desk: ReviewDesk, path: string): Promise<void> {
  const opened = await desk.ask("review.workspace_open", { path });
  if (!opened.ok) {
    desk.fail(path, opened.reason);
    return;
  }
  const { workspace } = opened.value;
  const [first, ...others] = workspace.logs;
  if (first === undefined || !(await desk.open(first.path))) return;
  const troubles: string[] = [];
  for (const log of others) {
    const known = new Set(desk.summary?.sources.map((s) => s.key));
    if (!(await join(desk, log.path))) {
      troubles.push(desk.state.getState().said?.text ?? log.path);
      continue;
    }
    const source = desk.summary?.sources.find((s) => !known.has(s.key));
    if (source !== undefined && source.offset.offset_s !== log.offset_s)
      await setOffset(desk, source.key, log.offset_s);
  }
  restore(desk, opened.value);
  const words = [...openedWords(opened.value), ...troubles];
  if (words.length > 0) desk.say(words.join(" "), troubles.length > 0);
}

function restore(desk: ReviewDesk, { path, workspace, read_only }: OpenedWorkspace): void {
  const { summary } = desk;
  if (summary === null) return;
  const { layouts } = desk.state.getState();
  desk.state.setState({
    plots: workspace.layout.plots,
    layout: layouts.some((l) => l.id === workspace.layout.id) ? workspace.layout.id : null,
    bookmarks: workspace.bookmarks,
    notes: workspace.notes,
    time_mode: modesOf(summary).includes(workspace.time_mode) ? workspace.time_mode : "recording",
    file: { path, read_only },
  });
  desk.send({ kind: "speed", speed: workspace.speed });
  desk.send({ kind: "loop", loop: workspace.loop });
  desk.send({ kind: "seek", to_s: workspace.cursor_s });
  if (workspace.range !== null) desk.setRange(workspace.range);
}

function openedWords({ read_only, migrated_from, backup }: OpenedWorkspace): string[] {
  if (read_only) return ["A newer Kingfisher wrote this workspace: it is opened read-only."];
  if (migrated_from === null) return [];
  return [
    `Brought up from version ${migrated_from}${backup === null ? "" : `; the old file is kept as ${backup}`}.`,
  ];
}

/** The plots as they stand, under a name of their own; offered for every recording that can fill them. */
export async function saveLayout(desk: ReviewDesk, title: string, to_file: boolean): Promise<void> {
  const { plots } = desk.state.getState();
  const layout: PlotLayout = { id: `own-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`, title, plots };
  const path = to_file ? await place(desk, "Save Layout", layout_suffix, title) : null;
  if (to_file && path === null) return;
  const saved = await desk.ask("review.layout_save", { path, layout, overwrite: path !== null });
  if (!saved.ok) {
    desk.say(saved.reason, true);
    return;
  }
  desk.say(`Layout saved to ${saved.value.path}`);
  const { summary } = desk;
  const offered = summary === null ? null : await desk.ask("review.layouts", { id: summary.id });
  if (offered?.ok) desk.state.setState({ layouts: offered.value, layout: layout.id });
}

export async function openLayout(desk: ReviewDesk): Promise<void> {
  const { path } = await desk.stores.bridge.request("dialog.pick", {
    kind: "open",
    title: "Open Layout",
    extension: "json",
    suggested: "",
  });
  if (path === null) return;
  const opened = await desk.ask("review.layout_open", { path });
  if (opened.ok) desk.setPlots(opened.value.layout.plots);
  else desk.say(opened.reason, true);
}

/** A link to this moment of this review: of its workspace where it has one. */
export function linkHere(state: DeskState): string | null {
  const { phase, file, playback } = state;
  if (phase.kind !== "open") return null;
  return momentLink({ path: file?.path ?? phase.summary.path, at_s: playback.cursor_s });
}

async function place(desk: ReviewDesk, title: string, suffix: string, name: string): Promise<string | null> {
  const { path } = await desk.stores.bridge.request("dialog.pick", {
    kind: "save",
    title,
    extension: "json",
    suggested: `${name
      .replace(/[^\p{L}\p{N} ._-]+/gu, " ")
      .trim()
      .slice(0, 80)}${suffix}`,
  });
  if (path === null || path.endsWith(suffix)) return path;
  return path.replace(/\.json$/, "") + suffix;
}
