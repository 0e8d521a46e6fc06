import { Tabs } from "radix-ui";
import { useSummary } from "./hooks";
import { Logs } from "./Logs";
import { Messages } from "./Messages";
import { Parameters } from "./Parameters";
import css from "./Review.module.css";
import { Topics } from "./Topics";

/** What the recording is made of: topics to plot, texts, parameters, and the logs it is joined from. */
export function SourceTabs() {
  const { topics, messages, parameters, sources } = useSummary();
  const tabs = [
    { id: "topics", title: "Topics", count: topics.length },
    { id: "messages", title: "Messages", count: messages.length },
    { id: "parameters", title: "Params", count: parameters.length },
    { id: "logs", title: "Logs", count: sources.length },
  ];
  return (
    <Tabs.Root defaultValue="topics" className={css.tabs} aria-label="Contents">
      <Tabs.List className={css.tablist} aria-label="Contents of the recording">
        {tabs.map((t) => (
          <Tabs.Trigger key={t.id} value={t.id}>
            {t.title} <span>{t.count}</span>
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="topics" className={css.tab} tabIndex={-1}>
        <Topics />
      </Tabs.Content>
      <Tabs.Content value="messages" className={css.tab} tabIndex={-1}>
        <Messages />
      </Tabs.Content>
      <Tabs.Content value="parameters" className={css.tab} tabIndex={-1}>
        <Parameters />
      </Tabs.Content>
      <Tabs.Content value="logs" className={css.tab} tabIndex={-1}>
        <Logs />
      </Tabs.Content>
    </Tabs.Root>
  );
}
