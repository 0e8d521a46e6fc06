import { startHeartbeat } from "../link/heartbeat";
import { createLinkHub } from "../link/hub";
import { identify } from "../link/identify";
import { realClock } from "../platform/clock";
import { parseStationAddress } from "../station/address";
import { type Embedded, startEmbedded } from "../station/embedded";
import { initialVehicle, reduceVehicle } from "../vehicle";
import { failed, type Verb } from "./verb";

export const linkVerb: Verb = {
  spec: {
    name: "link",
    summary: "What is at this address: type, firmware, rates, loss, parameters, arming report.",
    positionals: ["URL"],
    options: [{ name: "for", value: "SECONDS", help: "how long to listen (10)" }],
  },
  async run(args, { say, signal }) {
    const duration = args.number("for", 10, 0.5, 3600);
    if (!duration.ok) return failed(duration.error, 2);
    const [url = ""] = args.positionals;
    const address = parseStationAddress(url, false);
    if (!address.ok) return failed(`link: ${address.error}`, 2);
    const clock = realClock();
    const hub = createLinkHub({ clock });
    const heartbeat = startHeartbeat(hub, clock);
    const turn = clock.every(200, () => {
      heartbeat.alive(!signal.aborted);
    });
    let embedded: Embedded | null = null;
    try {
      if (address.value.embedded === null) {
        const opened = await hub.open(url);
        if (!opened.ok)
          return failed(`link: ${opened.error.message}`, opened.error.kind === "bad_address" ? 2 : 1);
      } else {
        const started = await startEmbedded(
          { ...address.value.embedded, speed: "1", extra: [], onText: () => {}, onExit: say },
          (listen) => hub.open(listen),
        );
        if (!started.ok) return failed(`link: ${started.error}`);
        embedded = started.value;
      }
      const found = await identify({
        hub,
        clock,
        duration_ms: duration.value * 1000,
        initial: initialVehicle,
        reduce: reduceVehicle,
      });
      const links = hub.status();
      if (found === null) {
        const advice =
          links.map((l) => l.advice).find((a) => a !== "") ?? "Is it on, and does it send to this address?";
        return failed(`link: no vehicle heard at ${url} in ${String(duration.value)} s. ${advice}`, 1, {
          autopilot: null,
          links,
        });
      }
      const rates = Object.entries(found.rates).sort((a, b) => b[1] - a[1]);
      const { received, count } = found.parameters;
      const lines = [
        `${found.autopilot} ${found.type}, firmware ${found.firmware ?? "unknown"} (${found.git_hash ?? "no hash"}), system ${String(found.system_id)}`,
        `mode ${found.mode}, ${found.armed ? "armed" : "disarmed"}; loss ${(100 * found.loss).toFixed(1)} %; parameters ${String(received)} of ${count === null ? "?" : String(count)}`,
        ...rates.map(([name, hz]) => `  ${hz.toFixed(1).padStart(7)} Hz  ${name}`),
        ...(found.arming.length === 0
          ? ["  ready to arm"]
          : found.arming.map((i) => `  ${i.severity} arming: ${i.text}. ${i.advice}`)),
      ];
      return { code: 0, json: { ...found, links }, text: lines.join("\n") };
    } finally {
      turn();
      heartbeat.stop();
      await embedded?.close();
      await hub.close();
    }
  },
};
