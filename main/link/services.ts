import type { Cancel, Clock } from "../platform/clock";
import type { EventNews } from "../vehicle/arming-events";
import { CommandSender } from "./command-sender";
import { type Discovery, startDiscovery } from "./protocols/components";
import { startEvents } from "./protocols/events";
import { FtpService } from "./protocols/ftp";
import { LogService } from "./protocols/logs";
import { MissionService } from "./protocols/mission";
import { encodingOf } from "./protocols/parameter-value";
import { ParameterService } from "./protocols/parameters";
import { listen, type ServiceTarget, type ServiceWire } from "./protocols/service";
import { startTimesync, type Timesync } from "./protocols/timesync";

/** Everything that can be had from one vehicle, while it is the one that is selected. */
export interface VehicleServices {
  readonly target: ServiceTarget;
  readonly parameters: ParameterService;
  readonly missions: MissionService;
  readonly files: FtpService;
  readonly logs: LogService;
  readonly time: Timesync;
  readonly discovery: Discovery;
  /** For requests that move nothing; what moves the vehicle goes through dispatch. */
  readonly requests: CommandSender;
  close(): void;
}

export function openServices(options: {
  readonly wire: ServiceWire;
  readonly clock: Clock;
  readonly target: ServiceTarget;
  readonly autopilot: string;
  /** Events in order; `stepArmingReport` of the vehicle turns them into reasons. */
  readonly onEvent: (news: EventNews) => void;
}): VehicleServices {
  const { wire, clock, target, autopilot } = options;
  let capabilities: number | null = null;
  const cancels: Cancel[] = [
    listen(wire, target, ["AUTOPILOT_VERSION"], ({ fields }) => {
      const bits = fields["capabilities"];
      if (typeof bits === "number") capabilities = bits;
    }),
    startEvents(wire, clock, target, options.onEvent),
  ];
  const parameters = new ParameterService(wire, clock, target, () => encodingOf(capabilities, autopilot));
  const requests = new CommandSender(wire, clock);
  const time = startTimesync(wire, clock, target);
  const discovery = startDiscovery(wire, clock, target.system_id);
  return {
    target,
    parameters,
    missions: new MissionService(wire, clock, target),
    files: new FtpService(wire, clock, target),
    logs: new LogService(wire, clock, target),
    time,
    discovery,
    requests,
    close: () => {
      for (const cancel of cancels) cancel();
      parameters.close();
      requests.close();
      time.stop();
      discovery.stop();
    },
  };
}
