import type { StationPort } from "../ipc/port";
import type { Clock } from "../platform/clock";
import type { Logger } from "../platform/logger";
import type { Home } from "../platform/paths";

/** What the shell hands to whoever builds the station. */
export interface StationNeeds {
  readonly clock: Clock;
  readonly home: Home;
  readonly logger: Logger;
  /** For the embedded vehicle, if there will be one; a station passes them on unread. */
  readonly embeddedArgs: readonly string[];
}
export type OpenStation = (needs: StationNeeds) => Promise<StationPort>;
