import { ok } from "#contract/result";
import type { Clock } from "../../platform/clock";
import { LockstepClock } from "../../platform/lockstep-clock";
import type { Home } from "../../platform/paths";
import type { VehicleText } from "../../vehicle";
import type { EventNews } from "../../vehicle/arming-events";
import { VehicleLink, type VehicleLinkOptions } from "../vehicle-link";
import type { KeyStore } from "./key-store";
import { LinkDesk, storedSite } from "./link-desk";
import { openLinkSettings } from "./link-settings";
import { RelayDesk } from "./relay-desk";
import { SigningDesk } from "./signing-desk";

export interface SessionLinkOptions
  extends Pick<VehicleLinkOptions, "ceiling_m" | "onText" | "onPose" | "onCommand"> {
  readonly clock: Clock;
  readonly home: Home;
  readonly keys: KeyStore;
  readonly address: string;
  readonly embedded: boolean;
  /** The estimator moved its frame in flight; the site has stayed. */
  readonly onFrameMoved: (jump_m: number, turn_rad: number) => void;
}

export interface SessionLink {
  readonly link: VehicleLink;
  readonly desk: LinkDesk;
  /** Before the first link is opened: the key must be known. */
  ready(): Promise<void>;
}

/** Events of these groups are reasons not to arm and stand in the arming report. */
const arming = new Set(["arming_check", "health"]);
const SAME_TEXT_ms = 3000;

/** The links of one connection with everything that the screens ask of them. */
export function sessionLink(options: SessionLinkOptions): SessionLink {
  const { clock, home, embedded } = options;
  const file = openLinkSettings(home);
  let settings = file.value;
  const keep = (changes: Partial<typeof settings>) => {
    const next = { ...settings, ...changes };
    const written = file.write(next);
    if (!written.ok) return written;
    settings = next;
    return ok(undefined);
  };
  const signing = new SigningDesk({
    clock,
    store: options.keys,
    accept_unsigned: settings.accept_unsigned,
    onChange: () => {},
  });
  const recent: { text: string; at_ms: number }[] = [];
  const say = (text: VehicleText): void => {
    recent.push({ text: text.text.trim(), at_ms: clock.now_ms() });
    if (recent.length > 50) recent.shift();
    options.onText(text);
  };
  const link: VehicleLink = new VehicleLink({
    clock,
    ceiling_m: options.ceiling_m,
    site: () => storedSite(settings, embedded),
    // The embedded vehicle does not sign, as PX4 1.17 does not.
    ...(embedded ? {} : { signer: (address: string) => signing.signer(address) }),
    onText: say,
    onPose: options.onPose,
    onCommand: options.onCommand,
    onReset: (jump_m, turn_rad, reanchored) => {
      desk.site.noteReset(jump_m);
      if (reanchored) options.onFrameMoved(jump_m, turn_rad);
    },
    onServices: (services, vehicle) => {
      desk.serve(services, vehicle);
    },
    words: (event) => desk.parameters.words(event),
    onEvent: (news) => {
      announce(news);
    },
  });
  const relay = new RelayDesk({
    clock,
    hub: () => link.hub,
    site: () => storedSite(settings, embedded),
  });
  const desk: LinkDesk = new LinkDesk({
    clock,
    link,
    home,
    // An embedded vehicle is asked for as sim:// and heard over the UDP port that is opened first, for it.
    own: () => (embedded ? link.hub.status()[0]?.address : options.address),
    embedded,
    lockstep: clock instanceof LockstepClock,
    signing,
    relay,
    settings: () => settings,
    keep,
  });

  /** Events that no text repeats, in the vehicle's own words. */
  function announce(news: EventNews): void {
    if (news.kind !== "event") return;
    const words = desk.parameters.words(news.event);
    const { system_id, component_id } = link.vehicle;
    if (words === null || arming.has(words.group) || system_id === null || component_id === null) return;
    const now_ms = clock.now_ms();
    if (recent.some((one) => one.text === words.text && now_ms - one.at_ms < SAME_TEXT_ms)) return;
    // Level 8 is the protocol's own; 7 is debugging.
    if (words.text === "" || news.event.level >= 7) return;
    say({ at_ms: now_ms, severity: news.event.level, system_id, component_id, text: words.text, count: 1 });
  }

  return {
    link,
    desk,
    ready: async () => {
      if (!embedded) await signing.load();
    },
  };
}
