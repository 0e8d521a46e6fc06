import type { EmergencyAction } from "#contract/station";

/** The part of Electron's Input that matters here. */
export interface KeyInput {
  readonly type: string;
  readonly code: string;
  readonly isAutoRepeat: boolean;
  readonly shift: boolean;
  readonly control: boolean;
  readonly alt: boolean;
  readonly meta: boolean;
}

/** What the window is busy with when a key comes. A hung window cannot be typing. */
export interface KeySituation {
  readonly typing: boolean;
  readonly hung: boolean;
}

/**
 * Emergency keys, decided before the page sees them: F9 holds whatever has focus; Shift+L lands unless the
 * operator is writing. By physical key, so that a keyboard layout does not move them. `swallow` keeps repeats and
 * releases from the page and from the menu's accelerator for the same key.
 */
export function emergencyKey(
  input: KeyInput,
  situation: KeySituation,
): { readonly action: EmergencyAction | null; readonly swallow: boolean } {
  const action = actionOf(input, situation);
  if (action === null) return { action: null, swallow: false };
  const pressed = input.type === "keyDown" && !input.isAutoRepeat;
  return { action: pressed ? action : null, swallow: true };
}

function actionOf(input: KeyInput, situation: KeySituation): EmergencyAction | null {
  if (input.code === "F9") return "hold";
  const plain = !input.control && !input.alt && !input.meta;
  if (input.code === "KeyL" && input.shift && plain && (!situation.typing || situation.hung)) return "land";
  return null;
}
