import { join } from "node:path";
import { safeStorage } from "electron";
import type { Home } from "../platform/paths";
import { fileKeyStore, type KeyStore, storeInFile } from "../station/link/key-store";

/** The system's key chain where there is one; else a file that only its owner may read. */
export function systemKeyStore(home: Home): KeyStore {
  const path = join(home.root, "signing.key");
  if (!safeStorage.isEncryptionAvailable()) return fileKeyStore(path);
  return storeInFile(`${path}.sealed`, "this computer's key chain", {
    seal: (text) => safeStorage.encryptString(text),
    open: (bytes) => safeStorage.decryptString(bytes),
  });
}
