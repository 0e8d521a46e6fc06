import {
  type ArmCommand,
  type ArmResult,
  type ArmState,
  armPayloadType,
  decodeArmReport,
  encodeArmCommand,
} from "#contract/arm-tunnel";
import type { FieldValue } from "../autopilot/port";

type Send = (name: string, fields: Readonly<Record<string, FieldValue>>) => void;

/**
 * The station's end of the arm protocol (docs/tunnel-protocol.md) for scripted flights: commands leave as TUNNEL messages,
 * reports come back the same way. Nothing here touches the physics.
 */
export class ArmLine {
  /** The newest state report; null until the companion has spoken. */
  state: ArmState | null = null;
  readonly #send: Send;
  #seq = 0;
  #spoken = false;
  #answers = new Map<number, ArmResult>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** Sends a command; its answer can be asked for by the number that is returned. */
  order(command: ArmCommand): number {
    this.#spoken = true;
    this.#seq = (this.#seq + 1) & 0xffff;
    const bytes = encodeArmCommand(this.#seq, command);
    this.#send("TUNNEL", {
      payload_type: armPayloadType,
      payload_length: bytes.length,
      payload: Array.from({ length: 128 }, (_, i) => bytes[i] ?? 0),
    });
    return this.#seq;
  }

  answer(seq: number): ArmResult | null {
    return this.#answers.get(seq) ?? null;
  }

  /** Says that somebody is there, once the arm has been spoken to. */
  alive(): void {
    if (this.#spoken) this.order({ kind: "alive", exit: "freeze" });
  }

  /** A TUNNEL message of the vehicle. */
  hear(fields: Readonly<Record<string, FieldValue>>): void {
    const { payload, payload_length, payload_type } = fields;
    if (payload_type !== armPayloadType || !Array.isArray(payload)) return;
    const bytes = Uint8Array.from((payload as readonly number[]).slice(0, Number(payload_length)));
    const report = decodeArmReport(bytes);
    if (!report.ok) return;
    if (report.value.kind === "ack") this.#answers.set(report.value.seq, report.value.result);
    else this.state = report.value;
  }
}
