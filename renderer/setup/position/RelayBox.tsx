import { type SubmitEvent, useState } from "react";
import { useLinkStore, useStores } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { age, fixed } from "../../ui/format";
import { parseDecimal } from "../../ui/parse";
import { Advice, Box, Figure, Word } from "../parts";
import css from "../Setup.module.css";
import { qualityText } from "./quality";
import { relayWords } from "./words";

/** Poses of a tracker, passed on to the vehicle as ODOMETRY by a process of its own. */
export function RelayBox() {
  const stores = useStores();
  const relay = useLinkStore((link) => link.external.relay);
  const [source, setSource] = useState(relay.source === "" ? "udp://0.0.0.0:9870" : relay.source);
  const [texts, setTexts] = useState({ turn: "0", east: "0", north: "0", up: "0" });
  const { tone, text } = relayWords[relay.state];
  const on = relay.state !== "off";
  const numbers = [texts.turn, texts.east, texts.north, texts.up].map(parseDecimal);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const [turn, east, north, up] = numbers;
    if (turn == null || east == null || north == null || up == null) return;
    void tell(
      stores,
      stores.bridge.request("relay.set", {
        source: source.trim(),
        yaw_rad: (turn * Math.PI) / 180,
        offset_enu_m: [east, north, up],
      }),
    );
  };
  const stop = (): void =>
    void tell(
      stores,
      stores.bridge.request("relay.set", { source: null, yaw_rad: 0, offset_enu_m: [0, 0, 0] }),
    );
  return (
    <Box title="Relay of a pose stream" right={<Word tone={tone}>{text}</Word>}>
      {relay.state === "failed" && <Advice tone="warning">{relay.detail}</Advice>}
      {relay.state !== "failed" && relay.detail !== "" && <p className={css.note}>{relay.detail}</p>}
      {on && (
        <dl className={css.figures}>
          <Figure name="rate" value={`${fixed(relay.rate_hz, 1)} Hz`} />
          <Figure name="age" value={age(relay.age_ms)} />
          <Figure name="quality" value={qualityText(relay.quality)} />
          <Figure name="resets" value={String(relay.resets)} />
          <Figure name="sent" value={String(relay.sent)} />
          <Figure name="refused" value={String(relay.refused)} />
        </dl>
      )}
      <form className={css.form} onSubmit={submit}>
        <label className={css.row}>
          <span>Listen at</span>
          <input value={source} spellCheck={false} onChange={(event) => setSource(event.target.value)} />
        </label>
        <p className={css.note}>From the tracker's frame, z up, to the site:</p>
        <div className={css.quads}>
          {(
            [
              ["turn", "Turn, °"],
              ["east", "East, m"],
              ["north", "North, m"],
              ["up", "Up, m"],
            ] as const
          ).map(([key, label], i) => (
            <label key={key}>
              {label}
              <input
                inputMode="decimal"
                value={texts[key]}
                aria-invalid={numbers[i] === null}
                onChange={(event) => setTexts({ ...texts, [key]: event.target.value })}
              />
            </label>
          ))}
        </div>
        <div className={css.end}>
          {on && <Button onClick={stop}>Stop</Button>}
          <Button type="submit" aria-disabled={numbers.some((value) => value === null)}>
            {on ? "Start anew" : "Start"}
          </Button>
        </div>
      </form>
    </Box>
  );
}
