import { CircleCheck, LoaderCircle, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import css from "./Setup.module.css";

/** One fact: its name small above it. */
export const Figure = ({ name, value }: { readonly name: string; readonly value: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd data-selectable>{value}</dd>
  </div>
);

interface BoxProps {
  readonly title: string;
  /** Beside the title: how it stands. */
  readonly right?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a section. */
export const Box = ({ title, right, children }: BoxProps) => (
  <section className={css.box} aria-label={title}>
    <header className={css.boxHead}>
      <h3>{title}</h3>
      {right !== undefined && <span>{right}</span>}
    </header>
    {children}
  </section>
);

export type Tone = "quiet" | "waiting" | "good" | "caution" | "warning";

const icons = {
  waiting: LoaderCircle,
  good: CircleCheck,
  caution: TriangleAlert,
  warning: OctagonAlert,
} as const;

/** A state as a word with its shape: never colour alone. */
export function Word({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  const Icon = tone === "quiet" ? null : icons[tone];
  return (
    <span className={css.word} data-tone={tone}>
      {Icon !== null && <Icon size={14} aria-hidden />}
      {children}
    </span>
  );
}

/** What is wrong and what to do, where it concerns the operator now. */
export const Advice = ({
  tone = "caution",
  children,
}: {
  readonly tone?: "caution" | "warning";
  readonly children: ReactNode;
}) => (
  <p className={css.advice} data-tone={tone}>
    {tone === "warning" ? <OctagonAlert size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />}
    <span>{children}</span>
  </p>
);

/** What a section would show and the one thing that fills it. */
export const Nothing = ({ what, how }: { readonly what: string; readonly how?: ReactNode }) => (
  <div className={css.nothing}>
    <p>{what}</p>
    {how !== undefined && <div>{how}</div>}
  </div>
);

interface ProgressProps {
  readonly label: string;
  /** 0-1; null while the size is not known. */
  readonly share: number | null;
}

export const Progress = ({ label, share }: ProgressProps) => (
  <progress
    className={css.progress}
    aria-label={label}
    max={1}
    {...(share === null ? {} : { value: share })}
  />
);
