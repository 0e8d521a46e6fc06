import { CircleCheck, CircleDashed, OctagonAlert, TriangleAlert } from "lucide-react";
import type { LinkRow } from "#contract/link-detail";
import { useNow, useStores } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { age, byteRate, fixed, percent } from "../../ui/format";
import { Advice, Figure, Word } from "../parts";
import css from "../Setup.module.css";
import { faultText, signingWords } from "./words";

const states = {
  opening: { word: "opening", Icon: CircleDashed, tone: "quiet" },
  open: { word: "open", Icon: CircleCheck, tone: "quiet" },
  silent: { word: "silent", Icon: TriangleAlert, tone: "caution" },
  failed: { word: "failed", Icon: OctagonAlert, tone: "warning" },
  closed: { word: "closed", Icon: CircleDashed, tone: "quiet" },
} as const;

/** One open address: what comes over it, what is lost, what is wrong and what to do. */
export function LinkBox({ row, only }: { readonly row: LinkRow; readonly only: boolean }) {
  const stores = useStores();
  const now_ms = useNow(500);
  const { status, removable, system_ids, capacity_bytes_per_s } = row;
  const { word, Icon, tone } = states[status.state];
  const signing = signingWords[status.signing];
  return (
    <section className={css.box} aria-label={`Link ${status.address}`}>
      <header className={css.boxHead} data-tone={tone}>
        <Icon size={15} aria-hidden />
        <h3 data-selectable>{status.address}</h3>
        <span>
          {word}
          {status.primary && " · primary"}
        </span>
      </header>
      {status.advice !== "" && (
        <Advice tone={tone === "warning" ? "warning" : "caution"}>{status.advice}</Advice>
      )}
      <dl className={css.figures}>
        <Figure
          name="received"
          value={
            capacity_bytes_per_s === null
              ? byteRate(status.bytes_per_s)
              : `${byteRate(status.bytes_per_s)} of ${byteRate(capacity_bytes_per_s)}`
          }
        />
        <Figure name="frames" value={`${fixed(status.frames_per_s, 0)} /s`} />
        <Figure name="loss, 10 s" value={percent(status.loss, 1)} />
        <Figure
          name="last frame"
          value={
            status.last_frame_at_ms === null ? "none yet" : `${age(now_ms - status.last_frame_at_ms)} ago`
          }
        />
        <Figure name="vehicles" value={system_ids.length === 0 ? "none heard" : system_ids.join(", ")} />
        <Figure name="signing" value={<Word tone={signing.tone}>{signing.text}</Word>} />
        <Figure name="faults" value={faultText(status.faults)} />
      </dl>
      {removable && !only && (
        <div className={css.end}>
          <Button
            size="small"
            onClick={() =>
              void tell(stores, stores.bridge.request("link.remove", { address: status.address }))
            }
          >
            Close this link
          </Button>
        </div>
      )}
    </section>
  );
}
