import { useEffect } from "react";
import { useStores } from "../stores/context";
import { pressEmergency } from "../stores/stores";
import { emergencyKey, isEditable, matches } from "../ui/keys";
import { createActions } from "./actions";

/** All window-wide keys, caught on the way down so that nothing with the focus can take them away. */
export function useKeyboard(): void {
  const stores = useStores();
  useEffect(() => {
    // A key taken on the way down is taken on the way up as well: a button clicks when Space is let go.
    let taken_code: string | null = null;
    const down = (event: KeyboardEvent): void => {
      const emergency = emergencyKey(event, event.target);
      if (emergency !== null) {
        event.preventDefault();
        event.stopPropagation();
        taken_code = event.code;
        if (emergency.fire) pressEmergency(stores, emergency.action);
        return;
      }
      if (matches("Ctrl+K", event)) {
        event.preventDefault();
        if (!event.repeat) stores.ui.setState(({ palette_open }) => ({ palette_open: !palette_open }));
        return;
      }
      const action = createActions(stores).find(({ chord }) => chord !== null && matches(chord, event));
      if (
        action === undefined ||
        (isEditable(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey)
      ) {
        return;
      }
      event.preventDefault();
      if (!event.repeat) action.run();
    };
    const up = (event: KeyboardEvent): void => {
      if (event.code !== taken_code) return;
      taken_code = null;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", down, true);
    window.addEventListener("keyup", up, true);
    return () => {
      window.removeEventListener("keydown", down, true);
      window.removeEventListener("keyup", up, true);
    };
  }, [stores]);
}
