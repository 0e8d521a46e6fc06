import type { Cancel, Clock } from "../../platform/clock";
import type { Received } from "../port";
import type { ServiceWire } from "./service";

/** What one component of the vehicle is. */
export interface Component {
  readonly component_id: number;
  readonly kind: "autopilot" | "companion" | "gimbal" | "camera" | "gripper" | "radio" | "other";
  readonly name: string;
  /** As it calls itself, e.g. a camera's model; "" when it has not said. */
  readonly model: string;
  readonly last_at_ms: number;
}

export interface Discovery {
  readonly components: readonly Component[];
  onChange(listener: (components: readonly Component[]) => void): Cancel;
  stop(): void;
}

const CAMERA_INFORMATION = 259;
const GIMBAL_MANAGER_INFORMATION = 280;
const REQUEST_MESSAGE = 512;
const ASK_ms = 3000;
const ASKS = 3;

/** MAV_COMPONENT ranges and MAV_TYPEs (https://mavlink.io/en/messages/common.html). */
function kindOf(component_id: number, type: number | null): Component["kind"] {
  if (component_id === 1) return "autopilot";
  if (type === 30 || (component_id >= 100 && component_id <= 105)) return "camera";
  if (type === 26 || component_id === 154 || (component_id >= 171 && component_id <= 175)) return "gimbal";
  if (component_id === 169) return "gripper";
  if (type === 18 || (component_id >= 191 && component_id <= 194)) return "companion";
  if (component_id === 68 || type === 42) return "radio";
  return "other";
}

/** Finds the components of one system by what they send, and asks cameras and gimbals who they are. */
export function startDiscovery(wire: ServiceWire, clock: Clock, system_id: number): Discovery {
  const found = new Map<number, Component>();
  const asked = new Map<number, { count: number; at_ms: number }>();
  const listeners = new Set<(components: readonly Component[]) => void>();
  const list = (): readonly Component[] =>
    [...found.values()].sort((a, b) => a.component_id - b.component_id);
  const set = (component: Component): void => {
    const before = found.get(component.component_id);
    found.set(component.component_id, component);
    if (before?.kind === component.kind && before.model === component.model) return;
    for (const listener of listeners) listener(list());
  };
  const ask = (component: Component, message_id: number): void => {
    const before = asked.get(component.component_id) ?? { count: 0, at_ms: Number.NEGATIVE_INFINITY };
    const now_ms = clock.now_ms();
    if (component.model !== "" || before.count >= ASKS || now_ms - before.at_ms < ASK_ms) return;
    asked.set(component.component_id, { count: before.count + 1, at_ms: now_ms });
    const unused = Number.NaN;
    wire.send("COMMAND_LONG", {
      target_system: system_id,
      target_component: component.component_id,
      command: REQUEST_MESSAGE,
      confirmation: 0,
      param1: message_id,
      param2: unused,
      param3: unused,
      param4: unused,
      param5: unused,
      param6: unused,
      param7: 0,
    });
  };
  const onMessage = (received: Received): void => {
    if (received.system_id !== system_id) return;
    const { component_id, name, fields, at_ms } = received;
    const before = found.get(component_id);
    if (name === "HEARTBEAT" || before === undefined) {
      const type = name === "HEARTBEAT" && typeof fields["type"] === "number" ? fields["type"] : null;
      const kind = type === null && before !== undefined ? before.kind : kindOf(component_id, type);
      const component = {
        component_id,
        kind,
        name: `${kind} ${component_id}`,
        model: before?.model ?? "",
        last_at_ms: at_ms,
      };
      set(component);
      if (kind === "camera") ask(component, CAMERA_INFORMATION);
      if (kind === "gimbal") ask(component, GIMBAL_MANAGER_INFORMATION);
    }
    const known = found.get(component_id);
    if (name === "CAMERA_INFORMATION" && known !== undefined) {
      const model = [bytesText(fields["vendor_name"]), bytesText(fields["model_name"])].join(" ").trim();
      set({ ...known, kind: "camera", model: model || "unnamed", last_at_ms: at_ms });
    }
    if (name === "GIMBAL_MANAGER_INFORMATION" && known !== undefined) {
      set({ ...known, model: "gimbal manager", last_at_ms: at_ms });
    }
  };
  const unhear = wire.onMessage(onMessage);
  return {
    get components() {
      return list();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: unhear,
  };
}

/** Text in a field that MAVLink declares as bytes. */
function bytesText(value: unknown): string {
  if (!Array.isArray(value)) return "";
  const bytes = Uint8Array.from(value.map(Number));
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
