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
  const { observed } = useStores();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const jpeg = observed.imageOf(proposal);
    if (jpeg === null) return;
    const made = URL.createObjectURL(new Blob([new Uint8Array(jpeg)], { type: "image/jpeg" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [observed, proposal]);
  if (url === null) {
    return (
      <div className={className} title="The picture is not in this window; the recording has it">
        <ImageOff size={18} role="img" aria-label="Picture not in this window" />
      </div>
    );
  }
  return <img className={className} src={url} alt={`What the policy saw at step ${proposal.step}`} />;
}
