import type { LinkProblem } from "./port";

/** What an operating-system error means for one address, and what to do about it. */
export function socketProblem(error: unknown, address: string): LinkProblem {
  const code = errorCode(error);
  switch (code) {
    case "EADDRINUSE":
      return {
        kind: "busy",
        message: `${address}: the port is taken; close the other ground station or program that listens there`,
      };
    case "EACCES":
    case "EPERM":
      return {
        kind: "permission",
        message: `${address}: not permitted; use a port above 1023 or run with the right to open it`,
      };
    case "EADDRNOTAVAIL":
      return { kind: "missing", message: `${address}: this computer has no such network address` };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { kind: "unreachable", message: `${address}: there is no host of that name` };
    case "ECONNREFUSED":
      return {
        kind: "unreachable",
        message: `${address}: nothing listens there; start the vehicle or check host and port`,
      };
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return { kind: "unreachable", message: `${address}: no answer; check the network and the address` };
    default:
      return { kind: "failed", message: `${address}: ${errorText(error)}` };
  }
}

export function errorCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
