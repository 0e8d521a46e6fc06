import { Panel } from "../ui/Panel";
import { useDesk, useDeskState, useSummary } from "./hooks";
import css from "./Review.module.css";
import { timeText } from "./time";

const sign = { warning: "■", caution: "▲", advisory: "●" } as const;

/** What the record itself gives reason to look at; a click goes there. */
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
                onClick={() => desk.send({ kind: "seek", to_s: f.at_s })}
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
