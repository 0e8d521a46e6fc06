import { Bell, BellOff, ChevronDown, Info, List, OctagonAlert, TriangleAlert } from "lucide-react";
import { DropdownMenu, Popover } from "radix-ui";
import type { Alert, AlertSeverity } from "#contract/alerts";
import { useAlertsStore, useNow, useSettingsStore, useStores } from "../stores/context";
import { tell } from "../stores/stores";
import { Button } from "../ui/Button";
import { age, clock as clockText } from "../ui/format";
import css from "./Alerts.module.css";
import { countOf, forList, open } from "./order";

const severities = {
  warning: { word: "Warning", Icon: OctagonAlert },
  caution: { word: "Caution", Icon: TriangleAlert },
  advisory: { word: "Advisory", Icon: Info },
} as const;

export function SeverityIcon({ severity }: { readonly severity: AlertSeverity }) {
  const { Icon, word } = severities[severity];
  return <Icon size={15} className={css.icon} data-severity={severity} role="img" aria-label={word} />;
}

/** The newest of the worst alerts that nobody has acknowledged, in one line, with what to do. */
export function AlertLine() {
  const alerts = useAlertsStore((state) => state.alerts);
  const stores = useStores();
  const waiting = open(alerts);
  const [first] = waiting;
  return (
    <section className={css.line} aria-label="Alerts" data-severity={first?.severity ?? "none"}>
      <div className="visually-hidden" aria-live={first?.severity === "warning" ? "assertive" : "polite"}>
        {first === undefined ? "" : `${severities[first.severity].word}: ${first.text}. ${first.action}`}
      </div>
      {first === undefined ? (
        <span className={css.none}>No alerts</span>
      ) : (
        <>
          <SeverityIcon severity={first.severity} />
          <b className={css.text} title={first.text}>
            {severities[first.severity].word}: {first.text}
          </b>
          {first.count > 1 && <span className={css.count}>×{first.count}</span>}
          <span className={css.do} title={first.action}>
            {first.action}
          </span>
          <Button
            size="small"
            title="Alt+A"
            onClick={() => void tell(stores, stores.bridge.request("alerts.acknowledge", { id: first.id }))}
          >
            Acknowledge
          </Button>
        </>
      )}
      <AlertList alerts={alerts} />
      <Mute />
    </section>
  );
}

function AlertList({ alerts }: { readonly alerts: readonly Alert[] }) {
  const stores = useStores();
  const counts = countOf(alerts);
  const waiting = counts.warning + counts.caution + counts.advisory;
  return (
    <Popover.Root>
      <Popover.Trigger className={css.trigger} title="All alerts">
        <span className="visually-hidden">All alerts</span>
        {(["warning", "caution", "advisory"] as const)
          .filter((severity) => counts[severity] > 0)
          .map((severity) => (
            <span key={severity} className={css.counter}>
              <SeverityIcon severity={severity} />
              {counts[severity]}
            </span>
          ))}
        {waiting === 0 && <List size={14} aria-hidden />}
        <ChevronDown size={13} aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={css.list} align="end" sideOffset={6} aria-label="All alerts">
          <header className={css.listHead}>
            <b>Alerts</b>
            <Button
              size="small"
              onClick={() => void tell(stores, stores.bridge.request("alerts.acknowledge", { id: null }))}
            >
              Acknowledge all
            </Button>
          </header>
          <Rows alerts={alerts} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Rows({ alerts }: { readonly alerts: readonly Alert[] }) {
  const now_ms = useNow(1000);
  const stores = useStores();
  const rows = forList(alerts);
  if (rows.length === 0) return <p className={css.empty}>Alerts stay here until someone acknowledges them</p>;
  return (
    <ul className={css.rows}>
      {rows.map((alert) => (
        <li key={alert.id} className={css.row} data-open={alert.acknowledged_by === null}>
          <SeverityIcon severity={alert.severity} />
          <div>
            <b>
              {alert.text}
              {alert.count > 1 && <span className={css.count}> ×{alert.count}</span>}
            </b>
            <p>{alert.action}</p>
          </div>
          <div className={css.side}>
            <span>{age(now_ms - alert.last_at_ms)} ago</span>
            {alert.acknowledged_by === null ? (
              <Button
                size="small"
                onClick={() =>
                  void tell(stores, stores.bridge.request("alerts.acknowledge", { id: alert.id }))
                }
              >
                Acknowledge
              </Button>
            ) : (
              <span>seen by {alert.acknowledged_by}</span>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Cautions and advisories fall silent; a warning is heard all the same. */
function Mute() {
  const stores = useStores();
  const { muted_until_utc_ms } = useSettingsStore((settings) => settings.sound);
  useNow(1000);
  const left_ms = muted_until_utc_ms - stores.time.utc_ms();
  const muted = left_ms > 0;
  const ask = (minutes: number): void => void tell(stores, stores.bridge.request("alerts.mute", { minutes }));
  const Icon = muted ? BellOff : Bell;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className={css.trigger}
        aria-label={muted ? `Cautions muted for ${clockText(left_ms)}` : "Mute cautions"}
      >
        <Icon size={14} aria-hidden />
        {muted && <span>{clockText(left_ms)}</span>}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css.menu} align="end" sideOffset={6}>
          {[1, 5, 15].map((minutes) => (
            <DropdownMenu.Item key={minutes} className={css.item} onSelect={() => ask(minutes)}>
              Mute cautions for {minutes} min
            </DropdownMenu.Item>
          ))}
          {muted && (
            <DropdownMenu.Item className={css.item} onSelect={() => ask(0)}>
              End the mute
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Label className={css.note}>Warnings are always heard</DropdownMenu.Label>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
