import type { LinkProblem } from "./port";
import { errorCode, errorText } from "./problems";

/** What a failed open of a serial port means and what to do; the binding gives codes on some systems and words on others. */
export function serialProblem(error: unknown, path: string): LinkProblem {
  const text = `${errorCode(error)} ${errorText(error)}`;
  if (/EACCES|EPERM|permission denied|access denied/i.test(text)) {
    return {
      kind: "permission",
      message: `no permission to open ${path}: add yourself to its group (sudo usermod -a -G dialout $USER) and log in again`,
    };
  }
  if (/EBUSY|resource busy|cannot lock|temporarily unavailable/i.test(text)) {
    return {
      kind: "busy",
      message: `${path} is in use: close the other ground station, or stop ModemManager (sudo systemctl stop ModemManager)`,
    };
  }
  if (/EISDIR|is a directory/i.test(text)) {
    return { kind: "not_a_device", message: `${path} is a directory, not a serial port` };
  }
  if (/ENOTTY|ENODEV|inappropriate ioctl|not a tty|EINVAL|invalid argument/i.test(text)) {
    return { kind: "not_a_device", message: `${path} is not a serial port, or does not do this baud rate` };
  }
  if (/ENOENT|no such file|file not found|ENXIO/i.test(text)) {
    return {
      kind: "missing",
      message: `${path} does not exist: is the autopilot plugged in, with a data cable, and is the name right?`,
    };
  }
  return { kind: "failed", message: `${path}: ${errorText(error)}` };
}
