import { type Ack, ack, type Commander, forceMagic, severity } from "./commander";
import { num } from "./fields";
import { type Origin, toLocal } from "./geodesy";
import { modeFromNumbers } from "./modes";
import type { Incoming, Message } from "./port";
import type { Vec3 } from "./vector";

/** MAV_CMD numbers that PX4 on a multirotor knows. */
const cmd = {
  nav_return: 20,
  nav_land: 21,
  nav_takeoff: 22,
  do_set_mode: 176,
  do_set_home: 179,
  do_set_actuator: 187,
  do_reposition: 192,
  do_pause: 193,
  do_gripper: 211,
  do_motor_test: 209,
  flight_termination: 185,
  preflight_calibration: 241,
  preflight_storage: 245,
  preflight_reboot: 246,
  mission_start: 300,
  arm_disarm: 400,
  run_prearm_checks: 401,
  inject_failure: 420,
  get_home: 410,
  get_message_interval: 510,
  set_message_interval: 511,
  request_message: 512,
  request_protocol: 519,
  request_capabilities: 520,
  set_mission_current: 224,
  user_1: 31010,
} as const;

export interface Command {
  readonly command: number;
  /** param1 to param7; of COMMAND_INT 5 and 6 are already in degrees or metres. */
  readonly params: readonly number[];
  readonly confirmation: number;
  readonly from: Incoming;
}

/** What commands can do to the vehicle. */
export interface CommandTarget {
  readonly commander: Commander;
  origin(): Origin;
  now_us(): number;
  takeoff(altitude_amsl_m: number): void;
  reposition(target_ned: Vec3, yaw_rad: number): void;
  setHome(position_ned: Vec3 | null): void;
  setMessageInterval(id: number, interval_us: number): boolean;
  messageInterval(id: number): number | null;
  /** Queues the message; false when there is none of that id. `index` is param2 of the request. */
  requestMessage(id: number, index: number): boolean;
  /** Null: PX4 says nothing to this one. */
  injectFailure(unit: number, type: number, instance: number): Ack | null;
  startMission(first: number): boolean;
  setCurrentItem(seq: number): boolean;
  push(index: number): boolean;
  happen(index: number): boolean;
  gripper(action: "release" | "grab"): boolean;
  actuators(values: readonly (number | null)[]): boolean;
  say(level: number, text: string): void;
  send(message: Message): void;
}

export function readCommand(message: Incoming): Command {
  const params = [1, 2, 3, 4].map((i) => num(message, `param${String(i)}`));
  if (message.name === "COMMAND_LONG") {
    params.push(num(message, "param5"), num(message, "param6"), num(message, "param7"));
  } else {
    const global = [0, 3, 5, 6, 10, 11].includes(num(message, "frame"));
    const unit = global ? 1e-7 : 1e-4;
    const whole = (v: number): number => (v === 2147483647 ? Number.NaN : v * unit);
    params.push(whole(num(message, "x")), whole(num(message, "y")), num(message, "z"));
  }
  return {
    command: num(message, "command"),
    params,
    confirmation: num(message, "confirmation"),
    from: message,
  };
}

/** SET_MODE as the command it stands for. */
export function setModeCommand(message: Incoming): Incoming {
  const custom = num(message, "custom_mode");
  const numbers = { param2: (custom >> 16) & 255, param3: (custom >> 24) & 255 };
  const fields = { command: cmd.do_set_mode, param1: num(message, "base_mode"), ...numbers };
  return { ...message, name: "COMMAND_LONG", fields };
}

const memory_us = 5_000_000;

interface Done {
  readonly at_us: number;
  readonly params: string;
  readonly sequence: number | undefined;
  readonly result: Ack;
}

/** Whether a frame left its sender no later than another (numbers wrap at 256). */
const notNewer = (sequence: number, than: number): boolean => ((than - sequence) & 255) < 128;

/**
 * Commands with their acknowledgements. What a link repeats, delays or a station sends again for want of an answer
 * (confirmation counted up) is acknowledged with the first result, not carried out again.
 */
export class Commands {
  readonly #target: CommandTarget;
  readonly #done = new Map<string, Done>();

  constructor(target: CommandTarget) {
    this.#target = target;
  }

  handle(message: Incoming): void {
    const c = readCommand(message);
    const now = this.#target.now_us();
    const { sequence } = message;
    const key = `${String(message.system_id)}/${String(message.component_id)}/${String(c.command)}`;
    const params = c.params.join(",");
    const before = this.#done.get(key);
    const same = before !== undefined && before.params === params && now - before.at_us < memory_us;
    const copy =
      same && sequence !== undefined && before.sequence !== undefined && notNewer(sequence, before.sequence);
    const repeat = same && (c.confirmation > 0 || copy);
    const result = repeat ? before.result : this.#run(c);
    const newest = copy ? before.sequence : sequence;
    if (result === null) return;
    this.#done.set(key, { at_us: now, params, sequence: newest, result });
    this.#target.send({
      name: "COMMAND_ACK",
      fields: {
        command: c.command,
        result,
        progress: 0,
        result_param2: 0,
        target_system: message.system_id,
        target_component: message.component_id,
      },
    });
  }

  #run(c: Command): Ack | null {
    const t = this.#target;
    const p = (i: number): number => c.params[i - 1] ?? 0;
    const yes = (done: boolean): Ack => (done ? ack.accepted : ack.rejected);
    switch (c.command) {
      case cmd.arm_disarm: {
        const force = Math.round(p(2)) === forceMagic;
        if (p(1) === 1) return t.commander.arm(force);
        return p(1) === 0 ? t.commander.disarm(force) : ack.denied;
      }
      case cmd.nav_takeoff:
        if (!t.commander.request("takeoff")) return ack.rejected;
        t.takeoff(p(7));
        return ack.accepted;
      case cmd.nav_land:
        return yes(t.commander.request("land"));
      case cmd.nav_return:
        return yes(t.commander.request("return"));
      case cmd.do_set_mode:
        return this.#setMode(p(1), p(2), p(3));
      case cmd.do_reposition: {
        const known = Number.isFinite(p(5)) && Number.isFinite(p(6)) && (p(5) !== 0 || p(6) !== 0);
        const [x, y]: Vec3 = known ? toLocal(t.origin(), p(5), p(6), p(7)) : [Number.NaN, Number.NaN, 0];
        const z = Number.isFinite(p(7)) ? t.origin().altitude_amsl_m - p(7) : Number.NaN;
        if (!t.commander.request("loiter")) return ack.rejected;
        t.reposition([x, y, z], p(4));
        return ack.accepted;
      }
      case cmd.do_pause:
        return p(1) === 0 ? yes(t.commander.request("loiter")) : yes(t.commander.request("mission"));
      case cmd.mission_start:
        return yes(t.startMission(p(1)));
      case cmd.set_mission_current:
        return yes(t.setCurrentItem(p(1)));
      case cmd.do_set_home:
        if (p(1) === 1) t.setHome(null);
        else t.setHome(toLocal(t.origin(), p(5), p(6), p(7)));
        return ack.accepted;
      case cmd.flight_termination:
        if (p(1) > 0.5) t.commander.terminate();
        return ack.accepted;
      case cmd.do_gripper:
        return t.gripper(p(2) === 0 ? "release" : "grab") ? ack.accepted : ack.unsupported;
      case cmd.do_set_actuator: {
        const values = c.params.slice(0, 6).map((v) => (Number.isFinite(v) ? v : null));
        return t.actuators(values) ? ack.accepted : ack.unsupported;
      }
      case cmd.inject_failure:
        return t.injectFailure(p(1), p(2), p(3));
      case cmd.run_prearm_checks: {
        const reasons = t.commander.armed ? [] : t.commander.reasons();
        for (const reason of reasons) t.say(severity.critical, `Preflight Fail: ${reason.text}`);
        return t.commander.armed ? ack.rejected : ack.accepted;
      }
      case cmd.get_home:
        return yes(t.requestMessage(242, 0));
      case cmd.set_message_interval:
        return t.setMessageInterval(p(1), p(2)) ? ack.accepted : ack.failed;
      case cmd.get_message_interval: {
        const interval_us = t.messageInterval(p(1));
        t.send({ name: "MESSAGE_INTERVAL", fields: { message_id: p(1), interval_us: interval_us ?? 0 } });
        return ack.accepted;
      }
      case cmd.request_message:
        return t.requestMessage(p(1), p(2)) ? ack.accepted : ack.denied;
      case cmd.request_protocol:
        return yes(t.requestMessage(300, 0));
      case cmd.request_capabilities:
        return yes(t.requestMessage(148, 0));
      case cmd.preflight_storage:
        return ack.accepted;
      case cmd.preflight_calibration:
      case cmd.preflight_reboot:
      case cmd.do_motor_test:
        return ack.denied;
      case cmd.user_1:
        return (p(1) === 1 ? t.push(Math.round(p(2))) : p(1) === 2 && t.happen(Math.round(p(2))))
          ? ack.accepted
          : ack.denied;
      default:
        return ack.unsupported;
    }
  }

  /** As PX4: a mode that exists but cannot run now is still acknowledged; only the heartbeat tells. */
  #setMode(base: number, main: number, sub: number): Ack {
    if ((Math.round(base) & 1) === 0) return ack.unsupported;
    const mode = modeFromNumbers(Math.round(main), Math.round(sub));
    if (mode === null) {
      this.#target.say(severity.error, "Unsupported mode");
      return ack.rejected;
    }
    this.#target.commander.request(mode);
    return ack.accepted;
  }
}
