import { type SubmitEvent, useState } from "react";
import { useStores, useVehicleStore } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { fixed } from "../../ui/format";
import { parseDecimal } from "../../ui/parse";
import { Advice, Box, Figure } from "../parts";
import css from "../Setup.module.css";
import { say, usePolled } from "../useStation";

const limits = { latitude: 90, longitude: 180, altitude: 9000 } as const;
type Field = keyof typeof limits;

/** Where the local frame lies on the globe: plans and some modes need it even indoors. */
export function OriginBox() {
  const stores = useStores();
  const armed = useVehicleStore((vehicle) => vehicle.armed);
  const { answer } = usePolled("plan.origin", {}, 2000);
  const [texts, setTexts] = useState<Readonly<Record<Field, string>>>({
    latitude: "",
    longitude: "",
    altitude: "0",
  });
  const origin = answer?.origin ?? null;
  const read = (field: Field): number | null => {
    const value = parseDecimal(texts[field]);
    return value !== null && Math.abs(value) <= limits[field] ? value : null;
  };
  const values = { latitude: read("latitude"), longitude: read("longitude"), altitude: read("altitude") };
  const good = values.latitude !== null && values.longitude !== null && values.altitude !== null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { latitude: latitude_deg, longitude: longitude_deg, altitude: altitude_m } = values;
    if (latitude_deg === null || longitude_deg === null || altitude_m === null || armed) return;
    void tell(
      stores,
      stores.bridge.request("vehicle.set_origin", { latitude_deg, longitude_deg, altitude_m }),
    ).then((taken) => {
      if (taken) say(stores, "Origin sent to the vehicle");
    });
  };
  return (
    <Box title="Origin on the globe" right={origin === null ? "none" : "set"}>
      {origin === null ? (
        <p className={css.note}>
          The vehicle has no global origin. Fences and missions cannot be sent without one, and PX4 refuses
          hold under motion capture. Any place near the site will do.
        </p>
      ) : (
        <dl className={css.figures}>
          <Figure name="latitude" value={`${fixed(origin.latitude_deg, 7)}°`} />
          <Figure name="longitude" value={`${fixed(origin.longitude_deg, 7)}°`} />
          <Figure name="above sea level" value={`${fixed(origin.altitude_m, 1)} m`} />
        </dl>
      )}
      <form className={css.form} onSubmit={submit}>
        <div className={css.quads}>
          {(
            [
              ["latitude", "Latitude, °"],
              ["longitude", "Longitude, °"],
              ["altitude", "Sea level, m"],
            ] as const
          ).map(([field, label]) => (
            <label key={field}>
              {label}
              <input
                inputMode="decimal"
                value={texts[field]}
                aria-invalid={texts[field] !== "" && values[field] === null}
                onChange={(event) => setTexts({ ...texts, [field]: event.target.value })}
              />
            </label>
          ))}
        </div>
        {armed && <Advice>The vehicle is armed: its origin stays where it is.</Advice>}
        <div className={css.end}>
          <Button type="submit" aria-disabled={!good || armed}>
            Send this origin
          </Button>
        </div>
      </form>
    </Box>
  );
}
