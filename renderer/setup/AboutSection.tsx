import { OctagonAlert } from "lucide-react";
import { useEffect, useState } from "react";
import type { AppInfo } from "#contract/station";
import { useBridge } from "../stores/context";
import { Figure } from "./parts";
import css from "./Setup.module.css";

/** Which program this is, exactly, and whether it may be taken to the field. */
export function AboutSection() {
  const bridge = useBridge();
  const [info, setInfo] = useState<AppInfo | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let wanted = true;
    bridge.request("app.info", {}).then(
      (answer) => {
        if (wanted) setInfo(answer);
      },
      (cause: unknown) => {
        if (wanted) setProblem(cause instanceof Error ? cause.message : String(cause));
      },
    );
    return () => {
      wanted = false;
    };
  }, [bridge]);
  if (info === null) return <p className={css.note}>{problem === "" ? "Asking the station" : problem}</p>;
  return (
    <section className={css.box} aria-label="About Kingfisher">
      {!info.runtime_for_field && (
        <p className={css.warning} role="note">
          <OctagonAlert size={16} aria-hidden /> Not for the field: this window runs on {info.runtime}, which
          is meant for trying and testing. Install the official runtime before flying hardware.
        </p>
      )}
      <dl className={css.figures}>
        <Figure name="Kingfisher" value={`${info.version} (${info.git})`} />
        <Figure name="runtime" value={info.runtime} />
        <Figure name="Electron" value={info.electron} />
        <Figure name="Chromium" value={info.chromium} />
        <Figure name="Node" value={info.node} />
        <Figure name="settings and recordings" value={info.home} />
      </dl>
    </section>
  );
}
