import { Tabs } from "radix-ui";
import { AboutSection } from "./AboutSection";
import { LimitsSection } from "./LimitsSection";
import { LinksSection } from "./LinksSection";
import { AppearanceSection, OperatorSection, SoundSection } from "./PreferenceSections";
import css from "./Setup.module.css";
import { VehicleSection } from "./VehicleSection";

const sections = [
  ["links", "Links", LinksSection],
  ["vehicle", "Vehicle", VehicleSection],
  ["limits", "Limits", LimitsSection],
  ["appearance", "Appearance", AppearanceSection],
  ["alerts", "Alerts", SoundSection],
  ["operator", "Operator", OperatorSection],
  ["about", "About", AboutSection],
] as const;

export function SetupWorkspace() {
  return (
    <Tabs.Root defaultValue="links" orientation="vertical" className={css.setup}>
      <Tabs.List className={css.nav} aria-label="Setup sections">
        {sections.map(([id, title]) => (
          <Tabs.Trigger key={id} value={id} className={css.navItem}>
            {title}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {sections.map(([id, title, Section]) => (
        <Tabs.Content key={id} value={id} className={css.page}>
          <h2>{title}</h2>
          <Section />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
