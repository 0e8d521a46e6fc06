import { benches } from "../bench/all";
import { failed, type Verb } from "./verb";

export const benchVerb: Verb = {
  spec: {
    name: "bench",
    summary: `One benchmark, with its peer in the same run: ${Object.keys(benches).join(", ")}.`,
    positionals: ["NAME"],
    options: [],
  },
  async run(args, { say }) {
    const [name = ""] = args.positionals;
    const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
    if (bench === undefined)
      return failed(`bench: there is no benchmark “${name}”; known: ${Object.keys(benches).join(", ")}.`, 2);
    const figures = await bench(say);
    return { code: 0, json: figures, text: JSON.stringify(figures, null, 2) };
  },
};
