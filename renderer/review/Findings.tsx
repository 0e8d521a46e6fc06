import type { ReviewFinding } from "#contract/review";
import { Panel } from "../ui/Panel";
import type { ReviewDesk } from "./desk";
import { useDesk, useDeskState, useSummary } from "./hooks";
import { evidencePlot } from "./plots";
import css from "./Review.module.css";
import { timeText } from "./time";

/** The cursor to the moment, what broke the rule on top of the plots, the stretch in view with some air. */
function show(desk: ReviewDesk, finding: ReviewFinding): void {
  const { evidence } = finding;
  const plot = evidencePlot(finding);
  if (plot !== null) desk.addPlot(plot);
  if (evidence !== null) {
    const air_s = Math.max(2, 0.5 * (evidence.to_s - evidence.from_s));
    desk.setRange({ from_s: evidence.from_s - air_s, to_s: evidence.to_s + air_s });
  }
  desk.send({ kind: "seek", to_s: finding.at_s });
}

const sign = { warning: "■", caution: "▲", advisory: "●" } as const;

/** What the record itself gives reason to look at; a click goes there and plots what it rests on. */
export function Findings() {
  const desk = useDesk();
  const summary = useSummary();
  const mode = useDeskState((s) => s.time_mode);
  const { findings } = summary;
  return (
    <Panel title="Findings" className={css.findings} right={<span>{findings.length}</span>}>
      {findings.length === 0 ? (
        <p className={css.quiet}>No rule found anything to look at in this recording.</p>
      ) : (
        <ul className={css.scroll}>
          {findings.map((f, i) => (
            <li key={`${f.at_s}-${f.title}-${i}`}>
              <button
                type="button"
                className={css.finding}
                title={f.evidence === null ? "Goes there" : `Shows ${f.evidence.topic}.${f.evidence.field}`}
                onClick={() => show(desk, f)}
              >
                <span data-severity={f.severity} aria-hidden>
                  {sign[f.severity]}
                </span>
                <span>
                  <b>
                    <span className="visually-hidden">{f.severity}: </span>
                    {f.title}
                  </b>
                  {f.detail !== "" && <span className={css.detail}>{f.detail}</span>}
                </span>
                <span className={css.at}>{timeText(mode, f.at_s, summary, 1)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
