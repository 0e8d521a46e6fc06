import type { ReactNode } from "react";
import css from "./Panel.module.css";

interface PanelProps {
  readonly title: string;
  /** Facts at the right end of the header: rates, ages, counts. */
  readonly right?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  /** No visible header: where the body names itself. */
  readonly bare?: boolean | undefined;
  /** The machine's frame colour: for the one panel that asks for a decision. */
  readonly tone?: "machine" | undefined;
}

/** A titled region with its facts at the right end of the header; the body fills what is left. */
export function Panel({ title, right, children, className, bare, tone }: PanelProps) {
  return (
    <section aria-label={title} className={[css.panel, className].join(" ")} data-tone={tone}>
      {bare !== true && (
        <header className={css.header}>
          <h2 className={css.title}>{title}</h2>
          {right !== undefined && <div className={css.right}>{right}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

interface EmptyProps {
  /** What the panel would show. */
  readonly what: string;
  /** The one action that fills it. */
  readonly how?: ReactNode;
}

export function Empty({ what, how }: EmptyProps) {
  return (
    <div className={css.empty}>
      <p>{what}</p>
      {how !== undefined && <div className={css.how}>{how}</div>}
    </div>
  );
}
