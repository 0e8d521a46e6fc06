import { err, ok, type Result } from "#contract/result";
import type { Suite } from "../suite";
import { displacementSuite } from "./displacement";
import { faultsSuite } from "./faults";
import { flightSuite } from "./flight";
import { smokeSuite } from "./smoke";

/** Every suite there is. A new one is a value in a file of its own and a name here. */
export const suites: readonly Suite[] = [smokeSuite, flightSuite, displacementSuite, faultsSuite];

export function suiteNamed(name: string): Result<Suite, string> {
  const suite = suites.find((s) => s.name === name);
  return suite === undefined
    ? err(`there is no suite “${name}”; there are: ${suites.map((s) => s.name).join(", ")}`)
    : ok(suite);
}
