import { ExternalLink } from "lucide-react";
import type { EvaluationTable, PublishedFigure, SuiteInfo } from "#contract/evaluation";
import type { EvaluationRunDetail } from "#contract/evaluation-ipc";
import { Button } from "../ui/Button";
import { Empty, Panel } from "../ui/Panel";
import type { evaluationOf } from "./desk";
import css from "./Evaluate.module.css";
import { barOf, intervalText, scaleOf, valueText } from "./figures";

interface ResultsProps {
  readonly desk: ReturnType<typeof evaluationOf>;
  readonly detail: EvaluationRunDetail | null;
  readonly suites: readonly SuiteInfo[] | null;
}

/** One run's figures with their intervals, its failures by cause, and a way from each to its flight. */
export function Results({ desk, detail, suites }: ResultsProps) {
  if (detail === null)
    return (
      <Panel title="Results">
        <Empty
          what="Shows success, errors, delays and alarms of a run with their intervals, and its failures by cause."
          how="Start a run, or choose an earlier one."
        />
      </Panel>
    );
  const { run, table, published, trials } = detail;
  const { manifest } = run;
  const title = suites?.find((s) => s.name === manifest.suite)?.title ?? manifest.suite;
  const recordings = new Map(trials.map((t) => [t.trial, t.recording]));
  return (
    <Panel
      title={`Results: ${title}`}
      right={
        <span>
          {run.done} of {manifest.trials} trials, policy {manifest.policy}, seed {manifest.seed}
        </span>
      }
    >
      <div className={css.results}>
        {table === null ? (
          <p className={css.none}>
            No table yet: it is written when the run ends or is stopped. {run.done} trials are done.
          </p>
        ) : (
          <>
            <Figures table={table} />
            <Published table={table} published={published} />
            <Failures table={table} recordings={recordings} onOpen={(path) => desk.review(path)} />
          </>
        )}
        <section aria-label="Trials" className={css.block}>
          <h3>Trials</h3>
          <ul className={css.trials}>
            {trials.map((t) => (
              <li key={t.trial}>
                <TrialButton
                  text={`${String(t.trial)} ${t.variant}, ${t.passed ? "passed" : "failed"}`}
                  recording={t.recording}
                  onOpen={(path) => desk.review(path)}
                />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Panel>
  );
}

function Figures({ table }: { readonly table: EvaluationTable }) {
  const rows = [...table.rows, table.overall];
  const scales = table.overall.figures.map((_, k) => scaleOf(rows.flatMap((row) => row.figures[k] ?? [])));
  return (
    <section aria-label="Figures" className={css.block}>
      <h3>
        Figures <small>with 95 % intervals</small>
      </h3>
      <div className={css.wide} tabIndex={0} role="region" aria-label="Table of figures">
        <table>
          <thead>
            <tr>
              <th scope="col">Variant</th>
              <th scope="col">Trials</th>
              {table.overall.figures.map((f) => (
                <th key={f.key} scope="col">
                  {f.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.variant} data-all={row === table.overall || undefined}>
                <th scope="row">{row.variant}</th>
                <td>{row.trials}</td>
                {row.figures.map((f, k) => {
                  const bar = barOf(f, scales[k] ?? 0);
                  return (
                    <td key={f.key}>
                      {valueText(f)} <small>{intervalText(f)}</small>
                      {bar !== null && (
                        <svg className={css.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden>
                          <rect x="0" y="2.5" width="100" height="1" data-part="axis" />
                          <rect
                            x={bar.from}
                            y="1.5"
                            width={Math.max(0.5, bar.to - bar.from)}
                            height="3"
                            data-part="range"
                          />
                          <rect x={Math.min(99, bar.at)} y="0" width="1" height="6" data-part="value" />
                        </svg>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface PublishedProps {
  readonly table: EvaluationTable;
  readonly published: readonly PublishedFigure[];
}

function Published({ table, published }: PublishedProps) {
  if (published.length === 0) return null;
  return (
    <section aria-label="Beside published figures" className={css.block}>
      <h3>Beside published figures</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Published</th>
            <th scope="col">Here</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {published.map((p) => {
            const ours = table.overall.figures.find((f) => f.key === p.key);
            return (
              <tr key={`${p.key} ${p.source}`}>
                <th scope="row">{p.label}</th>
                <td>
                  {p.value} {p.unit}
                </td>
                <td>{ours === undefined ? "–" : valueText(ours)}</td>
                <td>{p.source}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface FailuresProps {
  readonly table: EvaluationTable;
  readonly recordings: ReadonlyMap<number, string | null>;
  readonly onOpen: (recording: string) => void;
}

function Failures({ table, recordings, onOpen }: FailuresProps) {
  return (
    <section aria-label="Failures by cause" className={css.block}>
      <h3>Failures by cause</h3>
      {table.failures.length === 0 && <p className={css.dim}>No trial failed.</p>}
      {table.failures.map((cluster) => (
        <div key={cluster.cause} className={css.cluster}>
          <p>
            <b>{cluster.trials.length}</b> {cluster.cause}
          </p>
          <ul>
            {cluster.trials.map((t) => (
              <li key={t.trial}>
                <TrialButton
                  text={`Trial ${String(t.trial)}, ${t.variant}`}
                  recording={recordings.get(t.trial) ?? null}
                  onOpen={onOpen}
                />
                <span>{t.detail}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

interface TrialButtonProps {
  readonly text: string;
  readonly recording: string | null;
  readonly onOpen: (recording: string) => void;
}

/** Opens the trial's flight in Review. */
function TrialButton({ text, recording, onOpen }: TrialButtonProps) {
  if (recording === null) return <span>{text} (not recorded)</span>;
  return (
    <Button size="small" title={`Open in Review: ${recording}`} onClick={() => onOpen(recording)}>
      {text} <ExternalLink size={12} aria-hidden />
    </Button>
  );
}
