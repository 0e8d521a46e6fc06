import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type AuditLine, auditStart, canonicalJson, chainAudit, verifyAudit } from "./audit";

function chain(count: number): AuditLine[] {
  const lines: AuditLine[] = [];
  let previous = auditStart;
  for (let seq = 0; seq < count; seq++) {
    const line = chainAudit(
      {
        kind: "approval",
        by: "operator 1",
        detail: { seq, margin: Number.NaN, nested: { b: 1, a: [1, null] } },
      },
      seq,
      1000 + seq,
      previous,
    );
    lines.push(line);
    previous = line.hash;
  }
  return lines;
}
const text = (lines: readonly AuditLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const none = new Map<number, string>();

test("canonical JSON does not depend on the order of members", () => {
  expect(canonicalJson({ b: 1, a: { d: [2, "x"], c: null } })).toBe('{"a":{"c":null,"d":[2,"x"]},"b":1}');
});

test("an untouched chain verifies, also with a cut last line", () => {
  expect(verifyAudit(text(chain(5)), none)).toEqual({
    state: "verified",
    detail: "5 decisions, chain unbroken",
  });
  expect(verifyAudit(`${text(chain(5))}{"seq":5,"ki`, none).state).toBe("verified");
});

test("any change, removal, insertion or swap of lines breaks the chain", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom("change", "remove", "repeat", "swap"),
      (at, how) => {
        const lines = chain(5);
        const [line, next] = [lines[at] as AuditLine, lines[at + 1] as AuditLine];
        if (how === "change") lines[at] = { ...line, by: "somebody else" };
        if (how === "remove") lines.splice(at, 1);
        if (how === "repeat") lines.splice(at, 0, line);
        if (how === "swap") lines.splice(at, 2, next, line);
        expect(verifyAudit(text(lines), none).state).toBe("broken");
      },
    ),
  );
});

test("a cut tail shows against the hashes in the recording", () => {
  const lines = chain(5);
  const witness = new Map(lines.map((line) => [line.seq, line.hash]));
  expect(verifyAudit(text(lines), witness).state).toBe("verified");
  expect(verifyAudit(text(lines.slice(0, 3)), witness)).toEqual({
    state: "broken",
    detail: "it ends after 3 decisions; the recording knows number 4",
  });
  expect(verifyAudit(null, witness).state).toBe("broken");
  expect(verifyAudit(null, none).state).toBe("absent");
});

test("a chain rebuilt from the changed line on does not match the recording", () => {
  const witness = new Map(chain(5).map((line) => [line.seq, line.hash]));
  const forged: AuditLine[] = [];
  let previous = auditStart;
  for (let seq = 0; seq < 5; seq++) {
    const line = chainAudit({ kind: "approval", by: "forger", detail: { seq } }, seq, 1000 + seq, previous);
    forged.push(line);
    previous = line.hash;
  }
  expect(verifyAudit(text(forged), none).state).toBe("verified");
  expect(verifyAudit(text(forged), witness).state).toBe("broken");
});
