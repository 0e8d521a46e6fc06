/** Channel names alone, free of dependencies, so that the sandboxed preload can check against them. */
export const requestNames = [
  "app.info",
  "station.snapshot",
  "station.connect",
  "mission.start",
  "mission.cancel",
  "mission.hand_back",
  "approval.decide",
  "emergency.press",
  "scene.push",
  "alerts.acknowledge",
  "alerts.mute",
  "settings.get",
  "settings.set",
  "ui.alive",
  "ui.drawn",
  "ui.typing",
  "review.flights",
  "review.pick",
  "review.open",
  "review.close",
  "review.series",
  "review.track",
  "review.image",
  "review.message",
] as const;
export const eventNames = [
  "station",
  "vehicle",
  "links",
  "mission",
  "approval",
  "safety",
  "perception",
  "alerts",
  "settings",
  "menu",
] as const;
export type RequestName = (typeof requestNames)[number];
export type EventName = (typeof eventNames)[number];

/** Window message that carries a camera's MessagePort: `{type: cameraPortMessage, camera}` with one port. */
export const cameraPortMessage = "kingfisher.camera-port";
