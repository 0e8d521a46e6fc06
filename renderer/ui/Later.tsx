import type { ReactNode } from "react";
import css from "./Later.module.css";

interface LaterProps {
  readonly title: string;
  /** One sentence: what this workspace is for. */
  readonly what: string;
  readonly shows: readonly (readonly [string, string])[];
  /** What can be done today instead. */
  readonly today: ReactNode;
}

/** A workspace whose part of the station does not exist in this version: it says so, and what it will be. */
export function Later({ title, what, shows, today }: LaterProps) {
  return (
    <section className={css.later} aria-label={title}>
      <div className={css.sheet}>
        <h2>{title}</h2>
        <p className={css.state}>Not in this version</p>
        <p>{what}</p>
        <dl>
          {shows.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <div className={css.today}>{today}</div>
      </div>
    </section>
  );
}
