import { join } from "node:path";
import { safeStorage } from "electron";
import type { Home } from "../platform/paths";
import { fileKeyStore, type KeyStore, storeInFile } from "../station/link/key-store";

/** The calls that every Electron has; the oldest that Kingfisher runs on knows no asynchronous ones. */
interface KeyChain {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(bytes: Buffer): string;
}

/** The system's key chain where there is one; else a file that only its owner may read. */
export function systemKeyStore(home: Home): KeyStore {
  const path = join(home.root, "signing.key");
  const chain: KeyChain = safeStorage;
  if (!chain.isEncryptionAvailable()) return fileKeyStore(path);
  return storeInFile(`${path}.sealed`, "this computer's key chain", {
    seal: (text) => chain.encryptString(text),
    open: (bytes) => chain.decryptString(bytes),
  });
}
