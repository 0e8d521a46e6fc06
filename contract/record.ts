import { z } from "zod";
import { Alert } from "./alerts";
import { Site } from "./geometry";
import { Decision, DecisionRecord, MissionState, Proposal, StepRecord } from "./mission";
import { FrameReport } from "./perception";
import { SafetyState, Verdict } from "./safety";
import { EmergencyState } from "./station";
import { VehicleState } from "./vehicle";

export const recordingSchemaVersion = 1;

/** Topics of a flight recording (MCAP, JSON messages). `/camera/NAME/colour` and `/depth` hold encoded images beside these. */
export const recordTopics = {
  "/kingfisher/vehicle": VehicleState,
  "/kingfisher/proposal": Proposal,
  "/kingfisher/verdict": z.strictObject({
    proposal_id: z.string(),
    stage: z.enum(["first", "second"]),
    verdict: Verdict,
  }),
  "/kingfisher/decision": z.strictObject({
    proposal_id: z.string(),
    decision: Decision.nullable(),
    record: DecisionRecord,
  }),
  "/kingfisher/step": StepRecord,
  "/kingfisher/mission": MissionState,
  "/kingfisher/s_safe": SafetyState,
  "/kingfisher/alert": Alert,
  "/kingfisher/emergency": EmergencyState,
  "/kingfisher/perception": FrameReport,
  "/kingfisher/command": z.strictObject({
    command: z.string(),
    params: z.array(z.number().nullable()),
    result: z.string().nullable(),
  }),
  "/kingfisher/setpoint": z.strictObject({
    position_enu_m: z.tuple([z.number(), z.number(), z.number()]).readonly(),
    yaw_enu_rad: z.number(),
  }),
  /** The governor at work: 1 is full speed, 0 a stop; why, and how far the vehicle was from where it should be. */
  "/kingfisher/governor": z.strictObject({
    scale: z.number().min(0).max(1),
    error_m: z.number(),
    reason: z.string(),
  }),
  "/kingfisher/site": Site,
  /** Hash of each line of the audit log, so that a cut tail of that file shows. */
  "/kingfisher/audit": z.strictObject({
    seq: z.number().int(),
    hash: z.string(),
    kind: z.string(),
    by: z.string(),
  }),
  "/kingfisher/text": z.strictObject({ severity: z.string(), source: z.string(), text: z.string() }),
} as const;
export type RecordTopic = keyof typeof recordTopics;
export type RecordMessage<T extends RecordTopic> = z.infer<(typeof recordTopics)[T]>;
