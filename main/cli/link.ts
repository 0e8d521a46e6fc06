import { defaultLimits } from "#contract/settings";
import type { LinkStatus, VehicleState } from "#contract/vehicle";
import { type Clock, realClock } from "../platform/clock";
import { parseStationAddress } from "../station/address";
import { type Embedded, startEmbedded } from "../station/embedded";
import { VehicleLink } from "../station/vehicle-link";
import { failed, type Verb, type VerbResult } from "./verb";

/** A slow radio may need so much longer for its parameters than it was listened to. */
const PARAMETERS_EXTRA_ms = 60_000;

export const linkVerb: Verb = {
  spec: {
    name: "link",
    summary:
      "What is at this address: type, firmware, rates, loss, parameters, arming report, failsafes, components.",
    positionals: ["URL"],
    options: [
      { name: "for", value: "SECONDS", help: "how long to listen (10)" },
      { name: "parameters", help: "print every parameter (always in --json)" },
    ],
  },
  async run(args, { say, signal }) {
    const duration = args.number("for", 10, 0.5, 3600);
    if (!duration.ok) return failed(duration.error, 2);
    const [url = ""] = args.positionals;
    const address = parseStationAddress(url, false);
    if (!address.ok) return failed(`link: ${address.error}`, 2);
    const clock = realClock();
    const texts: string[] = [];
    let complete = false;
    const link: VehicleLink = new VehicleLink({
      clock,
      ceiling_m: () => defaultLimits.ceiling_m,
      onText: (text) => texts.push(text.text),
      onPose: () => {},
      onCommand: () => {},
      onServices: (services) => {
        void services.parameters.list().then(() => {
          link.parametersComplete(true);
          complete = true;
        });
      },
    });
    let embedded: Embedded | null = null;
    try {
      if (address.value.embedded === null) {
        const opened = await link.hub.open(url);
        if (!opened.ok)
          return failed(`link: ${opened.error.message}`, opened.error.kind === "bad_address" ? 2 : 1);
      } else {
        const started = await startEmbedded(
          { ...address.value.embedded, speed: "1", extra: [], onText: () => {}, onExit: say },
          (listen) => link.hub.open(listen),
        );
        if (!started.ok) return failed(`link: ${started.error}`);
        embedded = started.value;
      }
      const since_ms = clock.now_ms();
      const most_ms = duration.value * 1000;
      await waitFor(clock, () => {
        if (signal.aborted) return true;
        const waited_ms = clock.now_ms() - since_ms;
        const reading = link.services !== null && !complete;
        return waited_ms >= most_ms && (!reading || waited_ms >= most_ms + PARAMETERS_EXTRA_ms);
      });
      const seconds = (clock.now_ms() - since_ms) / 1000;
      if (link.vehicle.system_id === null) return unheard(url, duration.value, link.hub.status());
      return report(link, seconds, texts, args.has("parameters"));
    } finally {
      await embedded?.close();
      await link.close();
    }
  },
};

function waitFor(clock: Clock, holds: () => boolean): Promise<void> {
  return new Promise((done) => {
    const cancel = clock.every(100, () => {
      if (!holds()) return;
      cancel();
      done();
    });
  });
}

function unheard(url: string, seconds: number, links: readonly LinkStatus[]): VerbResult {
  const advice =
    links.map((l) => l.advice).find((a) => a !== "") ?? "Is it on, and does it send to this address?";
  const text = `link: no vehicle heard at ${url} in ${String(seconds)} s. ${advice}`;
  return failed(text, 1, { autopilot: null, links });
}

function report(
  link: VehicleLink,
  seconds: number,
  texts: readonly string[],
  listParameters: boolean,
): VerbResult {
  const { vehicle, services } = link;
  const links = link.hub.status();
  const rates = ratesOf(link, seconds);
  const loss = Math.max(0, ...links.map((one) => one.loss));
  const { received, count } = vehicle.parameters;
  const values = Object.fromEntries(
    [...(services?.parameters.all.values() ?? [])]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((p) => [p.name, p.value]),
  );
  const components = (services?.discovery.components ?? []).map(({ component_id, kind, name, model }) => ({
    component_id,
    kind,
    name,
    model,
  }));
  const { autopilot, type, firmware, git_hash, system_id, component_id, armed, arming, failsafes } = vehicle;
  const lines = [
    `${autopilot} ${type}, firmware ${firmware ?? "unknown"} (${git_hash ?? "no hash"}), system ${String(system_id)}`,
    `mode ${vehicle.mode_label}, ${armed ? "armed" : "disarmed"}; loss ${(100 * loss).toFixed(1)} %; parameters ${String(received)} of ${count === null ? "?" : String(count)}`,
    "messages",
    ...Object.entries(rates).map(([name, hz]) => `  ${hz.toFixed(1).padStart(7)} Hz  ${name}`),
    "arming",
    ...armingLines(arming),
    "if something fails",
    ...(failsafes.length === 0
      ? ["  its failsafe parameters are not known"]
      : failsafes.map((f) => `  ${f.sentence}${f.blocks ? " This blocks arming." : ""}`)),
    "components",
    ...components.map((c) => `  ${c.name}${c.model === "" ? "" : ` (${c.model})`}`),
    ...(texts.length === 0 ? [] : ["it says", ...[...new Set(texts)].map((text) => `  ${text}`)]),
    ...(listParameters
      ? ["parameters", ...Object.entries(values).map(([n, v]) => `  ${n} ${String(v)}`)]
      : []),
  ];
  const json = {
    ...{ autopilot, type, firmware, git_hash, system_id, component_id, rates, loss },
    parameters: { received, count, values },
    ...{ arming, failsafes, components, texts, mode: vehicle.mode_label, armed, links },
  };
  return { code: 0, json, text: lines.join("\n") };
}

/** Messages a second of the vehicle, most frequent first. */
function ratesOf(link: VehicleLink, seconds: number): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { system_id, name, count } of link.inspector.messages())
    if (system_id === link.vehicle.system_id) counts.set(name, (counts.get(name) ?? 0) + count);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return Object.fromEntries(sorted.map(([name, n]) => [name, Math.round((100 * n) / seconds) / 100]));
}

const armingLines = (arming: VehicleState["arming"]): readonly string[] =>
  arming.length === 0
    ? ["  ready to arm"]
    : arming.map((issue) => `  ${issue.severity} arming: ${issue.text}. ${issue.advice}`);
