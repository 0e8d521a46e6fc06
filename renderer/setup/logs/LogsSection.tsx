import { useState } from "react";
import type { Transfer } from "#contract/link-detail";
import type { VehicleLog } from "#contract/link-ipc";
import { useLinkStore, useStores, useVehicleStore } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { Advice, Box, Nothing, Progress, Word } from "../parts";
import css from "../Setup.module.css";
import { pickPath, useAnswer } from "../useStation";
import { FilesBox } from "./FilesBox";
import { byteText, isReviewable, shareOf, transferText } from "./progress";

/** What the vehicle has recorded, and the files it serves. */
export function LogsSection() {
  const connected = useVehicleStore((vehicle) => vehicle.connected);
  if (!connected)
    return (
      <Nothing what="No vehicle answers. Its recordings will stand here." how="Open a link under Links." />
    );
  return (
    <div className={css.columns}>
      <div>
        <Logs />
      </div>
      <div>
        <Transfers />
        <FilesBox />
      </div>
    </div>
  );
}

function Logs() {
  const stores = useStores();
  const system_id = useVehicleStore((vehicle) => vehicle.system_id);
  const armed = useVehicleStore((vehicle) => vehicle.armed);
  const transfers = useLinkStore((link) => link.transfers);
  const { asked, again } = useAnswer(() => stores.bridge.request("logs.list", {}), system_id);
  const [started, setStarted] = useState<Readonly<Record<number, string>>>({});
  const download = async (log: VehicleLog): Promise<void> => {
    const folder = await pickPath(stores, { kind: "folder", title: `Where log ${log.id} goes` });
    if (folder === null) return;
    const answer = await stores.bridge
      .request("logs.download", { id: log.id, folder })
      .catch((cause: unknown) => ({ ok: false, reason: String(cause) }) as const);
    if (answer.ok) setStarted((before) => ({ ...before, [log.id]: answer.value.transfer }));
    else await tell(stores, Promise.resolve(answer));
  };
  const logs = asked.state === "ready" ? [...asked.value].sort((a, b) => b.id - a.id) : [];
  return (
    <Box title="Vehicle logs" right={asked.state === "ready" ? `${logs.length} on board` : undefined}>
      {asked.state === "waiting" && <Word tone="waiting">Asking the vehicle</Word>}
      {asked.state === "failed" && <Advice>{asked.reason}</Advice>}
      {asked.state === "ready" && logs.length === 0 && (
        <Nothing what="The vehicle has no logs yet. It writes one with every flight." />
      )}
      {armed && <Advice>The vehicle is armed: a download takes room on the link from telemetry.</Advice>}
      {logs.length > 0 && (
        <ul className={css.list} aria-label="Vehicle logs">
          {logs.map((log) => (
            <Log
              key={log.id}
              log={log}
              transfer={transfers.find(({ id }) => id === started[log.id])}
              onDownload={() => void download(log)}
            />
          ))}
        </ul>
      )}
      <div className={css.end}>
        <span className={css.note}>
          Downloads go on where they stopped when the same folder is chosen again.
        </span>
        <Button size="small" onClick={again}>
          Ask again
        </Button>
      </div>
    </Box>
  );
}

interface LogProps {
  readonly log: VehicleLog;
  readonly transfer: Transfer | undefined;
  readonly onDownload: () => void;
}

function Log({ log, transfer, onDownload }: LogProps) {
  const running = transfer?.state === "running";
  const again = transfer?.state === "cancelled" || transfer?.state === "failed";
  return (
    <li>
      <div className={css.item}>
        <b>Log {log.id}</b>
        <span>{log.utc_s === null ? "time not known" : utcText(log.utc_s)}</span>
        <span>{byteText(log.size)}</span>
        <Button size="small" aria-disabled={running} onClick={() => !running && onDownload()}>
          {running ? "Downloading" : again ? "Resume" : "Download"}
        </Button>
      </div>
      {transfer !== undefined && <TransferLine transfer={transfer} />}
    </li>
  );
}

/** 2026-11-12 14:31 UTC: the vehicle's own clock, which need not be this computer's. */
const utcText = (utc_s: number): string =>
  `${new Date(utc_s * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Everything that is being fetched or was, whoever asked for it. */
function Transfers() {
  const transfers = useLinkStore((link) => link.transfers);
  if (transfers.length === 0) return null;
  return (
    <Box title="Transfers" right={`${transfers.filter(({ state }) => state === "running").length} running`}>
      <ul className={css.list} aria-label="Transfers">
        {[...transfers].reverse().map((transfer) => (
          <li key={transfer.id}>
            <b>{transfer.name}</b>
            <TransferLine transfer={transfer} />
          </li>
        ))}
      </ul>
    </Box>
  );
}

function TransferLine({ transfer }: { readonly transfer: Transfer }) {
  const stores = useStores();
  const { tone, text } = transferText(transfer);
  const { id, name, path, state } = transfer;
  return (
    <div className={css.transfer}>
      {state === "running" && <Progress label={`Progress of ${name}`} share={shareOf(transfer)} />}
      <div className={css.item}>
        <Word tone={tone}>{text}</Word>
        {path !== null && state === "done" && (
          <span className={css.path} title={path} data-selectable>
            {path}
          </span>
        )}
        {state === "running" && (
          <Button
            size="small"
            onClick={() => void tell(stores, stores.bridge.request("transfer.cancel", { transfer: id }))}
          >
            Stop
          </Button>
        )}
        {state === "done" && path !== null && isReviewable(path) && (
          <Button
            size="small"
            tone="intent"
            onClick={() => stores.ui.setState({ workspace: "review", review_path: path })}
          >
            Open in Review
          </Button>
        )}
      </div>
    </div>
  );
}
