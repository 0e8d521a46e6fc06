import { type SubmitEvent, useState } from "react";
import type { SerialPortRow } from "#contract/link-ipc";
import { useLinkStore, useSettingsStore, useStores, useVehicleStore } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { Toggle } from "../../ui/Toggle";
import { Box } from "../parts";
import css from "../Setup.module.css";
import { say, usePolled } from "../useStation";
import { addressForms } from "./words";

/** Where to connect to, or one more way to the same vehicle. */
export function Connect() {
  const stores = useStores();
  const known = useSettingsStore((settings) => settings.connect);
  const connected = useLinkStore((link) => link.connected);
  const armed = useVehicleStore((vehicle) => vehicle.armed);
  const [address, setAddress] = useState(known.address);
  const [simulated, setSimulated] = useState(known.simulated);
  const [busy, setBusy] = useState(false);
  const own = address.startsWith("sim://");
  const ask = async (
    question: Promise<{ ok: true } | { ok: false; reason: string }>,
    done: string,
  ): Promise<void> => {
    setBusy(true);
    if (await tell(stores, question)) say(stores, done);
    setBusy(false);
  };
  const text = address.trim();
  const connect = (event: SubmitEvent): void => {
    event.preventDefault();
    if (busy || armed) return;
    void ask(
      stores.bridge.request("station.connect", { address: text, simulated: simulated && !own }),
      `Connected to ${text}`,
    );
  };
  const add = (): void => {
    if (busy || own) return;
    void ask(stores.bridge.request("link.add", { address: text }), `${text} is open beside the others`);
  };
  return (
    <Box title="Connect">
      <form className={css.form} onSubmit={connect}>
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
          {addressForms.map(([form, what]) => (
            <option key={form} value={form}>
              {what}
            </option>
          ))}
        </datalist>
        <Ports onChoose={setAddress} />
        <div className={css.row}>
          <span>Simulated</span>
          <Toggle
            on={simulated || own}
            label={own ? "always, for the embedded vehicle" : "I declare that a simulator answers there"}
            onChange={own ? undefined : setSimulated}
          />
        </div>
        <p className={css.note}>
          {armed
            ? "The vehicle is armed: land and disarm it before connecting elsewhere."
            : "Anything not declared simulated is treated as hardware."}
        </p>
        <div className={css.end}>
          {connected && (
            <Button aria-disabled={busy || own} onClick={add} title="Keeps the present connection">
              Add as another link
            </Button>
          )}
          <Button type="submit" tone="intent" aria-disabled={busy || armed}>
            {busy ? "Connecting" : "Connect"}
          </Button>
        </div>
      </form>
    </Box>
  );
}

/** Serial ports of this computer that may lead to an autopilot, likely ones first. */
function Ports({ onChoose }: { readonly onChoose: (address: string) => void }) {
  const { answer } = usePolled("link.ports", {}, 3000);
  if (answer === null || answer.length === 0) return null;
  const likely = [...answer].sort((a, b) => Number(a.autopilot === null) - Number(b.autopilot === null));
  return (
    <div className={css.row}>
      <span>Plugged in</span>
      <div className={css.chips}>
        {likely.slice(0, 6).map((port) => (
          <Button key={port.path} size="small" onClick={() => onChoose(port.address)} title={port.address}>
            {portName(port)}
          </Button>
        ))}
      </div>
    </div>
  );
}

const portName = ({ path, autopilot }: SerialPortRow): string =>
  autopilot === null ? path : `${autopilot} · ${path}`;
