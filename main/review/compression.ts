/** Unpackers for the chunks of MCAP files and ROS bags. Each throws on bytes that are not what they claim. */
export interface Codecs {
  readonly lz4: (packed: Uint8Array, size: number) => Uint8Array;
  readonly bz2: (packed: Uint8Array, size: number) => Uint8Array;
  readonly zstd: (packed: Uint8Array, size: number) => Uint8Array;
  /** A frame that tells its own size. */
  readonly zstdFrame: (packed: Uint8Array) => Uint8Array;
}

let loading: Promise<Codecs> | null = null;

/** WebAssembly modules, loaded once and only by logs that may need them. */
export function loadCodecs(): Promise<Codecs> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Codecs> {
  const [lz4Module, bz2Module, zstdModule] = await Promise.all([
    import("@foxglove/wasm-lz4"),
    import("@foxglove/wasm-bz2"),
    import("fzstd"),
  ]);
  const lz4 = callable(lz4Module) as typeof lz4Module.default;
  const Bzip2 = callable(bz2Module) as typeof bz2Module.default;
  await lz4.isLoaded;
  const bz2 = await Bzip2.init();
  return {
    lz4: (packed, size) => exactly(copy(lz4(packed, size)), size),
    bz2: (packed, size) => exactly(bz2.decompress(packed, size, { small: false }), size),
    zstd: (packed, size) => exactly(zstdModule.decompress(packed, new Uint8Array(size)), size),
    zstdFrame: (packed) => zstdModule.decompress(packed),
  };
}

/** CommonJS packages arrive as `default`, sometimes twice wrapped, depending on who bundled them. */
function callable(module: unknown): unknown {
  let found: unknown = module;
  while (typeof found !== "function" && found !== null && typeof found === "object" && "default" in found)
    found = found.default;
  return found;
}

/** WebAssembly memory is reused by the next call. */
const copy = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes);

function exactly(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length !== size) throw new Error(`unpacked to ${bytes.length} bytes, expected ${size}`);
  return bytes;
}
