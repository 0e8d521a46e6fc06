import { endChild, forkChild } from "../platform/child";
import { failed, type Verb } from "./verb";

/** The embedded vehicle alone, for any MAVLink client. Its own process checks its arguments; this passes them on. */
export const simVerb: Verb = {
  spec: {
    name: "sim",
    summary:
      "The embedded vehicle alone, for any MAVLink client: binds 18570 (plus --instance), sends unasked to --port.",
    positionals: [],
    options: [
      { name: "scene", value: "NAME", help: "office" },
      { name: "seed", value: "N", help: "one seed, one flight (1)" },
      { name: "port", value: "PORT", help: "where to send (14550)" },
      { name: "bind", value: "PORT", help: "where to listen (18570 plus the instance)" },
      { name: "instance", value: "N", help: "adds to system id and port (0)" },
      { name: "speed", value: "FACTOR", help: "1 is real time" },
      {
        name: "event",
        value: "EVENT",
        help: "KIND:ARG@SECONDS, may be repeated: push, wind, motor, motor_ok, battery, camera, position, jump, yaw_jump, yaw_flip, slip, link, noise, person",
        multiple: true,
      },
      {
        name: "catalogue",
        value: "NAME",
        help: "which objects stand in the scene: second, or the name of one",
      },
      { name: "vehicle", value: "NAME", help: "hexa650, airvla-quad7 or flybycode-tilt" },
      { name: "picture", value: "FILE", help: "draw the scene as a third person sees it, and end" },
      { name: "camera-size", value: "WxH", help: "424x240" },
      { name: "camera-rate", value: "HZ", help: "10" },
      {
        name: "camera-mount",
        value: "body|wrist",
        help: "whose pictures are sent (the vehicle's first camera)",
      },
      {
        name: "faults",
        value: "LIST",
        help: "loss=0.2,delay_ms=300,dup=0.1,reorder=0.1,flip=0.001, both directions",
      },
      { name: "camera-socket", value: "PATH", help: "serve the camera there" },
      { name: "site-out", value: "FILE", help: "write the known static structure there" },
      {
        name: "autopilot",
        value: "NAME",
        help: "internal, or px4: a PX4 in software flies it over TCP 4560",
      },
      {
        name: "origin",
        value: "set|unset",
        help: "unset: no place on the globe until SET_GPS_GLOBAL_ORIGIN (set)",
      },
      { name: "position", value: "own|external", help: "external: flies on ODOMETRY it is sent only (own)" },
      { name: "px4-port", value: "PORT", help: "where PX4 connects (4560 plus the instance)" },
      { name: "check", help: "fly the acceptance manoeuvres and print them beside their targets" },
      {
        name: "manipulation",
        help: "with --check: picks, a door, a drawer and a carton instead (2 minutes)",
      },
    ],
  },
  async run(args, { say, signal, json }) {
    const passed = [
      "scene",
      "seed",
      "port",
      "bind",
      "instance",
      "speed",
      "event",
      "faults",
      "camera-socket",
      "site-out",
      "autopilot",
      "px4-port",
      "origin",
      "position",
      "catalogue",
      "vehicle",
      "camera-size",
      "picture",
      "camera-rate",
      "camera-mount",
    ];
    const argv = passed.flatMap((name) => args.all(name).flatMap((value) => [`--${name}`, value]));
    if (args.has("check")) argv.push("--check");
    if (args.has("manipulation")) argv.push("--manipulation");
    let lastText = "";
    const child = forkChild("sim", {
      args: argv,
      onText: (text) => {
        lastText = text.trim().split("\n").at(-1) ?? lastText;
        say(text.trimEnd());
      },
    });
    let printed = "";
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (text: string) => {
      printed += text;
      if (json || args.has("check")) process.stdout.write(text);
      else if (printed === text) say(`Serving: ${text.trim()}`);
    });
    signal.addEventListener("abort", () => void endChild(child), { once: true });
    const code = await new Promise<number>((resolve) => {
      child.once("exit", (status) => {
        resolve(status ?? (signal.aborted ? 0 : 1));
      });
    });
    if (signal.aborted || code === 0) return { code: 0, json: null, text: "" };
    return failed(lastText === "" ? "The embedded vehicle stopped." : "", code === 2 ? 2 : 1);
  },
};
