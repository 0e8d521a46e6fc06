import { createConnection, type Socket } from "node:net";

/**
 * Real key presses on an X display through the XTEST extension: they take the road of a keyboard (X server,
 * Electron's window, menu), which synthetic DevTools events do not, and need no helper program.
 * Requests follow the X11 protocol (https://www.x.org/releases/X11R7.7/doc/xproto/x11protocol.html, appendix B)
 * and xextproto/xtest.
 */
export interface XKeyboard {
  press(...keys: readonly XKey[]): Promise<void>;
  close(): void;
}

/** Keycodes of a PC keyboard as X numbers them (evdev code + 8). */
const keycodes = {
  F9: 75,
  L: 46,
  Shift: 50,
  Control: 37,
  Space: 65,
  K: 45,
  "1": 10,
  "3": 12,
  Escape: 9,
} as const;
export type XKey = keyof typeof keycodes;

const queryExtension = 98;
const getInputFocus = 43;
const keyPress = 2;
const keyRelease = 3;

export async function openXKeyboard(display = process.env["DISPLAY"] ?? ""): Promise<XKeyboard> {
  const number = /:(\d+)/.exec(display)?.[1];
  if (number === undefined) throw new Error(`Not a local display: "${display}"`);
  const socket = createConnection(`/tmp/.X11-unix/X${number}`);
  const read = reader(socket);
  const hello = Buffer.alloc(12);
  hello.write("l", 0, "latin1");
  hello.writeUInt16LE(11, 2);
  socket.write(hello);
  const head = await read(8);
  if (head[0] !== 1) throw new Error("The X server refused the connection");
  await read(head.readUInt16LE(6) * 4);

  const name = "XTEST";
  const query = Buffer.alloc(16);
  query.writeUInt8(queryExtension, 0);
  query.writeUInt16LE(4, 2);
  query.writeUInt16LE(name.length, 4);
  query.write(name, 8, "latin1");
  socket.write(query);
  const extension = await read(32);
  if (extension[8] !== 1) throw new Error("The X server has no XTEST extension");
  const xtest = extension.readUInt8(9);

  const fake = (type: number, key: XKey): void => {
    const request = Buffer.alloc(36);
    request.writeUInt8(xtest, 0);
    request.writeUInt8(2, 1); // FakeInput
    request.writeUInt16LE(9, 2);
    request.writeUInt8(type, 4);
    request.writeUInt8(keycodes[key], 5);
    socket.write(request);
  };
  /** A request with a reply: when it has answered, everything before it has been done. */
  const settle = async (): Promise<void> => {
    socket.write(Buffer.from([getInputFocus, 0, 1, 0]));
    await read(32);
  };
  return {
    press: async (...keys) => {
      for (const key of keys) fake(keyPress, key);
      for (const key of [...keys].reverse()) fake(keyRelease, key);
      await settle();
    },
    close: () => socket.end(),
  };
}

/** Reads exact numbers of bytes, one request at a time. */
function reader(socket: Socket): (count: number) => Promise<Buffer> {
  let held = Buffer.alloc(0);
  let waiting: { readonly count: number; readonly done: (bytes: Buffer) => void } | null = null;
  const serve = (): void => {
    if (waiting === null || held.length < waiting.count) return;
    const { count, done } = waiting;
    waiting = null;
    const bytes = held.subarray(0, count);
    held = held.subarray(count);
    done(bytes);
  };
  socket.on("data", (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    serve();
  });
  return (count) =>
    new Promise((done, fail) => {
      socket.once("error", fail);
      waiting = {
        count,
        done: (bytes) => {
          socket.removeListener("error", fail);
          done(bytes);
        },
      };
      serve();
    });
}
