import type { Event } from "#contract/ipc";
import { err, ok, type Result } from "#contract/result";
import type { EmergencyAction, StationStatus } from "#contract/station";
import { Dispatch } from "../dispatch/dispatch";
import type { Cancel } from "../platform/clock";
import { LockstepClock } from "../platform/lockstep-clock";
import { limitsFor } from "../safety/airframe";
import { isFlying } from "../safety/checks/vehicle-healthy";
import type { JudgeContext } from "../safety/context";
import { operatorEmergency } from "../safety/emergency";
import { skillRunner } from "../skills/skills";
import { pointToLocal, yawToLocalNed } from "../vehicle/site-transform";
import { airframeOf } from "./airframe";
import { joinBarrier } from "./barrier";
import { recordDispatch } from "./dispatch-events";
import { type Embedded, startEmbedded } from "./embedded";
import { Flight, observation } from "./flight";
import type { LinkDesk } from "./link/link-desk";
import { type SessionLink, sessionLink } from "./link/session-link";
import { Recorder } from "./recorder";
import { SceneDesk } from "./scene-desk";
import type { SessionOptions } from "./session-options";
import { picture, Sight } from "./sight";
import { stationStatus } from "./status";
import type { VehicleLink } from "./vehicle-link";
import { FailsafeWatch } from "./watch";

const KILL_CONFIRMED = "Motors stopped";

/** One connection to one vehicle: link, sight, mission, dispatch and recording, wired along the one road. */
export class Session {
  readonly link: VehicleLink;
  readonly desk: LinkDesk;
  readonly flight: Flight;
  readonly recorder: Recorder;
  readonly scene = new SceneDesk({
    pushable: () => this.#embedded?.pushable ?? null,
    door: () => this.link.door,
    audit: (what) => this.recorder.audit("scene", this.#options.settings().operator, what),
  });
  readonly #options: SessionOptions;
  readonly #linked: SessionLink;
  readonly #sight: Sight;
  readonly #dispatch: Dispatch<unknown>;
  readonly #watch: FailsafeWatch;
  readonly #cancels: Cancel[];
  #embedded: Embedded | null = null;
  #closed = false;

  constructor(options: SessionOptions) {
    const { clock, settings, alerts, address } = options;
    this.#options = options;
    this.#linked = sessionLink({
      clock,
      home: options.home,
      keys: options.keys,
      address: address.text,
      embedded: address.embedded !== null,
      ceiling_m: () => settings().limits.ceiling_m,
      onText: (text) => {
        this.recorder.text(text);
        alerts.vehicleSays(text);
      },
      onPose: (received, boot_ms, site) =>
        this.#sight.pose(received, boot_ms, this.link.boot.offset_ms ?? 0, site),
      onFrameMoved: (jump_m, turn_rad) => this.#dispatch.frameMoved(jump_m, turn_rad),
      onCommand: (command, params, result) => {
        this.recorder.write("/kingfisher/command", { command, params: [...params], result });
      },
    });
    this.link = this.#linked.link;
    this.desk = this.#linked.desk;
    this.#sight = new Sight({
      clock,
      vehicle: () => this.link.vehicle,
      onSeen: (seen, safety) => {
        const { report } = seen;
        options.emit("perception", report);
        options.emit("safety", safety);
        options.onPicture(picture(seen));
        this.recorder.write("/kingfisher/perception", report, report.captured_at_ms);
        this.recorder.write("/kingfisher/s_safe", safety);
        this.recorder.image(`/camera/${report.camera}/colour`, seen.colour_jpeg, report.captured_at_ms);
        this.recorder.image(`/camera/${report.camera}/depth`, seen.depth_jpeg, report.captured_at_ms);
        this.#watch.look();
      },
      onProblem: (text) => {
        alerts.raise("camera", "caution", text, "Moves are refused until pictures come again");
      },
    });
    this.#dispatch = new Dispatch<unknown>({
      door: this.link.door,
      clock,
      vehicle: () => this.link.vehicle,
      limits: () => limitsFor(settings().limits, airframeOf(address)),
      skills: skillRunner,
      arming: address.kind === "hardware" ? "pilot" : "station",
      to_local: ({ position_enu_m, yaw_enu_rad }) => [
        pointToLocal(this.link.site, position_enu_m),
        yawToLocalNed(this.link.site, yaw_enu_rad),
      ],
    });
    this.recorder = new Recorder({
      clock,
      folder: options.flights,
      settings,
      meta: () => ({
        ...options.version,
        address: address.text,
        scene: address.embedded?.scene ?? "",
        seed: address.embedded?.seed ?? null,
      }),
      onProblem: (text) => {
        alerts.raise(
          "recording",
          "warning",
          text,
          "Make room or choose another folder, then start the flight anew",
        );
      },
      onOpen: (recorder) => {
        if (this.#embedded !== null) recorder.write("/kingfisher/site", this.#embedded.site);
        recorder.write("/kingfisher/vehicle", this.link.vehicle);
      },
    });
    this.flight = new Flight({
      clock,
      policy: options.policy,
      dispatch: this.#dispatch,
      recorder: this.recorder,
      vehicle: () => this.link.vehicle,
      context: () => this.#context(),
      observe: () => observation(this.link.vehicle, this.#sight.report),
      approvals: () => ({
        mode: options.approvals,
        timeout_s: settings().approvals.timeout_s,
        veto_window: settings().approvals.veto_window,
        simulation: this.simulation,
      }),
      operator: () => settings().operator,
      onMission: (mission) => {
        options.emit("mission", mission);
        this.recorder.write("/kingfisher/mission", mission);
      },
      onCard: (card) => {
        options.emit("approval", card);
      },
      // The flag that the mission waits for a person makes the failsafe hold.
      hold: () => {
        this.#watch.look();
      },
    });
    this.#watch = new FailsafeWatch({
      clock,
      alerts,
      screenAlive_ms: options.screenAlive_ms,
      input: () => ({
        context: this.#context(),
        mission_running: this.flight.active,
        waiting_for_decision: this.#waiting(),
        common_shift_m: this.#sight.commonShift_m,
      }),
      act: (emergency, causes) => {
        this.#dispatch.emergency(emergency);
        this.flight.interrupt("held", emergency.reason);
        this.recorder.audit("failsafe", "failsafe", { action: emergency.action, causes });
      },
    });
    this.#cancels = [
      this.link.onRaw((frame) => {
        this.recorder.raw(frame);
      }),
      this.#dispatch.onEvent((event) => {
        recordDispatch(event, {
          recorder: this.recorder,
          alerts,
          onEmergency: () => {
            options.emit("station", this.status());
          },
          onTaken: (why) => {
            this.flight.interrupt("pilot", why);
          },
        });
      }),
      clock.every(50, () => {
        options.emit("vehicle", this.link.vehicle);
      }),
      clock.every(100, () => {
        this.#tick();
      }),
    ];
  }

  get simulation(): boolean {
    return this.#options.address.kind !== "hardware";
  }
  get report(): Event<"perception"> {
    return this.#sight.report;
  }
  safety(): Event<"safety"> {
    return this.#sight.safety();
  }

  async open(): Promise<Result<void, string>> {
    const { address, clock } = this.#options;
    await this.#linked.ready();
    if (address.embedded === null) {
      const opened = await this.link.hub.open(address.text);
      if (!opened.ok) return err(opened.error.message);
      await this.desk.open();
      return ok(undefined);
    }
    const lockstep = clock instanceof LockstepClock;
    const started = await startEmbedded(
      {
        ...address.embedded,
        speed: lockstep ? "max" : "1",
        extra: this.#options.embeddedArgs,
        onText: (text) => {
          this.#options.logger.info(text.trimEnd());
        },
        onExit: this.#options.onLost,
      },
      (text) => this.link.hub.open(text),
    );
    if (!started.ok) return started;
    if (this.#closed) {
      // Left while it was starting: nobody else would end it.
      await started.value.close();
      return err("The connection was closed while the vehicle was starting.");
    }
    this.#embedded = started.value;
    this.#sight.open(started.value.cameraSocket, lockstep);
    if (lockstep && started.value.barrierPort !== null)
      await joinBarrier(clock, started.value.barrierPort, this.link, this.#sight, this.#options.onLost);
    return ok(undefined);
  }

  status(): StationStatus {
    const { address, clock } = this.#options;
    const emergency = this.#dispatch.emergencyStates();
    return stationStatus({ address, clock, recording: this.recorder.folder, emergency }, this.#embedded);
  }

  /** The bytes leave before anything else happens. */
  emergency(action: EmergencyAction, source: string): void {
    const { clock, settings, alerts } = this.#options;
    const by = settings().operator;
    this.#dispatch.emergency(operatorEmergency(action, by, clock.now_ms()));
    this.flight.interrupt("held", `${action.toUpperCase()} pressed`);
    this.recorder.audit("emergency", by, { action, source });
    if (action === "kill")
      alerts.raise("kill", "warning", KILL_CONFIRMED, "Keep clear; disconnect the battery first");
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#cancels) cancel();
    this.flight.close();
    this.#dispatch.close();
    this.recorder.write("/kingfisher/vehicle", this.link.vehicle);
    await this.recorder.end();
    const { clock } = this.#options;
    if (clock instanceof LockstepClock) clock.close();
    await Promise.all([this.#sight.close(), this.#embedded?.close(), this.desk.close()]);
    await this.link.close();
  }

  #context(): JudgeContext {
    const { settings, address } = this.#options;
    return {
      vehicle: this.link.vehicle,
      site: this.#embedded?.site ?? null,
      limits: limitsFor(settings().limits, airframeOf(address)),
      safety: this.#sight.safety(),
      observation: {
        camera: this.#sight.connected ? "live" : "none",
        captured_at_ms: this.#sight.report?.captured_at_ms ?? null,
        depth_at_ms: this.#sight.depth_at_ms,
      },
      hold: this.#dispatch.holdSetpoint(),
      control: this.#dispatch.control(),
      simulation: this.simulation,
    };
  }

  #tick(): void {
    const { vehicle } = this.link;
    this.link.operatorPresent(true);
    this.flight.tick();
    this.recorder.tick(vehicle.armed, this.flight.active);
    this.recorder.write("/kingfisher/vehicle", vehicle);
    this.#watch.look();
  }

  #waiting(): string | null {
    const { phase, why } = this.flight.mission;
    return phase === "held" && isFlying(this.link.vehicle) ? why : null;
  }
}
