const release: Readonly<Record<number, string>> = {
  0: "dev",
  64: "alpha",
  128: "beta",
  192: "rc",
  255: "release",
};

/** "1.17.0 release" of 0x011100FF: major, minor, patch, kind of release, one byte each. */
export function firmwareName(flight_sw_version: number): string | null {
  if (flight_sw_version === 0) return null;
  const byte = (shift: number): number => (flight_sw_version >>> shift) & 0xff;
  const kind = byte(0);
  // Between the named ones lies the number of the pre-release: 193 is the second release candidate.
  const base = Math.max(...[0, 64, 128, 192, 255].filter((value) => value <= kind));
  const suffix = kind === base ? "" : String(kind - base);
  return `${String(byte(24))}.${String(byte(16))}.${String(byte(8))} ${release[base] ?? ""}${suffix}`;
}

/** First 16 digits of the commit: PX4 sends them as a little-endian number, ArduPilot as 8 characters. */
export function gitHash(autopilot: string, custom_version: unknown): string | null {
  if (!Array.isArray(custom_version) || custom_version.every((byte) => byte === 0)) return null;
  const bytes = custom_version.map(Number);
  if (autopilot === "ardupilot") return String.fromCharCode(...bytes.filter((byte) => byte !== 0));
  return bytes
    .reverse()
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
