import type { DamageReport } from "../damage";
import type { MessageIndex } from "../message-index";
import type { TimeScout } from "../time-frame";
import type { Channel, ChunkHead, Schema } from "./records";

/** Everything the whole file says, good parts only. */
export interface McapContent {
  readonly profile: string;
  readonly schemas: ReadonlyMap<number, Schema>;
  readonly channels: ReadonlyMap<number, Channel>;
  /** By channel id. Chunk 0 is the file itself; offsets are of message records. */
  readonly indexes: ReadonlyMap<number, MessageIndex>;
  readonly chunks: readonly ChunkHead[];
  readonly metadata: ReadonlyMap<string, Record<string, string>>;
  readonly scout: TimeScout;
  readonly damage: DamageReport;
  readonly truncated: string | null;
  readonly remarks: readonly string[];
  readonly messages: number;
}
