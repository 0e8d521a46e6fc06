import { useLinkStore } from "../../stores/context";
import { Nothing } from "../parts";
import css from "../Setup.module.css";
import { Connect } from "./Connect";
import { ForwarderBox } from "./ForwarderBox";
import { LinkBox } from "./LinkBox";
import { SigningBox } from "./SigningBox";
import { Streams, Vehicles } from "./Vehicles";

/** What is connected, how well, and who else may listen. */
export function LinksSection() {
  const { connected, reason, links } = useLinkStore((link) => link);
  return (
    <div className={css.columns}>
      <div>
        <Connect />
        {links.length === 0 && (
          <Nothing
            what={reason === "" ? "No link is open. Its rates, losses and faults will stand here." : reason}
          />
        )}
        {links.map((row) => (
          <LinkBox key={row.status.address} row={row} only={links.length === 1} />
        ))}
      </div>
      {connected && (
        <div>
          <Vehicles />
          <SigningBox />
          <ForwarderBox />
          <Streams />
        </div>
      )}
    </div>
  );
}
