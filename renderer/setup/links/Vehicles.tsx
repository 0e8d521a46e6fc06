import type { HeardVehicle } from "#contract/link-detail";
import { useLinkStore, useNow, useStores, useVehicleStore } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { age, fixed } from "../../ui/format";
import { Box, Nothing, Word } from "../parts";
import css from "../Setup.module.css";
import { makerOf, streamNote } from "./words";

/** Everyone who is heard. One is selected: screens and commands mean that one. */
export function Vehicles() {
  const vehicles = useLinkStore((link) => link.vehicles);
  const components = useLinkStore((link) => link.components);
  return (
    <Box title="Vehicles" right={vehicles.length === 1 ? "1 heard" : `${vehicles.length} heard`}>
      {vehicles.length === 0 && (
        <Nothing what="No vehicle has sent a heartbeat. Bytes without heartbeats are shown with their link." />
      )}
      {vehicles.map((vehicle) => (
        <Vehicle key={vehicle.system_id} vehicle={vehicle} />
      ))}
      {components.length > 1 && (
        <p className={css.note}>
          On board:{" "}
          {components.map(({ name, model }) => (model === "" ? name : `${name} (${model})`)).join(", ")}
        </p>
      )}
    </Box>
  );
}

function Vehicle({ vehicle }: { readonly vehicle: HeardVehicle }) {
  const stores = useStores();
  const now_ms = useNow(500);
  const present_armed = useVehicleStore((state) => state.armed);
  const { system_id, selected, links, primary, primary_chosen } = vehicle;
  const select = (): void => {
    if (!present_armed) void tell(stores, stores.bridge.request("link.select", { system_id }));
  };
  const prefer = (address: string | null): void =>
    void tell(stores, stores.bridge.request("link.primary", { system_id, address }));
  return (
    <div className={css.heard} data-selected={selected}>
      <div className={css.boxHead}>
        <b>
          System {system_id} · {vehicle.type} · {makerOf(vehicle.autopilot)}
        </b>
        <span>{age(now_ms - vehicle.heartbeat_at_ms)} ago</span>
      </div>
      <p>
        {vehicle.armed ? <Word tone="caution">armed</Word> : "disarmed"} · {vehicle.mode_label}
      </p>
      {links.length > 1 && (
        <label className={css.row}>
          <span>Primary link</span>
          <select
            value={primary_chosen ? primary : ""}
            onChange={(event) => prefer(event.target.value === "" ? null : event.target.value)}
          >
            <option value="">the best one (now {primary})</option>
            {links.map(({ address }) => (
              <option key={address} value={address}>
                {address}
              </option>
            ))}
          </select>
        </label>
      )}
      {selected ? (
        <p className={css.note}>Selected: screens and commands mean this vehicle.</p>
      ) : (
        <div className={css.end}>
          <span className={css.note}>
            {present_armed ? "The selected vehicle is armed: disarm it before selecting another." : ""}
          </span>
          <Button size="small" aria-disabled={present_armed} onClick={select}>
            Select this vehicle
          </Button>
        </div>
      )}
    </div>
  );
}

/** What was asked of the vehicle, and what it and the radio made of it. */
export function Streams() {
  const streams = useLinkStore((link) => link.streams);
  const time = useLinkStore((link) => link.time);
  return (
    <Box
      title="Streams asked for"
      right={time.round_trip_ms === null ? "no time answer" : `round trip ${fixed(time.round_trip_ms, 1)} ms`}
    >
      {streams.length === 0 ? (
        <Nothing what="Nothing was asked for yet." />
      ) : (
        <table className={css.plain}>
          <thead>
            <tr>
              <th scope="col">Message</th>
              <th scope="col">Rate</th>
              <th scope="col">Answer</th>
            </tr>
          </thead>
          <tbody>
            {streams.map((stream) => {
              const note = streamNote(stream);
              return (
                <tr key={stream.name}>
                  <th scope="row">{stream.name}</th>
                  <td>
                    {fixed(stream.asked_hz, stream.asked_hz < 1 ? 1 : 0)} Hz
                    {stream.asked_hz < stream.wanted_hz && ` of ${fixed(stream.wanted_hz, 0)}`}
                  </td>
                  <td>
                    <Word tone={note.tone}>{note.text}</Word>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Box>
  );
}
