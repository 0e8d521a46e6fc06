import { type SubmitEvent, useState } from "react";
import { useLinkStore, useStores } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { Toggle } from "../../ui/Toggle";
import { Advice, Box, Figure, Word } from "../parts";
import css from "../Setup.module.css";
import { say } from "../useStation";
import { setupWords, signingWords } from "./words";

/** Message signing: which of four things is wrong, and the key. */
export function SigningBox() {
  const stores = useStores();
  const signing = useLinkStore((link) => link.signing);
  const [passphrase, setPassphrase] = useState("");
  const [send, setSend] = useState(false);
  const { tone, text, advice } = signingWords[signing.state];
  const setup = setupWords[signing.setup];
  const keyed = signing.key === "set";
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (passphrase === "") return;
    void tell(stores, stores.bridge.request("signing.set", { passphrase, send })).then((taken) => {
      if (!taken) return;
      setPassphrase("");
      say(stores, send ? "Key kept and sent to the vehicle" : "Key kept");
    });
  };
  return (
    <Box title="Signing" right={<Word tone={tone}>{text}</Word>}>
      {advice !== "" && <Advice tone="warning">{advice}</Advice>}
      {setup !== null && (
        <p>
          <Word tone={setup.tone}>{setup.text}</Word> {setup.advice}
        </p>
      )}
      <dl className={css.figures}>
        <Figure name="key" value={keyed ? `kept: ${signing.store}` : "none"} />
        <Figure name="verified" value={String(signing.counts.ok)} />
        <Figure name="unsigned" value={String(signing.counts.unsigned)} />
        <Figure name="replayed" value={String(signing.counts.replayed)} />
        <Figure name="another key" value={String(signing.counts.wrong_key)} />
        <Figure name="no key here" value={String(signing.counts.no_key)} />
      </dl>
      <form className={css.form} onSubmit={submit}>
        <label className={css.row}>
          <span>Passphrase</span>
          <input
            type="password"
            autoComplete="off"
            value={passphrase}
            onChange={(event) => setPassphrase(event.target.value)}
          />
        </label>
        <div className={css.row}>
          <span>Vehicle</span>
          <Toggle on={send} label="hand it the key too, in the clear: over a cable only" onChange={setSend} />
        </div>
        <div className={css.row}>
          <span>Unsigned</span>
          <Toggle
            on={signing.accept_unsigned}
            label="take unsigned frames while setting up"
            onChange={(accept) =>
              void tell(stores, stores.bridge.request("signing.accept_unsigned", { accept }))
            }
          />
        </div>
        <div className={css.end}>
          {keyed && (
            <Button
              onClick={() => void tell(stores, stores.bridge.request("signing.disable", { send }))}
              title={send ? "Here and on the vehicle" : "Here only"}
            >
              Forget the key
            </Button>
          )}
          <Button type="submit" aria-disabled={passphrase === ""}>
            Set the key
          </Button>
        </div>
      </form>
    </Box>
  );
}
