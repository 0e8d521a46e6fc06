import { connect, type Socket } from "node:net";
import type { CameraHello } from "#contract/camera-wire";
import type { Cancel, Clock } from "../platform/clock";
import { PacketReader } from "./packets";
import type { RgbdFrame, RgbdSource } from "./port";

const retry_ms = 500;

/** The embedded vehicle's camera: a Unix socket (a named pipe on Windows) that is reopened whenever it closes. */
export function openSocketCamera(path: string, clock: Clock): RgbdSource {
  const hellos = new Set<(hello: CameraHello) => void>();
  const frames = new Set<(frame: RgbdFrame) => void>();
  const problems = new Set<(text: string) => void>();
  let socket: Socket | null = null;
  let cancelRetry: Cancel = () => {};
  let closed = false;
  let complained = false;

  const complain = (text: string): void => {
    if (complained || closed) return;
    complained = true;
    for (const tell of problems) tell(text);
  };
  const open = (): void => {
    const reader = new PacketReader();
    const current = connect(path);
    socket = current;
    current.on("data", (chunk: Buffer) => {
      const packets = reader.push(chunk);
      if (!packets.ok) {
        complain(`Camera: ${packets.error}; the connection is opened anew.`);
        current.destroy();
        return;
      }
      complained = false;
      for (const packet of packets.value) {
        if ("hello" in packet) for (const tell of hellos) tell(packet.hello);
        else for (const tell of frames) tell(packet.frame);
      }
    });
    current.on("error", (error: NodeJS.ErrnoException) => {
      complain(`Camera: cannot read ${path} (${error.code ?? error.message}); trying again.`);
    });
    current.on("close", () => {
      if (closed) return;
      complain("Camera: the connection closed; trying again.");
      cancelRetry = clock.after(retry_ms, open);
    });
  };
  open();

  const listen = <T>(set: Set<(value: T) => void>, listener: (value: T) => void): Cancel => {
    set.add(listener);
    return () => {
      set.delete(listener);
    };
  };
  return {
    onHello: (listener) => listen(hellos, listener),
    onFrame: (listener) => listen(frames, listener),
    onProblem: (listener) => listen(problems, listener),
    close: () => {
      closed = true;
      cancelRetry();
      socket?.destroy();
    },
  };
}
