import { Ban, CheckCheck, Hand, Minus, Pencil, Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ApprovalCard, Decision } from "#contract/mission";
import { useNow, useStores } from "../stores/context";
import { Button, Kbd } from "../ui/Button";
import { seconds } from "../ui/format";
import { matches } from "../ui/keys";
import { useHold } from "../ui/useHold";
import css from "./Actions.module.css";
import { mayBatch, refusal } from "./card";

const confirm_ms = 800;

interface ActionsProps {
  readonly card: ApprovalCard;
  /** A decision is on its way: nothing more is sent for this card. */
  readonly sent: boolean;
  readonly editable: boolean;
  readonly decide: (decision: Decision) => void;
  readonly ask: (what: "edit" | "reject" | "take_over") => void;
}

export function Actions({ card, sent, editable, decide, ask }: ActionsProps) {
  const { token } = card;
  return (
    <div className={css.actions}>
      <Approve card={card} sent={sent} onApprove={() => decide({ kind: "approve", token })} />
      {mayBatch(card) && refusal(card) === null && (
        <ApproveNext
          card={card}
          sent={sent}
          onApprove={(count) => decide({ kind: "approve_next", token, count })}
        />
      )}
      <div className={css.others}>
        {editable && (
          <Button onClick={() => ask("edit")}>
            <Pencil size={14} aria-hidden /> Edit <Kbd>E</Kbd>
          </Button>
        )}
        <Button onClick={() => ask("reject")}>
          <Ban size={14} aria-hidden /> Reject <Kbd>R</Kbd>
        </Button>
        <Button onClick={() => ask("take_over")}>
          <Hand size={14} aria-hidden /> Take over <Kbd>T</Kbd>
        </Button>
      </div>
    </div>
  );
}

interface ApproveProps {
  readonly card: ApprovalCard;
  readonly sent: boolean;
  readonly onApprove: () => void;
}

/**
 * Approve by button or Ctrl+Enter. Both are dead until the card has stood for its dwell, and both must be held where the card asks
 * for it. Holding works on every card, so that one habit serves all of them; a click or a tap of the keys is enough on the others.
 */
function Approve({ card, sent, onApprove }: ApproveProps) {
  const { clock } = useStores();
  const now_ms = useNow(100);
  const why_not = refusal(card);
  const allowed_from_ms = why_not === null && !sent ? card.dwell_until_ms : Number.POSITIVE_INFINITY;
  // Whether the press that a click ends began alive, and has not already approved by its length.
  const click_counts = useRef(true);
  const hold = useHold({
    duration_ms: confirm_ms,
    allowed_from_ms,
    onFire: () => {
      click_counts.current = false;
      onApprove();
    },
  });
  const tap = (): void => {
    if (!card.hold_to_confirm && clock.now_ms() >= allowed_from_ms) onApprove();
  };
  useApproveKey(card.hold_to_confirm ? hold.press : tap, hold.release);
  const dead_ms = card.dwell_until_ms - now_ms;
  if (why_not !== null) {
    return (
      <div className={css.impossible} role="status">
        <b>Cannot be approved</b> {why_not}
      </div>
    );
  }
  const name = sent
    ? "Sent"
    : dead_ms > 0
      ? `Read first · ${seconds(dead_ms, 1)}`
      : card.hold_to_confirm
        ? "Hold to approve"
        : card.level === "veto_window"
          ? "Approve now"
          : "Approve";
  return (
    <Button
      tone="go"
      size="large"
      className={css.approve}
      aria-disabled={dead_ms > 0 || sent}
      onPointerDown={(event) => {
        click_counts.current = clock.now_ms() >= allowed_from_ms;
        if (event.button === 0) hold.press();
      }}
      onPointerUp={hold.release}
      onPointerLeave={hold.release}
      onPointerCancel={hold.release}
      // Enter on the focused button: as long as it is down. Space never reaches it, it holds the aircraft.
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.ctrlKey && !event.repeat && card.hold_to_confirm) hold.press();
      }}
      onKeyUp={(event) => {
        if (event.key === "Enter") hold.release();
      }}
      // No pointer (detail 0) is Enter or assistive technology.
      onClick={(event) => {
        if (event.detail === 0 || click_counts.current) tap();
      }}
    >
      <span className={css.fill} style={{ transform: `scaleX(${hold.share})` }} />
      <span className={css.approveName}>{name}</span> <Kbd>Ctrl+↵</Kbd>
    </Button>
  );
}

function useApproveKey(press: () => void, release: () => void): void {
  const latest = useRef({ press, release });
  latest.current = { press, release };
  useEffect(() => {
    const down = (event: KeyboardEvent): void => {
      if (!matches("Ctrl+Enter", event)) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) latest.current.press();
    };
    const up = (event: KeyboardEvent): void => {
      if (["Enter", "Control", "Meta"].includes(event.key)) latest.current.release();
    };
    window.addEventListener("keydown", down, true);
    window.addEventListener("keyup", up, true);
    return () => {
      window.removeEventListener("keydown", down, true);
      window.removeEventListener("keyup", up, true);
    };
  }, []);
}

interface ApproveNextProps {
  readonly card: ApprovalCard;
  readonly sent: boolean;
  readonly onApprove: (count: number) => void;
}

const least = 2;
const most = 10;

/** The next few steps of the same kind; the station keeps them within a box and a time, and asks again beyond. */
function ApproveNext({ card, sent, onApprove }: ApproveNextProps) {
  const { clock } = useStores();
  const [count, setCount] = useState(3);
  return (
    <div className={css.next}>
      <Button
        onClick={() => {
          if (!sent && clock.now_ms() >= card.dwell_until_ms) onApprove(count);
        }}
        aria-disabled={sent}
      >
        <CheckCheck size={14} aria-hidden /> Approve next {count} of this kind
      </Button>
      <Button aria-label="One fewer" onClick={() => setCount(Math.max(least, count - 1))}>
        <Minus size={14} aria-hidden />
      </Button>
      <Button aria-label="One more" onClick={() => setCount(Math.min(most, count + 1))}>
        <Plus size={14} aria-hidden />
      </Button>
    </div>
  );
}
