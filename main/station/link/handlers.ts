import type { LinkRequestName } from "#contract/channels";
import type { Handlers } from "#contract/ipc";
import { NOT_CONNECTED, noLinkDetail } from "./nothing";

/** `dialog.pick` is the shell's. */
export type LinkHandlers = Pick<Handlers, Exclude<LinkRequestName, "dialog.pick">>;

const refused = { ok: false as const, reason: NOT_CONNECTED };
const no = (): Promise<typeof refused> => Promise.resolve(refused);

/** Answers every request about links, parameters, plans, files, logs and messages. */
export function linkHandlers(): LinkHandlers {
  return {
    "link.detail": () => Promise.resolve(noLinkDetail),
    "link.ports": () => Promise.resolve([]),
    "link.add": no,
    "link.remove": no,
    "link.primary": no,
    "link.select": no,
    "link.forward": no,
    "signing.set": no,
    "signing.disable": no,
    "signing.accept_unsigned": no,
    "parameters.list": no,
    "parameters.refresh": no,
    "parameters.write": no,
    "parameters.compare": no,
    "parameters.export": no,
    "parameters.import": no,
    "plan.read": no,
    "plan.write": no,
    "plan.open": no,
    "plan.save": no,
    "plan.origin": () => Promise.resolve({ origin: null }),
    "files.list": no,
    "files.download": no,
    "logs.list": no,
    "logs.download": no,
    "transfer.cancel": no,
    "transfer.dismiss": no,
    "inspector.messages": () => Promise.resolve({ messages: [], components: [] }),
    "inspector.fields": no,
    "inspector.plot": no,
    "inspector.unplot": no,
    "inspector.series": no,
    "vehicle.check": no,
    "vehicle.set_origin": no,
    "site.set": no,
    "site.check": no,
    "relay.set": no,
  };
}
