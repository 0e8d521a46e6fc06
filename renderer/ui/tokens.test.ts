import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");

function tokensOf(theme: string): Map<string, string> {
  const blocks = [...css.matchAll(/:root(?:\[data-theme="(\w+)"\])?\s*{([^}]*)}/g)];
  const tokens = new Map<string, string>();
  for (const [, name, body] of blocks) {
    if (name !== undefined && name !== theme) continue;
    for (const [, token, value] of (body ?? "").matchAll(/--([\w-]+):\s*([^;]+);/g))
      tokens.set(token ?? "", value ?? "");
  }
  return tokens;
}

/** WCAG 2.2 relative luminance of #rrggbb. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const surfaces = ["bg-0", "bg-1", "bg-2", "bg-3", "field"];
const inks = ["text-0", "text-1", "text-2", "intent", "machine", "caution", "warning", "go"];
const pairs: readonly (readonly [string, string])[] = [
  ...surfaces.flatMap((surface) => inks.map((ink) => [ink, surface] as const)),
  ...["intent", "machine", "caution", "warning", "go"].flatMap((tone) =>
    [tone, "text-0", "text-1"].map((ink) => [ink, `${tone}-fill`] as const),
  ),
  ["on-hardware", "hardware"],
  ["on-warning-solid", "warning-solid"],
  ["intent", "stripe-a"],
  ["intent", "stripe-b"],
];

describe.each([
  ["dark", 4.5],
  ["sunlight", 7],
  ["contrast", 7],
])("theme %s", (theme, least) => {
  it(`has ${least}:1 between every text and what it stands on`, () => {
    const tokens = tokensOf(theme);
    const weak = pairs
      .map(([ink, surface]) => ({
        ink,
        surface,
        ratio: contrast(tokens.get(ink) ?? "", tokens.get(surface) ?? ""),
      }))
      .filter(({ ratio }) => !(ratio >= least));
    expect(weak).toEqual([]);
  });
});

describe("style sheets", () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const read = (name: string): string => readFileSync(join(root, name), "utf8");
  const own =
    /^(alerts|approvals|evaluation|flight-bar|fly|mission|palette|programs|reasoning|setup|shell|ui)\//;

  it("hold every class their components name", () => {
    const missing = files
      .filter((name) => name.endsWith(".tsx"))
      .flatMap((name) => {
        const source = read(name);
        const sheets = source.matchAll(/import (\w+) from "\.\/(.+\.module\.css)"/g);
        return [...sheets].flatMap(([, variable = "", sheet = ""]) => {
          const rules = read(join(name, "..", sheet));
          return [...source.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g"))]
            .map(([, used = ""]) => used)
            .filter((used) => used !== "module" && !new RegExp(`\\.${used}\\b`).test(rules))
            .map((used) => `${name}: ${used}`);
        });
      });
    expect(missing).toEqual([]);
  });

  it("name only tokens that exist, and no colours of their own", () => {
    const tokens = new Set(tokensOf("dark").keys());
    const set_by_components = new Set(["w", "realm", "left", "right", "bottom", "tone", "edge", "fill"]);
    const wrong = files
      .filter((name) => name.endsWith(".module.css") && own.test(name))
      .flatMap((name) => {
        const text = read(name);
        const unknown_tokens = [...text.matchAll(/var\(--([\w-]+)/g)]
          .map(([, token = ""]) => token)
          .filter((token) => !tokens.has(token) && !set_by_components.has(token));
        const colours = text.match(/#[0-9a-f]{3,8}\b/gi) ?? [];
        return [...unknown_tokens, ...colours].map((what) => `${name}: ${what}`);
      });
    expect(wrong).toEqual([]);
  });
});
