import { Download } from "lucide-react";
import { useLogOfferStore, useStores, useUiStore } from "../stores/context";
import { withNotice } from "../stores/ui";
import { Button } from "../ui/Button";
import css from "./LogOffer.module.css";

/**
 * After landing: the vehicle's own log can lie beside the recording. Nothing is fetched unasked. Stands in Fly where nothing
 * is decided, above the answers of the station: never over a card.
 */
export function LogOffer() {
  const stores = useStores();
  const offer = useLogOfferStore((s) => s.offer);
  const flying = useUiStore((ui) => ui.workspace === "fly");
  if (offer === null || !flying) return null;
  const [first] = offer.logs;
  const { id, state } = offer;
  const fetchIt = async (): Promise<void> => {
    if (first === undefined) return;
    const answer = await stores.bridge
      .request("log_offer.fetch", { offer: id, log: first.id })
      .catch((cause: unknown) => ({ ok: false as const, reason: String(cause) }));
    if (!answer.ok) stores.ui.setState((ui) => withNotice(ui, "caution", answer.reason));
  };
  const dismiss = (): void => void stores.bridge.request("log_offer.dismiss", { offer: id });
  return (
    <section className={css.offer} aria-label="The vehicle's log">
      <Download size={15} aria-hidden />
      <div className={css.words}>
        <b>{titleOf[state]}</b>
        <span title={offer.companion}>
          {state === "fetching"
            ? `${megabytes(offer.received_bytes)} of ${megabytes(first?.size_bytes ?? 0)}`
            : state === "offered"
              ? `${offer.vehicle}, log ${first?.id ?? "–"}, ${megabytes(first?.size_bytes ?? 0)}, into the folder of this flight`
              : offer.detail}
        </span>
        {state === "fetching" && (
          <progress
            aria-label="Log fetched"
            value={offer.received_bytes}
            max={Math.max(1, first?.size_bytes ?? 1)}
          />
        )}
      </div>
      {(state === "offered" || state === "failed") && first !== undefined && (
        <Button size="small" tone="intent" onClick={() => void fetchIt()}>
          {state === "failed" ? "Try again" : "Fetch"}
        </Button>
      )}
      {state === "stored" && (
        <Button
          size="small"
          tone="intent"
          onClick={() => {
            stores.ui.setState({ workspace: "review", review_path: offer.detail });
            dismiss();
          }}
        >
          Open in Review
        </Button>
      )}
      <Button size="small" onClick={dismiss}>
        {state === "fetching" ? "Stop" : "Not now"}
      </Button>
    </section>
  );
}

const titleOf = {
  offered: "The vehicle kept a log of this flight",
  fetching: "Fetching the vehicle's log",
  stored: "The vehicle's log lies beside the recording",
  failed: "The vehicle's log could not be fetched",
} as const;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
