import { ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import type { Proposal } from "#contract/mission";
import { useStores } from "../stores/context";

interface Props {
  readonly proposal: Proposal;
  readonly className: string | undefined;
}

/** The camera picture that the policy saw when it chose. */
export function ObservedImage({ proposal, className }: Props) {
  const { observed, cameras } = useStores();
  // Every snapshot brings a new object for the same proposal.
  const { id } = proposal;
  const { camera_seq } = proposal.observation;
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    const look = (): boolean => {
      const jpeg = observed.imageOf(id, camera_seq);
      if (jpeg === null) return false;
      made = URL.createObjectURL(new Blob([new Uint8Array(jpeg)], { type: "image/jpeg" }));
      setUrl(made);
      return true;
    };
    // A fast policy answers before its own picture has reached this window.
    let cancel = (): void => undefined;
    if (!look()) {
      cancel = cameras.onPicture(() => {
        if (look()) cancel();
      });
    }
    return () => {
      cancel();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [observed, cameras, id, camera_seq]);
  if (url === null) {
    return (
      <div className={className} title="The picture is not in this window; the recording has it">
        <ImageOff size={18} role="img" aria-label="Picture not in this window" />
      </div>
    );
  }
  return <img className={className} src={url} alt={`What the policy saw at step ${proposal.step}`} />;
}
