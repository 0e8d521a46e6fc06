import type { ButtonHTMLAttributes } from "react";
import css from "./Button.module.css";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: "neutral" | "intent" | "machine" | "caution" | "warning" | "go" | undefined;
  readonly size?: "small" | "normal" | "large" | undefined;
}

/** The one push button. Its tone says whose will it is, not how important it looks. */
export function Button({ tone = "neutral", size = "normal", className, type, ...rest }: ButtonProps) {
  return (
    <button
      type={type ?? "button"}
      data-tone={tone}
      data-size={size}
      className={[css.button, className].join(" ")}
      {...rest}
    />
  );
}

/** A key or a combination, as printed on the keyboard. */
export const Kbd = ({ children }: { readonly children: string }) => <kbd className={css.kbd}>{children}</kbd>;
