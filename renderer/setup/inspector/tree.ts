import type { InspectedComponent, InspectedMessage } from "#contract/link-ipc";

export interface MessageKey {
  readonly system_id: number;
  readonly component_id: number;
  readonly name: string;
}
export const keyOf = ({ system_id, component_id, name }: MessageKey): string =>
  `${system_id}/${component_id}/${name}`;

export interface ComponentBranch {
  readonly system_id: number;
  readonly component_id: number;
  readonly stream: InspectedComponent | null;
  readonly messages: readonly InspectedMessage[];
}

export type Order = "name" | "rate" | "bytes";

/** Messages under their component under their system, in an order that stays put while rates flicker. */
export function messageTree(
  messages: readonly InspectedMessage[],
  components: readonly InspectedComponent[],
  text: string,
  order: Order,
): readonly ComponentBranch[] {
  const needles = text
    .toUpperCase()
    .split(/[\s_]+/)
    .filter((word) => word !== "");
  const branches = new Map<string, ComponentBranch & { messages: InspectedMessage[] }>();
  for (const message of messages) {
    if (!needles.every((needle) => message.name.includes(needle) || String(message.id) === needle)) continue;
    const { system_id, component_id } = message;
    const key = `${system_id}/${component_id}`;
    const branch = branches.get(key) ?? {
      system_id,
      component_id,
      stream:
        components.find((one) => one.system_id === system_id && one.component_id === component_id) ?? null,
      messages: [],
    };
    branch.messages.push(message);
    branches.set(key, branch);
  }
  const weight = { name: () => 0, rate: rounded("rate_hz"), bytes: rounded("bytes_per_s") }[order];
  return [...branches.values()]
    .sort((a, b) => a.system_id - b.system_id || a.component_id - b.component_id)
    .map((branch) => ({
      ...branch,
      messages: branch.messages.sort((a, b) => weight(b) - weight(a) || (a.name < b.name ? -1 : 1)),
    }));
}

/** Nearly equal rates keep their alphabetical order: a list that reshuffles twice a second cannot be read. */
const rounded =
  (field: "rate_hz" | "bytes_per_s") =>
  (message: InspectedMessage): number =>
    Math.round(Math.log2(Math.max(0.1, message[field])) * 2);

/** Share of frames lost by sequence numbers, 0-1; null before anything came. */
export function lossOf(stream: InspectedComponent | null): number | null {
  if (stream === null || stream.frames + stream.lost === 0) return null;
  return stream.lost / (stream.frames + stream.lost);
}
