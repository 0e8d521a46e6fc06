import { Tabs } from "radix-ui";
import type { ComponentType } from "react";
import { useLinkStore, useStores, useUiStore, useVehicleStore } from "../stores/context";
import { type SetupSection, setupSections } from "../stores/ui";
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
  readonly View: ComponentType;
  /** "fill": takes the whole page and scrolls inside; "wide": two columns; else one readable column. */
  readonly shape?: "fill" | "wide";
  /** Heads a group of the list. */
  readonly group?: string;
}

const views: Readonly<Record<SetupSection, Section>> = {
  links: { View: LinksSection, shape: "wide", group: "Vehicle" },
  checks: { View: ChecksSection, shape: "wide" },
  parameters: { View: ParametersSection, shape: "fill" },
  plan: { View: PlanSection, shape: "fill" },
  logs: { View: LogsSection, shape: "wide" },
  position: { View: PositionSection, shape: "wide" },
  inspector: { View: InspectorSection, shape: "fill" },
  limits: { View: LimitsSection, group: "Station" },
  appearance: { View: AppearanceSection },
  alerts: { View: SoundSection },
  operator: { View: OperatorSection },
  about: { View: AboutSection },
};

/** Everything that is set up before a flight, a section each. */
export function SetupWorkspace() {
  const { ui } = useStores();
  const current = useUiStore((state) => state.setup_section);
  const notes = useNotes();
  const choose = (value: string): void => {
    const section = setupSections.find(([id]) => id === value);
    if (section !== undefined) ui.setState({ setup_section: section[0] });
  };
  return (
    <Tabs.Root value={current} onValueChange={choose} orientation="vertical" className={css.setup}>
      <Tabs.List className={css.nav} aria-label="Setup sections">
        {setupSections.map(([id, title]) => (
          <Tabs.Trigger key={id} value={id} className={css.navItem} data-group={views[id].group}>
            {title}
            {notes[id] !== undefined && <small data-tone={notes[id].tone}>{notes[id].text}</small>}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {setupSections.map(([id, title]) => {
        const { View, shape } = views[id];
        return (
          <Tabs.Content key={id} value={id} className={css.page} data-shape={shape}>
            <h2>{title}</h2>
            <View />
          </Tabs.Content>
        );
      })}
    </Tabs.Root>
  );
}

interface Note {
  readonly text: string;
  readonly tone: "quiet" | "caution" | "warning";
}

/** What wants attention, beside the section that shows it. */
function useNotes(): Readonly<Partial<Record<SetupSection, Note | undefined>>> {
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
    checks:
      blocking === 0
        ? undefined
        : { text: blocking === 1 ? "1 blocks" : `${blocking} block`, tone: "warning" },
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
