import type { LinkRequestName } from "#contract/channels";
import type { Handlers, Input } from "#contract/ipc";
import type { Result } from "#contract/result";
import { autopilotName, systemSerialPorts } from "../../link/serial";
import type { VehicleLink } from "../vehicle-link";
import type { LinkDesk } from "./link-desk";
import { NOT_CONNECTED, noLinkDetail } from "./nothing";

/** `dialog.pick` is the shell's. */
export type LinkHandlers = Pick<Handlers, Exclude<LinkRequestName, "dialog.pick">>;

interface Connected {
  readonly desk: LinkDesk;
  readonly link: VehicleLink;
}

type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };
type Valued<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

const outcome = (result: Result<unknown, string>): Outcome =>
  result.ok ? { ok: true } : { ok: false, reason: result.error };
const valued = <T>(result: Result<T, string>): Valued<T> =>
  result.ok ? { ok: true, value: result.value } : { ok: false, reason: result.error };

/** Answers every request about links, parameters, plans, files, logs and messages. */
export function linkHandlers(session: () => Connected | null): LinkHandlers {
  const done = async (
    act: (connected: Connected) => Result<unknown, string> | Promise<Result<unknown, string>>,
  ): Promise<Outcome> => {
    const connected = session();
    return connected === null ? { ok: false, reason: NOT_CONNECTED } : outcome(await act(connected));
  };
  const got = async <T>(
    ask: (connected: Connected) => Result<T, string> | Promise<Result<T, string>>,
  ): Promise<Valued<T>> => {
    const connected = session();
    return connected === null ? { ok: false, reason: NOT_CONNECTED } : valued(await ask(connected));
  };
  const known = (yes: boolean): Result<void, string> =>
    yes ? { ok: true, value: undefined } : { ok: false, error: "That transfer is not there any more." };
  return {
    "link.detail": () => Promise.resolve(session()?.desk.detail() ?? noLinkDetail),
    "link.ports": serialPorts,
    "link.add": ({ address }) => done(({ desk }) => desk.addLink(address)),
    "link.remove": ({ address }) => done(({ desk }) => desk.removeLink(address)),
    "link.primary": ({ system_id, address }) => done(({ desk }) => desk.choosePrimary(system_id, address)),
    "link.select": ({ system_id }) => done(({ link }) => link.select(system_id)),
    "link.forward": ({ address, may_command }) => done(({ desk }) => desk.forwardTo(address, may_command)),
    "signing.set": ({ passphrase, send }) => done(({ desk }) => desk.setSigning(passphrase, send)),
    "signing.disable": ({ send }) => done(({ desk }) => desk.disableSigning(send)),
    "signing.accept_unsigned": ({ accept }) => done(({ desk }) => desk.acceptUnsigned(accept)),
    "parameters.list": () => got(({ desk }) => desk.parameters.rows()),
    "parameters.refresh": () => done(({ desk }) => desk.parameters.refresh()),
    "parameters.write": ({ name, value }) => got(({ desk }) => desk.parameters.write(name, value)),
    "parameters.compare": ({ path }) => got(({ desk }) => desk.parameters.compare(path)),
    "parameters.export": ({ path }) => done(({ desk }) => desk.parameters.export(path)),
    "parameters.import": ({ path, names }) => got(({ desk }) => desk.parameters.import(path, names)),
    "plan.read": () => got(({ desk }) => desk.plans.read()),
    "plan.write": (parts) => done(({ desk }) => desk.plans.write(parts)),
    "plan.open": ({ path }) => got(({ desk }) => desk.plans.open(path)),
    "plan.save": ({ path, plan }) => done(({ desk }) => desk.plans.save(path, plan)),
    "plan.origin": () => Promise.resolve({ origin: session()?.desk.plans.origin ?? null }),
    "files.list": ({ path }) => got(({ desk }) => desk.files.list(path)),
    "files.download": ({ path, folder }) => got(({ desk }) => desk.files.download(path, folder)),
    "logs.list": () => got(({ desk }) => desk.files.logs()),
    "logs.download": ({ id, folder }) => got(({ desk }) => desk.files.downloadLog(id, folder)),
    "transfer.cancel": ({ transfer }) => done(({ desk }) => known(desk.transfers.cancel(transfer))),
    "transfer.dismiss": ({ transfer }) => done(({ desk }) => known(desk.transfers.dismiss(transfer))),
    "inspector.messages": () => {
      const link = session()?.link;
      return Promise.resolve({
        messages: link?.inspector.messages() ?? [],
        components: link?.hub.senders() ?? [],
      });
    },
    "inspector.fields": (key) => got(({ link }) => link.inspector.fields(key)),
    "inspector.plot": (asked) => done(({ link }) => link.inspector.plot(asked, asked.field)),
    "inspector.unplot": (asked) =>
      done(({ link }) => {
        link.inspector.unplot(asked, asked.field);
        return known(true);
      }),
    "inspector.series": (asked: Input<"inspector.series">) =>
      got(({ link }) => link.inspector.series(asked, asked.field, asked.after_ms)),
    "vehicle.check": () => done(({ desk }) => desk.runChecks()),
    "vehicle.set_origin": (origin) => done(({ desk }) => desk.plans.setOrigin(origin)),
    "site.set": ({ yaw_rad, offset_enu_m }) => done(({ desk }) => desk.site.set(yaw_rad, offset_enu_m)),
    "site.check": ({ step }) => done(({ desk }) => desk.site.check(step)),
    "relay.set": ({ source, yaw_rad, offset_enu_m }) =>
      done(({ desk }) => desk.setRelay(source, { yaw_rad, offset_enu_m })),
  };
}

/** USB autopilots run at any rate; telemetry radios come set to 57,600 baud. */
const serialPorts: LinkHandlers["link.ports"] = async () => {
  const ports = await systemSerialPorts()
    .list()
    .catch(() => []);
  return ports.map((port) => {
    const baud = /ttyACM|usbmodem/.test(port.path) ? 115_200 : 57_600;
    return {
      path: port.path,
      autopilot: autopilotName(port),
      serial_number: port.serial_number,
      address: `serial://${port.path}:${String(baud)}`,
    };
  });
};
