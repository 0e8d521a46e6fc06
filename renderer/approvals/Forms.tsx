import { type SubmitEvent, useState } from "react";
import { type SkillCall, type SkillParameter, skillLibrary } from "#contract/skills";
import { Button, Kbd } from "../ui/Button";
import { fixed } from "../ui/format";
import { parseWithin } from "../ui/parse";
import css from "./Actions.module.css";

interface EditProps {
  readonly call: SkillCall;
  readonly onCancel: () => void;
  readonly onDone: (args: Record<string, number>) => void;
}

/** The skill's own arguments, within the library's limits. The edited skill is planned and judged anew. */
export function EditForm({ call, onCancel, onDone }: EditProps) {
  const parameters = Object.entries(skillLibrary[call.skill].parameters);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      parameters.map(([name, spec]) => [
        name,
        fixed(call.args[name] ?? spec.default, spec.unit === "m" ? 2 : 0),
      ]),
    ),
  );
  const read = parameters.map(([name, spec]) => ({
    name,
    spec,
    result: parseWithin(texts[name] ?? "", spec),
  }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const args: Record<string, number> = {};
    for (const { name, result } of read) {
      if ("problem" in result) return;
      args[name] = result.value;
    }
    onDone(args);
  };
  return (
    <form className={css.form} onSubmit={submit} aria-label="Edit within limits">
      {read.map(({ name, spec, result }, index) => (
        <ArgumentField
          key={name}
          spec={spec}
          text={texts[name] ?? ""}
          problem={"problem" in result ? result.problem : null}
          focus={index === 0}
          onText={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
      <div className={css.formEnd}>
        <Button type="submit" tone="intent">
          Propose this <Kbd>↵</Kbd>
        </Button>
        <Button onClick={onCancel}>
          Back <Kbd>Esc</Kbd>
        </Button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly spec: SkillParameter;
  readonly text: string;
  readonly problem: string | null;
  readonly focus: boolean;
  readonly onText: (text: string) => void;
}

function ArgumentField({ spec, text, problem, focus, onText }: FieldProps) {
  return (
    <label className={css.field}>
      <span>
        {spec.label}, {spec.unit}
      </span>
      <input
        inputMode="decimal"
        value={text}
        autoFocus={focus}
        aria-invalid={problem !== null}
        onFocus={(event) => event.target.select()}
        onChange={(event) => onText(event.target.value)}
      />
      <small data-problem={problem !== null || undefined}>{problem ?? `${spec.min} to ${spec.max}`}</small>
    </label>
  );
}

const usual = ["too close", "wrong direction", "too far", "not needed"] as const;

interface RejectProps {
  readonly onCancel: () => void;
  readonly onDone: (reason: string) => void;
}

/** The reason goes to the policy, word for word, and changes what it proposes next. */
export function RejectForm({ onCancel, onDone }: RejectProps) {
  const [reason, setReason] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (reason.trim() !== "") onDone(reason.trim());
  };
  return (
    <form className={css.form} onSubmit={submit} aria-label="Reject with a reason">
      <label className={css.field}>
        <span>Reason, told to the policy</span>
        <input value={reason} maxLength={500} autoFocus onChange={(event) => setReason(event.target.value)} />
      </label>
      <div className={css.usual}>
        {usual.map((text) => (
          <Button key={text} size="small" onClick={() => onDone(text)}>
            {text}
          </Button>
        ))}
      </div>
      <div className={css.formEnd}>
        <Button type="submit" tone="intent" aria-disabled={reason.trim() === ""}>
          Reject <Kbd>↵</Kbd>
        </Button>
        <Button onClick={onCancel}>
          Back <Kbd>Esc</Kbd>
        </Button>
      </div>
    </form>
  );
}
