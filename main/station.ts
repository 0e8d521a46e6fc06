import { join } from "node:path";
import type { EventName } from "#contract/channels";
import type { CameraPicture, Event, Snapshot } from "#contract/ipc";
import type { MissionState } from "#contract/mission";
import { err, ok, type Result } from "#contract/result";
import { defaultSettings, Settings, settingsSchemaVersion } from "#contract/settings";
import type { EmergencyAction } from "#contract/station";
import type { ApprovalMode } from "./dispatch/approvals";
import type { StationHandlers, StationPort } from "./ipc/port";
import type { Cancel, Clock } from "./platform/clock";
import type { Logger } from "./platform/logger";
import type { Home } from "./platform/paths";
import { openSettings, type SettingsFile } from "./platform/settings-file";
import { readVersion } from "./platform/version";
import { rulesPolicy } from "./reasoning/rules/policy";
import { reviewClient } from "./review/client";
import { parseStationAddress } from "./station/address";
import { AlertDesk } from "./station/alert-desk";
import { EvaluationDesk, flightFirst } from "./station/evaluation-desk";
import { stationHandlers } from "./station/handlers";
import { fileKeyStore, type KeyStore } from "./station/link/key-store";
import { LogOffers } from "./station/log-offer";
import { nothingConnected } from "./station/nothing";
import { Session } from "./station/session";

export interface StationOptions {
  readonly clock: Clock;
  readonly home: Home;
  readonly logger: Logger;
  /** Overrides the settings' address; used by the command line. */
  readonly address?: string;
  readonly simulated?: boolean;
  readonly approvals?: ApprovalMode;
  /** Where the signing key is kept; a file of the home by default. */
  readonly keys?: KeyStore;
  /** Where recordings go; the home's folder by default. */
  readonly flights?: string;
  readonly embeddedArgs?: readonly string[];
  /** Returns at once and connects afterwards: a window must not wait for a vehicle that does not answer. */
  readonly connectLater?: boolean;
  /** After landing, asks the vehicle for its logs and offers them. */
  readonly offerLogs?: boolean;
}

/** The station as its composition root sees it: everything the shell needs, and what the command line asks beside it. */
export interface Station extends StationPort {
  readonly mission: MissionState;
  readonly vehicle: Event<"vehicle">;
  readonly recording: string | null;
  connect(address: string, simulated: boolean): Promise<Result<void, string>>;
  startMission(command: string): Promise<Result<void, string>>;
  /** Called on every change of the mission, the card and the vehicle. */
  snapshot(): Snapshot;
}

/** Builds every service from its ports. No Electron: the same station runs in the window and on the command line. */
export async function createStation(options: StationOptions): Promise<Station> {
  const station = new KingfisherStation(options);
  const { connect } = station.settings.value;
  const address = options.address ?? (connect.auto ? connect.address : null);
  if (address !== null) {
    const connected = station.connect(address, options.simulated ?? connect.simulated).then((opened) => {
      if (!opened.ok) station.complain(opened.error);
    });
    if (options.connectLater !== true) await connected;
  }
  return station;
}

class KingfisherStation implements Station {
  readonly settings: SettingsFile<Settings>;
  readonly handlers: StationHandlers;
  readonly #options: StationOptions;
  readonly #listeners = new Set<(name: EventName, value: never) => void>();
  readonly #pictures = new Set<(picture: CameraPicture) => void>();
  readonly #alerts: AlertDesk;
  readonly #evaluation: EvaluationDesk;
  readonly #review: ReturnType<typeof reviewClient>;
  readonly #offers: LogOffers;
  readonly #cancels: Cancel[];
  #current: Settings;
  #session: Session | null = null;
  #screenAlive_ms: number | null = null;

  constructor(options: StationOptions) {
    this.#options = options;
    const { clock, home, logger } = options;
    this.settings = openSettings<Settings>({
      path: home.settings,
      version: settingsSchemaVersion,
      schema: Settings,
      defaults: defaultSettings,
      migrations: {},
    });
    this.#current = this.settings.value;
    this.#offers = new LogOffers({
      clock,
      logs: () => this.#session?.link.logs ?? null,
      onChange: (offer) => {
        this.#emit("log_offer", offer);
      },
    });
    this.#review = reviewClient({
      onJobs: (jobs) => {
        this.#emit("jobs", jobs);
      },
      onText: (text) => {
        logger.info(text.trimEnd());
      },
    });
    this.#alerts = new AlertDesk({
      clock,
      onChange: (alerts) => {
        this.#emit("alerts", alerts);
      },
      onAlert: (alert) => {
        logger.info(`${alert.severity}: ${alert.text}`);
        this.#session?.recorder.write("/kingfisher/alert", alert);
      },
    });
    this.#evaluation = new EvaluationDesk({
      clock,
      folder: home.evaluations,
      blocked: () => flightFirst(this.#session),
      onState: (state) => {
        this.#emit("evaluation", state);
      },
    });
    this.handlers = stationHandlers({
      station: this,
      evaluation: this.#evaluation,
      alerts: this.#alerts,
      review: this.#review,
      offers: this.#offers,
      clock,
      session: () => this.#session,
      settings: () => this.#current,
      changeSettings: (next) => this.#change(next),
      home,
    });
    this.#cancels = [
      clock.every(500, () => {
        if (this.#session === null) return;
        this.#emit("station", this.#session.status());
        this.#emit("links", this.#session.link.hub.status());
        this.#emit("link", this.#session.desk.detail());
      }),
    ];
    if (this.settings.problem !== null) this.complain(this.settings.problem);
  }

  get mission(): MissionState {
    return this.snapshot().mission;
  }
  get vehicle(): Event<"vehicle"> {
    return this.snapshot().vehicle;
  }
  get recording(): string | null {
    return this.#session?.recorder.folder ?? null;
  }

  complain(text: string): void {
    this.#alerts.raise(`station: ${text}`, "caution", text, "See Setup");
  }

  on(listener: <N extends EventName>(name: N, value: Event<N>) => void): Cancel {
    const general = listener as (name: EventName, value: never) => void;
    this.#listeners.add(general);
    return () => {
      this.#listeners.delete(general);
    };
  }
  onPicture(listener: (picture: CameraPicture) => void): Cancel {
    this.#pictures.add(listener);
    return () => {
      this.#pictures.delete(listener);
    };
  }

  emergency(action: EmergencyAction, source: string): void {
    if (this.#session === null) this.complain(`${action.toUpperCase()}: no vehicle is connected`);
    else this.#session.emergency(action, source);
  }
  rendererAlive(): void {
    this.#screenAlive_ms = this.#options.clock.now_ms();
  }
  rendererLost(why: string): void {
    this.#options.logger.warn(`The window is lost: ${why}`);
    if (this.#screenAlive_ms !== null) this.#screenAlive_ms = -Infinity;
  }

  async connect(text: string, simulated: boolean): Promise<Result<void, string>> {
    const address = parseStationAddress(text, simulated);
    if (!address.ok) return address;
    if (this.#session !== null) {
      if (this.#session.link.vehicle.armed)
        return err("The vehicle is armed; land and disarm before connecting elsewhere.");
      await this.#session.close();
      this.#session = null;
    }
    const { clock, logger, home, approvals = "ask", embeddedArgs = [] } = this.#options;
    const session = new Session({
      clock,
      logger,
      version: readVersion(),
      address: address.value,
      policy: rulesPolicy,
      approvals,
      flights: this.#options.flights ?? home.flights,
      home,
      keys: this.#options.keys ?? fileKeyStore(join(home.root, "signing.key")),
      settings: () => this.#current,
      alerts: this.#alerts,
      embeddedArgs,
      screenAlive_ms: () => this.#screenAlive_ms,
      emit: (name, value) => {
        this.#emit(name, value);
      },
      onPicture: (picture) => {
        for (const listener of this.#pictures) listener(picture);
      },
      onLost: (why) => {
        this.#alerts.raise("lost", "warning", why, "Connect again in Setup");
      },
    });
    this.#session = session;
    const opened = await session.open();
    if (this.#replaced(session)) return err(`${text}: another connection was opened meanwhile.`);
    if (!opened.ok) {
      this.#session = null;
      await session.close();
      return opened;
    }
    this.#emit("station", session.status());
    return ok(undefined);
  }

  /** Asked after every wait: another connection may have taken its place, which has closed it. */
  #replaced(session: Session): boolean {
    return this.#session !== session;
  }

  startMission(command: string): Promise<Result<void, string>> {
    if (this.#session === null) return Promise.resolve(err("No vehicle is connected; connect one in Setup."));
    return this.#session.flight.start(command);
  }

  snapshot(): Snapshot {
    const session = this.#session;
    return {
      ...(session === null
        ? nothingConnected(this.#options.clock)
        : {
            station: session.status(),
            vehicle: session.link.vehicle,
            links: session.link.hub.status(),
            mission: session.flight.mission,
            approval: session.flight.card,
            safety: session.safety(),
            perception: session.report,
          }),
      alerts: this.#alerts.alerts,
      settings: this.#current,
    };
  }

  async close(): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    this.#offers.close();
    await this.#session?.close();
    this.#session = null;
    await Promise.all([this.#review.close(), this.#evaluation.close()]);
    this.#listeners.clear();
    this.#pictures.clear();
  }

  #change(next: Settings): Result<void, string> {
    const written = this.settings.write(next);
    if (!written.ok) return written;
    this.#session?.recorder.audit("settings", this.#current.operator, { before: this.#current, after: next });
    this.#current = next;
    this.#emit("settings", next);
    return ok(undefined);
  }

  #emit<N extends EventName>(name: N, value: Event<N>): void {
    if (name === "vehicle" && this.#options.offerLogs === true)
      this.#offers.onVehicle(value as Event<"vehicle">, this.recording);
    for (const listener of this.#listeners) listener(name, value as never);
  }
}
