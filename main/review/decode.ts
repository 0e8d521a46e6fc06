export type Decode = (bytes: Uint8Array) => unknown;
