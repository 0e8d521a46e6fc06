/** What a bag's metadata.yaml says, as far as reading needs it. */
export interface BagMetadata {
  readonly files: readonly string[];
  /** "", "file" or "message". */
  readonly compression_mode: string;
  readonly compression: string;
  readonly message_count: number | null;
  readonly ros_distro: string;
}

const scalar = (text: string, key: string): string =>
  (new RegExp(`^[ \\t-]*${key}:[ \\t]*(.*)$`, "m").exec(text)?.[1] ?? "")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");

/**
 * Reads the handful of keys needed, line by line: rosbag2 always writes them the same way, and half a file, as a recorder
 * that died leaves it, still says which files belong together.
 */
export function parseMetadata(text: string): BagMetadata {
  const list =
    /^[ \t]*relative_file_paths:[ \t]*\r?\n((?:[ \t]*-[ \t]+.*(?:\r?\n|$))+)/m.exec(text)?.[1] ?? "";
  const inline = /^[ \t]*relative_file_paths:[ \t]*\[(.*)\]/m.exec(text)?.[1] ?? "";
  const names = [...list.split(/\r?\n/), ...inline.split(",")]
    .map((line) =>
      line
        .trim()
        .replace(/^-\s+/, "")
        .replace(/^(["'])(.*)\1$/, "$2"),
    )
    .filter((name) => name !== "");
  // Topics have counts too, deeper in: the bag's own stands at the depth of its duration.
  const depth = /^([ \t]*)(?:storage_identifier|duration|starting_time):/m.exec(text)?.[1] ?? "  ";
  const count = new RegExp(`^${depth}message_count:[ \\t]*(\\d+)`, "m").exec(text)?.[1];
  return {
    files: names,
    compression_mode: scalar(text, "compression_mode").toLowerCase(),
    compression: scalar(text, "compression_format").toLowerCase(),
    message_count: count === undefined ? null : Number(count),
    ros_distro: scalar(text, "ros_distro"),
  };
}
