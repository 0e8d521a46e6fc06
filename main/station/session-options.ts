import type { EventName } from "#contract/channels";
import type { CameraPicture, Event } from "#contract/ipc";
import type { Settings } from "#contract/settings";
import type { ApprovalMode } from "../dispatch/approvals";
import type { Clock } from "../platform/clock";
import type { Logger } from "../platform/logger";
import type { Home } from "../platform/paths";
import type { Version } from "../platform/version";
import type { Policy } from "../reasoning/port";
import type { StationAddress } from "./address";
import type { AlertDesk } from "./alert-desk";
import type { KeyStore } from "./link/key-store";

export interface SessionOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: Version;
  readonly address: StationAddress;
  readonly policy: Policy;
  readonly approvals: ApprovalMode;
  readonly flights: string;
  readonly home: Home;
  /** Where the signing key is kept. */
  readonly keys: KeyStore;
  readonly settings: () => Settings;
  readonly alerts: AlertDesk;
  /** Extra arguments for the embedded vehicle: events, faults. */
  readonly embeddedArgs: readonly string[];
  /** Last sign of life of the window; null when there is none. */
  readonly screenAlive_ms: () => number | null;
  readonly emit: <N extends EventName>(name: N, value: Event<N>) => void;
  readonly onPicture: (picture: CameraPicture) => void;
  /** The other end is gone for good. */
  readonly onLost: (why: string) => void;
}
