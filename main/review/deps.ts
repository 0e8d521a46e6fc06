import { messageById } from "../link/codec";
import { verifyAudit } from "../logbook/audit";
import { homePaths } from "../platform/paths";
import type { ReviewDeps } from "./open";

/**
 * Part of review's composition roots (`main.ts`, `cli.ts`, `bench.ts`): it alone joins review with link's message
 * definitions and logbook's audit check. Readers see only the types in `open.ts`.
 */
export const reviewDeps: ReviewDeps = { dialect: messageById, verifyAudit, home: homePaths() };
