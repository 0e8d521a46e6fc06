/**
 * What a person can make happen in the embedded vehicle's world while it flies, to rehearse trouble: MAV_CMD_USER_1 with
 * param1 = 2 and param2 the place in this list. `event` is in the words of `kingfisher sim --event`, without its time.
 * New ones go to the end: the numbers are spoken over the link.
 */
export const happenings = [
  { id: "person", title: "A person comes in", event: "person" },
  { id: "gusts", title: "Gusts from the west", event: "wind:1.5,0,1" },
  { id: "calm", title: "Calm air", event: "wind:0,0,0" },
  { id: "base-noise", title: "Noise on position and heading", event: "noise:0.02,2" },
  { id: "base-quiet", title: "Noise off", event: "noise:0,0" },
  { id: "link-freeze", title: "Link frozen for 3 s", event: "link:3" },
  { id: "camera-freeze", title: "Camera frozen", event: "camera:frozen" },
  { id: "depth-lost", title: "Depth lost", event: "camera:no_depth" },
  { id: "camera-back", title: "Camera and depth back", event: "camera:on" },
  { id: "yaw-flip", title: "Motion capture turns by 180°", event: "yaw_jump:180" },
  { id: "position-lost", title: "Position lost", event: "position:lost" },
  { id: "position-back", title: "Position back", event: "position:ok" },
  { id: "motor-1-off", title: "Motor 1 stops", event: "motor:1" },
  { id: "motor-1-on", title: "Motor 1 works again", event: "motor_ok:1" },
  { id: "battery-low", title: "Battery at 12 %", event: "battery:0.12" },
  { id: "slip", title: "Gripper slips", event: "slip:1" },
  { id: "link-lost", title: "Link lost for 8 s", event: "cut:8" },
] as const;
