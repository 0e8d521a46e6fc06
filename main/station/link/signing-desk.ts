import type { SigningStatus } from "#contract/link-detail";
import { err, ok, type Result } from "#contract/result";
import type { LinkHub } from "../../link/port";
import type { ServiceTarget } from "../../link/protocols/service";
import { keyFromPassphrase, type SignatureCheck, Signing, setupSigningFields } from "../../link/signing";
import type { LinkSigner } from "../../link/signing-port";
import type { Clock } from "../../platform/clock";
import type { KeyStore } from "./key-store";

/** SETUP_SIGNING has no answer: said three times, then what the vehicle signs is the proof. */
const REPEATS = 3;
const REPEAT_ms = 300;
const PROOF_ms = 5000;

/** From worst to best: what the screen shows of several links. */
const severity: readonly SigningStatus["state"][] = [
  "wrong_key",
  "replayed",
  "no_key",
  "unsigned",
  "ok",
  "off",
];

export interface SigningPorts {
  readonly clock: Clock;
  readonly store: KeyStore;
  readonly accept_unsigned: boolean;
  readonly onChange: () => void;
}

/** One key for all links of the station, each link with a stream of its own. */
export class SigningDesk {
  readonly #ports: SigningPorts;
  readonly #links = new Map<string, Signing>();
  #key: Uint8Array | null = null;
  #lastTimestamp = 0;
  #acceptUnsigned: boolean;
  #setup: SigningStatus["setup"] = "none";

  constructor(ports: SigningPorts) {
    this.#ports = ports;
    this.#acceptUnsigned = ports.accept_unsigned;
  }

  /** Before the first link is opened. */
  async load(): Promise<void> {
    const stored = await this.#ports.store.load();
    this.#key = stored?.key ?? null;
    this.#lastTimestamp = stored?.last_timestamp ?? 0;
  }

  /** The signing of a link that is being opened. */
  signer(address: string): LinkSigner {
    const { clock } = this.#ports;
    const key = (): Uint8Array | null => this.#key;
    const acceptUnsigned = (): boolean => this.#acceptUnsigned;
    const signing = new Signing({
      get key() {
        return key();
      },
      get accept_unsigned() {
        return acceptUnsigned();
      },
      link_id: this.#links.size % 256,
      utc_ms: () => clock.utc_ms(),
      last_timestamp: this.#newest(),
    });
    this.#links.set(address, signing);
    return signing;
  }

  acceptUnsigned(accept: boolean): void {
    this.#acceptUnsigned = accept;
    this.#ports.onChange();
  }

  /** Makes the key of a passphrase ours and, with a target, the vehicle's first. */
  async set(
    passphrase: string,
    give: { readonly hub: LinkHub; readonly target: ServiceTarget } | null,
  ): Promise<Result<void, string>> {
    const key = keyFromPassphrase(passphrase);
    const kept = await this.#keep(key);
    if (!kept.ok) return kept;
    if (give !== null) await this.#handOver(give, key);
    this.#become(key);
    if (give !== null) this.#awaitProof("ok");
    return ok(undefined);
  }

  async disable(
    give: { readonly hub: LinkHub; readonly target: ServiceTarget } | null,
  ): Promise<Result<void, string>> {
    const kept = await this.#keep(null);
    if (!kept.ok) return kept;
    // Signed with the key that is still ours: a vehicle that signs believes nothing else.
    if (give !== null) await this.#handOver(give, null);
    this.#become(null);
    if (give !== null) this.#awaitProof("off");
    return ok(undefined);
  }

  status(): SigningStatus {
    const counts: Record<SignatureCheck, number> = {
      ok: 0,
      unsigned: 0,
      replayed: 0,
      wrong_key: 0,
      no_key: 0,
    };
    for (const link of this.#links.values()) {
      for (const [kind, count] of Object.entries(link.counts) as [SignatureCheck, number][])
        counts[kind] += count;
    }
    const worst = [...this.#links.values()].sort(
      (a, b) => severity.indexOf(a.state) - severity.indexOf(b.state),
    )[0];
    return {
      key: this.#key === null ? "none" : "set",
      store: this.#ports.store.place,
      accept_unsigned: this.#acceptUnsigned,
      state: worst?.state ?? "off",
      advice: worst?.advice ?? "",
      counts,
      setup: this.#setup,
    };
  }

  /** Keeps the newest time stamp for the next start. */
  async close(): Promise<void> {
    if (this.#key !== null) await this.#keep(this.#key);
  }

  #newest(): number {
    return Math.max(this.#lastTimestamp, ...[...this.#links.values()].map((link) => link.last_timestamp));
  }

  async #keep(key: Uint8Array | null): Promise<Result<void, string>> {
    try {
      await this.#ports.store.save(key === null ? null : { key, last_timestamp: this.#newest() });
      return ok(undefined);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return err(`The key could not be kept in ${this.#ports.store.place}: ${why}`);
    }
  }

  async #handOver(
    { hub, target }: { readonly hub: LinkHub; readonly target: ServiceTarget },
    key: Uint8Array | null,
  ): Promise<void> {
    const { clock } = this.#ports;
    for (let i = 0; i < REPEATS; i++) {
      hub.send("SETUP_SIGNING", setupSigningFields(target, key, clock.utc_ms()));
      await new Promise<void>((done) => {
        clock.after(REPEAT_ms, done);
      });
    }
    this.#setup = "sent";
  }

  #become(key: Uint8Array | null): void {
    this.#lastTimestamp = this.#newest();
    this.#key = key;
    for (const link of this.#links.values()) link.restart();
    this.#ports.onChange();
  }

  #awaitProof(state: "ok" | "off"): void {
    this.#ports.clock.after(PROOF_ms, () => {
      this.#setup = this.status().state === state ? "confirmed" : "not_confirmed";
      this.#ports.onChange();
    });
  }
}
