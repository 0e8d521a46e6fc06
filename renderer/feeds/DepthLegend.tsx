import css from "./Feeds.module.css";

/** Which colour is how far. Black on the picture is "no measurement": too near, too shiny, or shadowed. */
export function DepthLegend({ range_m: [near_m, far_m] }: { readonly range_m: readonly [number, number] }) {
  const middle_m = (near_m + far_m) / 2;
  return (
    <div className={css.legend} role="img" aria-label={`Depth scale from ${near_m} to ${far_m} metres`}>
      <span className={css.ramp} />
      <span className={css.ticks}>
        <span>{near_m.toFixed(2)}</span>
        <span>{middle_m.toFixed(1)}</span>
        <span>{far_m.toFixed(1)} m</span>
      </span>
      <span className={css.none}>■ none</span>
    </div>
  );
}
