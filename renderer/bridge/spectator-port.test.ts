import { expect, test } from "vitest";
import { cameraPortMessage, spectatorPortMessage } from "#contract/channels";
import { onSpectatorPort } from "./spectator-port";

test("takes the port of the spectator's message alone, until it is told to stop", () => {
  const listeners = new Set<(event: MessageEvent) => void>();
  const page = {
    addEventListener: (_type: "message", listener: (event: MessageEvent) => void) => listeners.add(listener),
    removeEventListener: (_type: "message", listener: (event: MessageEvent) => void) =>
      listeners.delete(listener),
  };
  const arrive = (data: unknown, ports: readonly unknown[]): void => {
    for (const listener of listeners) listener({ data, ports } as unknown as MessageEvent);
  };
  const heard: unknown[] = [];
  const stop = onSpectatorPort(page, (port) => heard.push(port));
  arrive({ type: cameraPortMessage, camera: "x" }, ["camera"]);
  arrive({ type: spectatorPortMessage }, []);
  arrive(null, ["nothing"]);
  arrive({ type: spectatorPortMessage }, ["truth"]);
  expect(heard).toEqual(["truth"]);
  stop();
  arrive({ type: spectatorPortMessage }, ["later"]);
  expect(heard).toEqual(["truth"]);
});
