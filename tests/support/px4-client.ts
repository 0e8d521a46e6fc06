import { connect, type Socket } from "node:net";
import { decode } from "../../main/link/codec";
import { encodeFrame } from "../../main/link/encode-frame";
import { Framer } from "../../main/link/framing";
import { Allocation, commandFromThrust } from "../../main/sim/autopilot/allocation";
import {
  attitudeFigures,
  attitudeFromThrust,
  RateControl,
  ratesFromAttitude,
  type Saturation,
  unsaturated,
} from "../../main/sim/autopilot/attitude-control";
import { toLocal } from "../../main/sim/autopilot/geodesy";
import { Parameters } from "../../main/sim/autopilot/parameters";
import type { VehicleModel } from "../../main/sim/autopilot/port";
import { emptySetpoint, PositionControl } from "../../main/sim/autopilot/position-control";
import { length, type Quat, turn, type Vec3 } from "../../main/sim/autopilot/vector";

type Fields = Readonly<Record<string, unknown>>;
const num = (f: Fields, name: string): number => Number(f[name]);
const origin = { latitude_deg: 47.397742, longitude_deg: 8.545594, altitude_amsl_m: 488 };
const dt_s = 0.004;

/**
 * Acts as PX4's simulator module does: connects, says HEARTBEAT, asks for the true state, and answers every HIL_SENSOR with
 * HIL_ACTUATOR_CONTROLS. Its MAVLink is the station's codec, not the simulator's, so that each checks the other; it flies on
 * the true state with the controllers of the embedded autopilot.
 */
export class Px4Client {
  readonly received: { readonly name: string; readonly fields: Fields }[] = [];
  target_ned_m: Vec3 = [0, 0, 0];
  armed = false;
  /** Outputs in place of what the controllers say. */
  override: readonly number[] | null = null;
  /** A PX4 that hangs: samples arrive, nothing is answered. */
  silent = false;
  /** Most samples kept in `received`. */
  keep = 400;
  samples = 0;
  lockstep = true;
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #framer = new Framer();
  readonly #vehicle: VehicleModel;
  readonly #p: Parameters;
  readonly #position: PositionControl;
  readonly #rates: RateControl;
  readonly #allocation: Allocation;
  #saturation: Saturation = unsaturated;
  #truth: { readonly at: Vec3; readonly velocity: Vec3; readonly q: Quat } | null = null;
  #seq = 0;
  #waiting: { readonly samples: number; readonly resolve: () => void }[] = [];

  static async connect(port: number, vehicle: VehicleModel): Promise<Px4Client> {
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    return new Px4Client(socket, vehicle);
  }

  private constructor(socket: Socket, vehicle: VehicleModel) {
    this.#socket = socket;
    this.#vehicle = vehicle;
    this.#p = new Parameters(vehicle, 1, { MPC_XY_VEL_MAX: 1 });
    this.#position = new PositionControl(this.#p);
    this.#rates = new RateControl(this.#p);
    this.#allocation = new Allocation(vehicle);
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        resolve();
      });
    });
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      this.#framer.push(bytes, (frame) => {
        const { def } = frame;
        if (def === undefined) return;
        const { payload_start: start, payload_length } = frame;
        this.#handle(def.name, decode(def, frame.bytes.subarray(start, start + payload_length)));
      });
    });
    const interval = { command: 511, param1: 115, param2: 4000, param3: 0, param4: 0, param5: 0, param6: 0 };
    this.#send("COMMAND_LONG", {
      ...interval,
      param7: 0,
      target_system: 0,
      target_component: 0,
      confirmation: 0,
    });
    const heartbeat = { type: 0, autopilot: 12, base_mode: 0, custom_mode: 0, system_status: 0 };
    this.#send("HEARTBEAT", { ...heartbeat, mavlink_version: 3 });
    this.#send("SYSTEM_TIME", { time_unix_usec: 0, time_boot_ms: 0 });
  }

  /** Resolves when this many samples in all have arrived. */
  async flown(samples: number): Promise<void> {
    if (this.samples >= samples) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ samples, resolve });
    });
  }

  get position_ned_m(): Vec3 {
    return this.#truth?.at ?? [Number.NaN, Number.NaN, Number.NaN];
  }

  die(): void {
    this.#socket.destroy();
  }

  /** Answers the sample that was left unanswered. */
  answer(): void {
    this.#answer([0, 0, 0]);
  }

  #handle(name: string, fields: Fields): void {
    if (this.received.length < this.keep) this.received.push({ name, fields });
    if (name === "HIL_STATE_QUATERNION") {
      const q = fields["attitude_quaternion"] as readonly number[];
      const at = toLocal(
        origin,
        num(fields, "lat") / 1e7,
        num(fields, "lon") / 1e7,
        num(fields, "alt") / 1e3,
      );
      const velocity: Vec3 = [num(fields, "vx") / 100, num(fields, "vy") / 100, num(fields, "vz") / 100];
      this.#truth = { at, velocity, q: [q[0] ?? 1, q[1] ?? 0, q[2] ?? 0, q[3] ?? 0] };
    }
    if (name !== "HIL_SENSOR") return;
    this.samples++;
    if (!this.silent) this.#answer([num(fields, "xgyro"), num(fields, "ygyro"), num(fields, "zgyro")]);
    for (const w of this.#waiting.filter((w) => w.samples <= this.samples)) w.resolve();
    this.#waiting = this.#waiting.filter((w) => w.samples > this.samples);
  }

  #answer(gyro: Vec3): void {
    const motors = this.override ?? (this.armed ? this.#control(gyro) : []);
    this.#send("HIL_ACTUATOR_CONTROLS", {
      time_usec: this.samples * 4000,
      controls: Array.from({ length: 16 }, (_, i) => motors[i] ?? 0),
      mode: this.armed ? 129 : 1,
      flags: this.lockstep ? 1 : 0,
    });
  }

  #control(gyro: Vec3): readonly number[] {
    const now = this.#truth;
    if (now === null) return [];
    const limits = {
      horizontal_m_s: 1,
      up_m_s: 0.8,
      down_m_s: 0.6,
      tilt_rad: 0.35,
      thrust_min: 0.12,
      thrust_max: 1,
    };
    const setpoint = { ...emptySetpoint, position: this.target_ned_m };
    const out = this.#position.update(setpoint, now.at, now.velocity, [0, 0, 0], limits, dt_s);
    const attitude = attitudeFromThrust(out.thrust_ned, Math.PI / 2);
    const rates = ratesFromAttitude(now.q, attitude, 0, attitudeFigures(this.#p)());
    const torque = this.#rates.update(gyro, rates, this.#saturation, false, dt_s);
    const up = Math.max(0.7, turn(now.q, [0, 0, 1])[2]);
    const { thrust, saturation } = this.#allocation.allocate(torque, length(out.thrust_ned) / up);
    this.#saturation = saturation;
    return thrust.map((share) => commandFromThrust(share, this.#vehicle.thrust_curve));
  }

  #send(name: string, fields: Fields): void {
    this.#seq = (this.#seq + 1) & 255;
    this.#socket.write(
      encodeFrame(name, fields, { version: 2, seq: this.#seq, system_id: 1, component_id: 1 }),
    );
  }
}
