import { Tabs } from "radix-ui";
import { type ComponentType, useState } from "react";
import { useLinkStore, useVehicleStore } from "../stores/context";
import { AboutSection } from "./AboutSection";
import { ChecksSection } from "./checks/ChecksSection";
import { InspectorSection } from "./inspector/InspectorSection";
import { LimitsSection } from "./LimitsSection";
import { LinksSection } from "./links/LinksSection";
import { LogsSection } from "./logs/LogsSection";
import { AppearanceSection, OperatorSection, SoundSection } from "./PreferenceSections";
import { ParametersSection } from "./parameters/ParametersSection";
import { PlanSection } from "./plan/PlanSection";
import { PositionSection } from "./position/PositionSection";
import css from "./Setup.module.css";

interface Section {
  readonly id: string;
  readonly title: string;
  readonly View: ComponentType;
  /** "fill": takes the whole page and scrolls inside; "wide": two columns; else one readable column. */
  readonly shape?: "fill" | "wide";
  /** Heads a group of the list. */
  readonly group?: string;
}

const sections: readonly Section[] = [
  { id: "links", title: "Links", View: LinksSection, shape: "wide", group: "Vehicle" },
  { id: "checks", title: "Arming checks", View: ChecksSection, shape: "wide" },
  { id: "parameters", title: "Parameters", View: ParametersSection, shape: "fill" },
  { id: "plan", title: "Plan and fence", View: PlanSection, shape: "fill" },
  { id: "logs", title: "Logs and files", View: LogsSection, shape: "wide" },
  { id: "position", title: "External position", View: PositionSection, shape: "wide" },
  { id: "inspector", title: "Inspector", View: InspectorSection, shape: "fill" },
  { id: "limits", title: "Limits", View: LimitsSection, group: "Station" },
  { id: "appearance", title: "Appearance", View: AppearanceSection },
  { id: "alerts", title: "Alerts", View: SoundSection },
  { id: "operator", title: "Operator", View: OperatorSection },
  { id: "about", title: "About", View: AboutSection },
];

/** Everything that is set up before a flight, a section each. */
export function SetupWorkspace() {
  const [current, setCurrent] = useState("links");
  const notes = useNotes();
  return (
    <Tabs.Root value={current} onValueChange={setCurrent} orientation="vertical" className={css.setup}>
      <Tabs.List className={css.nav} aria-label="Setup sections">
        {sections.map(({ id, title, group }) => (
          <Tabs.Trigger key={id} value={id} className={css.navItem} data-group={group}>
            {title}
            {notes[id] !== undefined && <small data-tone={notes[id].tone}>{notes[id].text}</small>}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {sections.map(({ id, title, View, shape }) => (
        <Tabs.Content key={id} value={id} className={css.page} data-shape={shape}>
          <h2>{title}</h2>
          <View />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

interface Note {
  readonly text: string;
  readonly tone: "quiet" | "caution" | "warning";
}

/** What wants attention, beside the section that shows it. */
function useNotes(): Readonly<Record<string, Note | undefined>> {
  const blocking = useVehicleStore(
    (vehicle) => vehicle.arming.filter(({ severity }) => severity === "blocks").length,
  );
  const troubled = useLinkStore(
    (link) =>
      link.links.filter(({ status }) => status.state === "failed" || status.state === "silent").length,
  );
  const parameters = useLinkStore((link) => link.parameters);
  const running = useLinkStore((link) => link.transfers.filter(({ state }) => state === "running").length);
  return {
    links: troubled === 0 ? undefined : { text: `${troubled} silent`, tone: "caution" },
    checks: blocking === 0 ? undefined : { text: `${blocking} open`, tone: "warning" },
    parameters: parameterNote(parameters.state, parameters.received, parameters.count),
    logs: running === 0 ? undefined : { text: `${running} running`, tone: "quiet" },
  };
}

function parameterNote(state: string, received: number, count: number | null): Note | undefined {
  if (state === "downloading")
    return { text: count === null ? "reading" : `${Math.floor((100 * received) / count)} %`, tone: "quiet" };
  if (state === "failed" || state === "incomplete") return { text: state, tone: "caution" };
  return undefined;
}
