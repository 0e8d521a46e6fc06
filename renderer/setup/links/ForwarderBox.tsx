import { type SubmitEvent, useState } from "react";
import { useLinkStore, useStores } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { fixed } from "../../ui/format";
import { Toggle } from "../../ui/Toggle";
import { Advice, Box, Figure, Word } from "../parts";
import css from "../Setup.module.css";

/** Other ground stations: they watch, and command only when that is switched on. */
export function ForwarderBox() {
  const stores = useStores();
  const forwarder = useLinkStore((link) => link.forwarder);
  const [address, setAddress] = useState(forwarder.address ?? "udpout://192.168.1.20:14550");
  const on = forwarder.state === "open";
  const set = (to: string | null, may_command: boolean): void =>
    void tell(stores, stores.bridge.request("link.forward", { address: to, may_command }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    set(address.trim(), forwarder.may_command);
  };
  return (
    <Box
      title="Other ground stations"
      right={on ? <Word tone="good">forwarding</Word> : "nothing is passed on"}
    >
      {forwarder.state === "failed" && <Advice tone="warning">{forwarder.reason}</Advice>}
      <form className={css.form} onSubmit={submit}>
        <label className={css.row}>
          <span>Pass on to</span>
          <input value={address} spellCheck={false} onChange={(event) => setAddress(event.target.value)} />
        </label>
        <div className={css.row}>
          <span>Commands</span>
          <Toggle
            on={forwarder.may_command}
            label={
              forwarder.may_command
                ? "they may command the vehicle"
                : "they watch; their commands are held back"
            }
            onChange={on ? (may_command) => set(forwarder.address, may_command) : undefined}
          />
        </div>
        {forwarder.may_command && on && (
          <Advice>Another station can fly this vehicle. Its commands pass no check of this station.</Advice>
        )}
        {on && (
          <dl className={css.figures}>
            <Figure name="passed on" value={`${fixed(forwarder.to_stations_per_s, 0)} /s`} />
            <Figure name="held back" value={String(forwarder.held_back)} />
            <Figure name="let through" value={String(forwarder.passed)} />
          </dl>
        )}
        <div className={css.end}>
          {on && <Button onClick={() => set(null, false)}>Stop</Button>}
          <Button type="submit">{on ? "Pass on there instead" : "Start"}</Button>
        </div>
      </form>
    </Box>
  );
}
