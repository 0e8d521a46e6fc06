export { type Anchor, initialAnchor, stepAnchor } from "./anchor";
export {
  type ArmingReport,
  type EventNews,
  explained,
  noArmingReport,
  stepArmingReport,
  type VehicleEvent,
  withIssues,
} from "./arming-events";
export { type FailsafeWord, failsafeIssues, failsafeWords } from "./failsafe-words";
export type { VehicleMessage } from "./message";
export { ageVehicle, HEARTBEAT_TIMEOUT_ms, initialVehicle, reduceVehicle, withParameters } from "./reduce";
export { identitySite, pointToLocal, type SiteTransform, yawToLocalNed } from "./site-transform";
export { ageTexts, noTexts, reduceTexts, type Texts, type VehicleText } from "./texts";
