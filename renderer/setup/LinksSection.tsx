import { CircleCheck, CircleDashed, OctagonAlert, TriangleAlert } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import type { LinkStatus } from "#contract/vehicle";
import { useLinksStore, useNow, useSettingsStore, useStores } from "../stores/context";
import { tell } from "../stores/stores";
import { Button } from "../ui/Button";
import { age, byteRate, fixed, percent } from "../ui/format";
import { Toggle } from "../ui/Toggle";
import css from "./Setup.module.css";

export function LinksSection() {
  const links = useLinksStore((state) => state.links);
  return (
    <>
      <Connect />
      {links.length === 0 ? (
        <p className={css.note}>No link is open. Its rates, losses and faults will stand here.</p>
      ) : (
        links.map((link) => <Link key={link.address} link={link} />)
      )}
    </>
  );
}

const forms = [
  ["sim://office?seed=1", "the embedded vehicle"],
  ["udpin://0.0.0.0:14550", "listen for a vehicle or simulator"],
  ["serial:///dev/ttyACM0:57600", "a cable or telemetry radio"],
] as const;

function Connect() {
  const stores = useStores();
  const known = useSettingsStore((settings) => settings.connect);
  const [address, setAddress] = useState(known.address);
  const [simulated, setSimulated] = useState(known.simulated);
  const own = address.startsWith("sim://");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void tell(
      stores,
      stores.bridge.request("station.connect", { address: address.trim(), simulated: simulated && !own }),
    );
  };
  return (
    <form className={css.box} onSubmit={submit}>
      <label className={css.row}>
        <span>Address</span>
        <input
          value={address}
          spellCheck={false}
          list="address-forms"
          onChange={(event) => setAddress(event.target.value)}
        />
      </label>
      <datalist id="address-forms">
        {forms.map(([form, what]) => (
          <option key={form} value={form}>
            {what}
          </option>
        ))}
      </datalist>
      <div className={css.row}>
        <span>Simulated</span>
        <Toggle
          on={simulated || own}
          label={own ? "always, for the embedded vehicle" : "I declare that a simulator answers there"}
          onChange={own ? undefined : setSimulated}
        />
      </div>
      <div className={css.end}>
        <span className={css.note}>Anything not declared simulated is treated as hardware.</span>
        <Button type="submit" tone="intent">
          Connect
        </Button>
      </div>
    </form>
  );
}

const states = {
  opening: { word: "opening", Icon: CircleDashed, tone: "quiet" },
  open: { word: "open", Icon: CircleCheck, tone: "quiet" },
  silent: { word: "silent", Icon: TriangleAlert, tone: "caution" },
  failed: { word: "failed", Icon: OctagonAlert, tone: "warning" },
  closed: { word: "closed", Icon: CircleDashed, tone: "quiet" },
} as const;

/** Unsigned, replayed, wrong key: four different things on the screen. */
const signing_words: Readonly<Record<LinkStatus["signing"], string>> = {
  off: "off",
  ok: "signed and verified",
  unsigned: "frames arrive unsigned",
  replayed: "old timestamps: replayed frames are refused",
  wrong_key: "signed with another key",
  no_key: "signed, but no key is set here",
};

function Link({ link }: { readonly link: LinkStatus }) {
  const now_ms = useNow(500);
  const { word, Icon, tone } = states[link.state];
  const faults = Object.entries(link.faults).filter(([, count]) => count > 0);
  return (
    <section className={css.box} aria-label={`Link ${link.address}`}>
      <header className={css.boxHead} data-tone={tone}>
        <Icon size={15} aria-hidden />
        <b data-selectable>{link.address}</b>
        <span>
          {word}
          {link.primary && " · primary"}
        </span>
      </header>
      {link.advice !== "" && <p className={css.advice}>{link.advice}</p>}
      <dl className={css.figures}>
        <Figure name="received" value={byteRate(link.bytes_per_s)} />
        <Figure name="frames" value={`${fixed(link.frames_per_s, 0)} /s`} />
        <Figure name="loss, 10 s" value={percent(link.loss, 1)} />
        <Figure
          name="last frame"
          value={link.last_frame_at_ms === null ? "none yet" : `${age(now_ms - link.last_frame_at_ms)} ago`}
        />
        <Figure name="signing" value={signing_words[link.signing]} />
        <Figure
          name="faults"
          value={
            faults.length === 0
              ? "none"
              : faults.map(([kind, count]) => `${count} ${kind.replaceAll("_", " ")}`).join(", ")
          }
        />
      </dl>
    </section>
  );
}

export const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd data-selectable>{value}</dd>
  </div>
);
