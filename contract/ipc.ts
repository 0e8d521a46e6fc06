import { z } from "zod";
import { Alert } from "./alerts";
import type { EventName, RequestName } from "./channels";
import { evaluationEvents, evaluationRequests } from "./evaluation-ipc";
import { linkEvents, linkRequests } from "./link-ipc";
import { ApprovalCard, Decision, MissionState } from "./mission";
import { nothing, Outcome } from "./outcome";
import { FrameReport } from "./perception";
import { reviewEvents, reviewRequests } from "./review-ipc";
import { SafetyState } from "./safety";
import { Settings } from "./settings";
import { AppInfo, EmergencyAction, StationStatus } from "./station";
import { LinkStatus, VehicleState } from "./vehicle";

export const events = {
  station: StationStatus,
  vehicle: VehicleState,
  links: z.array(LinkStatus).readonly(),
  ...linkEvents,
  ...evaluationEvents,
  mission: MissionState,
  approval: ApprovalCard.nullable(),
  safety: SafetyState,
  perception: FrameReport.nullable(),
  alerts: z.array(Alert).readonly(),
  settings: Settings,
  /** A menu or global-shortcut action for the window: a workspace name, "palette", or a file to open. */
  menu: z.strictObject({ action: z.string(), path: z.string().nullable() }),
  ...reviewEvents,
} as const satisfies Record<EventName, z.ZodType>;

/** Everything the renderer may ask for. The schemas are the wire format. */
export const requests = {
  ...linkRequests,
  ...evaluationRequests,
  "app.info": { input: nothing, output: AppInfo },
  /** Puts a text on the system's clipboard; the page itself may not. */
  "app.copy": { input: z.strictObject({ text: z.string().max(10_000) }), output: nothing },
  "station.snapshot": {
    input: nothing,
    output: z.strictObject({
      station: events.station,
      vehicle: events.vehicle,
      links: events.links,
      mission: events.mission,
      approval: events.approval,
      safety: events.safety,
      perception: events.perception,
      alerts: events.alerts,
      settings: events.settings,
    }),
  },
  "station.connect": {
    input: z.strictObject({ address: z.string(), simulated: z.boolean() }),
    output: Outcome,
  },
  "mission.start": { input: z.strictObject({ command: z.string().min(1).max(2000) }), output: Outcome },
  "mission.cancel": { input: nothing, output: Outcome },
  "mission.hand_back": { input: nothing, output: Outcome },
  "approval.decide": { input: Decision, output: Outcome },
  "emergency.press": { input: z.strictObject({ action: EmergencyAction }), output: Outcome },
  "scene.push": { input: z.strictObject({ object: z.string() }), output: Outcome },
  /** One of contract/happenings.ts: only in the embedded vehicle's world. */
  "scene.happen": { input: z.strictObject({ id: z.string() }), output: Outcome },
  "alerts.acknowledge": { input: z.strictObject({ id: z.string().nullable() }), output: Outcome },
  "alerts.mute": { input: z.strictObject({ minutes: z.number().min(0).max(15) }), output: Outcome },
  "settings.get": { input: nothing, output: Settings },
  "settings.set": { input: Settings, output: Outcome },
  /** Sent every 500 ms; silence for 2 s during a mission holds the running skill. */
  "ui.alive": { input: nothing, output: nothing },
  /** What has been drawn at least once, for `--smoke`. */
  "ui.drawn": { input: z.strictObject({ what: z.enum(["twin", "camera"]) }), output: nothing },
  /** Sent by preload as focus enters or leaves an editable field: single-letter shortcuts rest meanwhile. */
  "ui.typing": { input: z.strictObject({ typing: z.boolean() }), output: nothing },
  /** Answered by the shell: opens or closes the window's own way to the ground truth, past the station. */
  "spectator.watch": { input: z.strictObject({ on: z.boolean() }), output: nothing },
  ...reviewRequests,
} as const satisfies Record<RequestName, { input: z.ZodType; output: z.ZodType }>;

type Requests = typeof requests;
export type Input<C extends RequestName> = z.infer<Requests[C]["input"]>;
export type Output<C extends RequestName> = z.infer<Requests[C]["output"]>;
export type Handlers = { readonly [C in RequestName]: (input: Input<C>) => Promise<Output<C>> };
export type Event<N extends EventName> = z.infer<(typeof events)[N]>;
export type Snapshot = Output<"station.snapshot">;

/** One picture on a camera's MessagePort. The renderer posts back `seq` when drawn; one is in flight, the newest wins. */
export interface CameraPicture {
  readonly camera: string;
  readonly seq: number;
  readonly captured_at_ms: number;
  readonly colour_jpeg: Uint8Array;
  readonly depth_jpeg: Uint8Array;
}

/** What preload exposes as `window.kingfisher`. */
export interface Bridge {
  request<C extends RequestName>(channel: C, input: Input<C>): Promise<Output<C>>;
  on<N extends EventName>(name: N, listener: (event: Event<N>) => void): () => void;
  /** Where a file that was dropped on the page lies; empty when it lies nowhere. */
  pathOf(file: unknown): string;
}
