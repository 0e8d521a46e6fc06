import { Info, TriangleAlert, X } from "lucide-react";
import { useEffect } from "react";
import { useStores, useUiStore } from "../stores/context";
import { type Notice, withoutNotice } from "../stores/ui";
import css from "./Shell.module.css";

const shown_ms = 8000;

/** Answers to what the operator just asked for. They leave by themselves; what must stay is an alert. */
export function Notices() {
  const notices = useUiStore((ui) => ui.notices);
  return (
    <div className={css.notices} role="status" aria-label="Answers of the station">
      {notices.map((notice) => (
        <NoticeView key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeView({ notice }: { readonly notice: Notice }) {
  const { ui, time } = useStores();
  useEffect(
    () => time.after(shown_ms, () => ui.setState((state) => withoutNotice(state, notice.id))),
    [time, ui, notice.id],
  );
  const Icon = notice.tone === "caution" ? TriangleAlert : Info;
  return (
    <div className={css.notice} data-tone={notice.tone}>
      <Icon size={15} aria-hidden />
      <span>{notice.text}</span>
      <button
        type="button"
        className={css.close}
        aria-label="Dismiss"
        onClick={() => ui.setState((state) => withoutNotice(state, notice.id))}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
