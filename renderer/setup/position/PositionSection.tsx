import { type SubmitEvent, useState } from "react";
import type { SiteStatus } from "#contract/link-detail";
import { useLinkStore, useNow, useSettingsStore, useStores, useVehicleStore } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { age, degrees, fixed, length, small_length } from "../../ui/format";
import { parseDecimal } from "../../ui/parse";
import { Advice, Box, Figure, Word } from "../parts";
import css from "../Setup.module.css";
import { say } from "../useStation";
import { OriginBox } from "./OriginBox";
import { qualityText } from "./quality";
import { RelayBox } from "./RelayBox";
import { checkTone, fusionWords } from "./words";

/** Motion capture or vision: what the vehicle makes of it, how it is relayed, and where the site lies in its frame. */
export function PositionSection() {
  return (
    <div className={css.columns}>
      <div>
        <Status />
        <RelayBox />
      </div>
      <div>
        <Transform />
        <OneMetre />
        <OriginBox />
      </div>
    </div>
  );
}

function Status() {
  const external = useLinkStore((link) => link.external);
  const estimate = useVehicleStore((vehicle) => vehicle.estimate);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const { tone, text } = fusionWords(external);
  return (
    <Box title="As the vehicle uses it" right={<Word tone={tone}>{text}</Word>}>
      <dl className={css.figures}>
        <Figure name="rate" value={external.rate_hz === null ? "–" : `${fixed(external.rate_hz, 1)} Hz`} />
        <Figure name="age" value={age(external.age_ms)} />
        <Figure name="quality" value={qualityText(external.quality)} />
        <Figure name="estimator resets" value={String(external.resets)} />
        <Figure name="position from" value={estimate.source} />
        <Figure name="position, 1 sigma" value={small_length(estimate.horizontal_sigma_m, units)} />
      </dl>
    </Box>
  );
}

/** Where the site lies in the vehicle's local frame, and how often the estimator has moved that frame. */
function Transform() {
  const stores = useStores();
  const site = useLinkStore((link) => link.site);
  const armed = useVehicleStore((vehicle) => vehicle.armed);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const now_ms = useNow(1000);
  const fields = [
    ["Turn", "°", (site.yaw_rad * 180) / Math.PI],
    ["East", "m", site.offset_enu_m[0]],
    ["North", "m", site.offset_enu_m[1]],
    ["Up", "m", site.offset_enu_m[2]],
  ] as const;
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const values = fields.map(([name, , value]) => {
    const text = texts[name];
    return text === undefined ? value : parseDecimal(text);
  });
  const touched = Object.keys(texts).length > 0;
  const wrong = values.some((value) => value === null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const [turn, east, north, up] = values;
    if (turn == null || east == null || north == null || up == null || armed || !touched) return;
    void tell(
      stores,
      stores.bridge.request("site.set", { yaw_rad: (turn * Math.PI) / 180, offset_enu_m: [east, north, up] }),
    ).then((taken) => {
      if (!taken) return;
      setTexts({});
      say(stores, "The site's place in the vehicle's frame is kept");
    });
  };
  return (
    <Box title="Site in the vehicle's frame" right={resetText(site, now_ms, units)}>
      <p className={css.note}>
        The vehicle's local frame, turned about the vertical and then moved, is the site. After a reset of its
        estimator the station moves the frame back, so that neither objects nor plans jump.
      </p>
      <form className={css.form} onSubmit={submit}>
        <div className={css.quads}>
          {fields.map(([name, unit, value], i) => (
            <label key={name}>
              {name}, {unit}
              <input
                inputMode="decimal"
                value={texts[name] ?? value.toFixed(unit === "m" ? 3 : 2)}
                aria-invalid={values[i] === null}
                onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
              />
            </label>
          ))}
        </div>
        {armed && <Advice>The vehicle is armed: the site can be moved only on the ground.</Advice>}
        <div className={css.end}>
          <Button aria-disabled={!touched} onClick={() => setTexts({})}>
            Undo
          </Button>
          <Button type="submit" tone="intent" aria-disabled={!touched || wrong || armed}>
            Keep
          </Button>
        </div>
      </form>
    </Box>
  );
}

function resetText(site: SiteStatus, now_ms: number, units: "metric" | "feet"): string {
  if (site.resets === 0) return "no reset since the connection";
  const when = site.last_reset_at_ms === null ? "" : `, ${age(now_ms - site.last_reset_at_ms)} ago`;
  const jump = site.last_jump_m === null ? "" : `, the last by ${small_length(site.last_jump_m, units)}`;
  return `${site.resets} ${site.resets === 1 ? "reset" : "resets"} taken out${jump}${when}`;
}

/** Carry the vehicle one metre along the site's x axis: is the frame turned or scaled? */
function OneMetre() {
  const stores = useStores();
  const check = useLinkStore((link) => link.site.check);
  const armed = useVehicleStore((vehicle) => vehicle.armed);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const step = (name: "begin" | "end" | "adopt"): void =>
    void tell(stores, stores.bridge.request("site.check", { step: name }));
  const carrying = check?.state === "carrying";
  return (
    <Box
      title="One-metre check"
      right={check === null ? "not done" : <Word tone={checkTone(check)}>{verdictText[check.verdict]}</Word>}
    >
      <p>
        Put the disarmed vehicle on a mark, begin, carry it 1 m along the site's east axis, and end. The
        distance and the direction in its own frame must agree.
      </p>
      {check !== null && (
        <>
          <dl className={css.figures}>
            <Figure name="carried" value={length(check.carried_m, units)} />
            <Figure name="direction in its frame" value={degrees(check.bearing_rad, 1)} />
            <Figure name="turned against the site" value={degrees(check.yaw_error_rad, 1)} />
          </dl>
          <p role="status">{check.text}</p>
        </>
      )}
      {armed && <Advice>Only with the vehicle disarmed.</Advice>}
      <div className={css.end}>
        {check !== null && check.state === "done" && check.verdict === "turned" && (
          <Button aria-disabled={armed} onClick={() => !armed && step("adopt")}>
            Adopt this turn
          </Button>
        )}
        <Button
          tone="intent"
          aria-disabled={armed}
          onClick={() => !armed && step(carrying ? "end" : "begin")}
        >
          {carrying ? "End" : check === null ? "Begin" : "Begin again"}
        </Button>
      </div>
    </Box>
  );
}

const verdictText = {
  carry_further: "carry it further",
  agrees: "agrees",
  turned: "the frame is turned",
  scale_wrong: "the distance is wrong",
} as const;
