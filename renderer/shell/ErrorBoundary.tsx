import { Component, type ErrorInfo, type ReactNode } from "react";

interface Props {
  /** What is drawn instead; `again` tries once more. */
  readonly fallback: (error: Error, again: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** Confines a failure of drawing to its part of the window. */
export class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(thrown: unknown): { readonly error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    // Main forwards the page's console to the log file.
    console.error("drawing failed", error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null
      ? this.props.children
      : this.props.fallback(error, () => this.setState({ error: null }));
  }
}
