import { messageById } from "../link/codec";
import { EventDictionary } from "../link/metadata/event-words";
import { readPackedJson } from "../link/metadata/xz";
import { verifyAudit } from "../logbook/audit";
import { realClock } from "../platform/clock";
import { homePaths } from "../platform/paths";
import type { ReviewDeps } from "./open";

async function eventWords(definitions: Uint8Array): Promise<EventDictionary | null> {
  const json = await readPackedJson(definitions);
  const dictionary = json.ok ? EventDictionary.parse(json.value) : json;
  return dictionary.ok ? dictionary.value : null;
}

/**
 * Part of review's composition roots (`main.ts`, `cli.ts`, `bench.ts`): it alone joins review with link's message
 * definitions and logbook's audit check. Readers see only the types in `open.ts`.
 */
export const reviewDeps: ReviewDeps = {
  dialect: messageById,
  verifyAudit,
  eventWords,
  home: homePaths(),
  clock: realClock(),
};
