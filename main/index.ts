import { systemKeyStore } from "./app/key-store";
import { startShell } from "./app/shell";
import { createStation } from "./station";

startShell((needs) =>
  createStation({ ...needs, connectLater: true, offerLogs: true, keys: systemKeyStore(needs.home) }),
);
