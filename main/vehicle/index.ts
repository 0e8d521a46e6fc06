export { explained, noArmingReport, stepArmingReport, withIssues } from "./arming-events";
export { disabledChecks, disabledOf } from "./disabled-checks";
export { failsafeIssues, failsafeWords } from "./failsafe-words";
export { ageVehicle, initialVehicle, reduceVehicle, withParameters } from "./reduce";
export { ageTexts, noTexts, reduceTexts, type Texts, type VehicleText } from "./texts";
