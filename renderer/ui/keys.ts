/** Keyboard chords as they are written in menus: "Ctrl+Shift+P", "F9", "E". Ctrl is Command on a Mac. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
}

export function matches(chord: string, press: KeyPress): boolean {
  const parts = chord.split("+");
  const key = parts.at(-1) ?? "";
  const wants = (modifier: string): boolean => parts.slice(0, -1).includes(modifier);
  const modifiers =
    wants("Ctrl") === (press.ctrlKey || press.metaKey) &&
    wants("Shift") === press.shiftKey &&
    wants("Alt") === press.altKey;
  return modifiers && sameKey(key, press);
}

/**
 * Letters by what they print where that is a Latin letter, else (and for digits, which some layouts print only with Shift, and
 * for Alt, which prints other signs on a Mac) by where they are.
 */
function sameKey(key: string, press: KeyPress): boolean {
  if (/^[0-9]$/.test(key)) return press.code === `Digit${key}` || press.code === `Numpad${key}`;
  if (/^[A-Z]$/.test(key)) {
    const latin = /^[a-z]$/i.test(press.key) && !press.altKey;
    return latin ? press.key.toUpperCase() === key : press.code === `Key${key}`;
  }
  if (key === "Space") return press.code === "Space";
  return press.key === key;
}

interface TargetLike {
  readonly tagName?: unknown;
  readonly isContentEditable?: unknown;
  readonly type?: unknown;
}

const not_text = new Set([
  "button",
  "checkbox",
  "radio",
  "range",
  "color",
  "file",
  "submit",
  "reset",
  "image",
]);

/** Whether keys typed there are text. Buttons, sliders and tick boxes are not. */
export function isEditable(target: unknown): boolean {
  if (typeof target !== "object" || target === null) return false;
  const { tagName, isContentEditable, type } = target as TargetLike;
  if (isContentEditable === true) return true;
  if (tagName === "TEXTAREA" || tagName === "SELECT") return true;
  return tagName === "INPUT" && !(typeof type === "string" && not_text.has(type));
}

/**
 * Keys of the emergency actions, decided before anything else sees the key. F9 always holds; Space and Shift+L only where they
 * are not text. Auto-repeat is swallowed too: a held key is one press.
 */
export function emergencyKey(
  press: KeyPress,
  target: unknown,
): { readonly action: "hold" | "land"; readonly fire: boolean } | null {
  const fire = !press.repeat;
  if (press.key === "F9") return { action: "hold", fire };
  if (isEditable(target)) return null;
  if (matches("Space", press)) return { action: "hold", fire };
  if (matches("Shift+L", press)) return { action: "land", fire };
  return null;
}
