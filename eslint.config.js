import tseslint from "typescript-eslint";

/** House rules. Each has a planted violation in tests/architecture. */
const calls = (name) =>
  `CallExpression[callee.name='${name}'], CallExpression[callee.property.name='${name}'][callee.object.name=/^(globalThis|window|global|self)$/]`;
const time = [
  {
    selector:
      "MemberExpression[object.name='Date'][property.name='now'], NewExpression[callee.name='Date'][arguments.length=0]",
    message: "Take the time from the injected Clock.",
  },
  {
    selector: "MemberExpression[object.name='performance'][property.name=/^(now|timeOrigin)$/]",
    message: "Take the time from the injected Clock.",
  },
];
const timers = [
  { selector: calls("setTimeout"), message: "Use clock.after (in the page: renderer/bridge/clock)." },
  { selector: calls("setInterval"), message: "Use clock.every (in the page: renderer/bridge/clock)." },
];
const chance = {
  selector: "MemberExpression[object.name='Math'][property.name='random']",
  message: "One seed, one flight: use a seeded generator; for identifiers crypto.randomUUID.",
};
const race = {
  selector: "CallExpression[callee.object.name='Promise'][callee.property.name='race']",
  message: "Promise.race leaks its losers: use an AbortSignal.",
};
const mint = {
  selector:
    "TSAsExpression[typeAnnotation.typeName.name='Cleared'], TSTypeAssertion[typeAnnotation.typeName.name='Cleared']",
  message: "Only main/safety/gate.ts mints Cleared.",
};
const ipcMain = {
  selector: "ImportSpecifier[imported.name=/^(ipcMain|MessageChannelMain)$/]",
  message: "Only main/ipc talks to ipcMain: its wrapper checks sender and shapes.",
};
const bridge = {
  selector: "MemberExpression[property.name='kingfisher'][object.name=/^(window|globalThis|self)$/]",
  message: "Only renderer/bridge reads the window's API.",
};
const everywhere = [...time, ...timers, chance, race, mint, ipcMain, bridge];
const except = (files, ...allowed) => ({
  files,
  rules: { "no-restricted-syntax": ["error", ...everywhere.filter((rule) => !allowed.includes(rule))] },
});

export default tseslint.config(
  { ignores: ["out", "node_modules", ".cache", "coverage", "test-results", "docs", "resources"] },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [...tseslint.configs.strictTypeChecked],
    linterOptions: { reportUnusedDisableDirectives: "error", noInlineConfig: true },
    languageOptions: {
      parserOptions: {
        project: ["contract", "main", "preload", "renderer", "tests"].map(
          (folder) => `./${folder}/tsconfig.json`,
        ),
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      // Numbers in sentences and in log lines are what this program writes all day.
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "max-lines": ["error", { max: 300 }],
      "no-warning-comments": ["error", { terms: ["todo", "fixme", "xxx", "hack"], location: "anywhere" }],
      "no-restricted-syntax": ["error", ...everywhere],
    },
  },
  except(["main/platform/**/*.ts"], ...time, ...timers),
  except(["main/safety/gate.ts"], mint),
  except(["main/ipc/**/*.ts"], ipcMain),
  except(["renderer/bridge/**/*.{ts,tsx}"], bridge, ...time, ...timers),
  // The drawn scene runs on the browser's clock and knows no bridge; nothing it times decides anything.
  except(["renderer/twin/scene/**/*.ts"], ...time, ...timers),
  // What a component returns is JSX, every time.
  { files: ["renderer/**/*.tsx"], rules: { "@typescript-eslint/explicit-module-boundary-types": "off" } },
  {
    files: ["tests/**/*.ts", "**/*.test.{ts,tsx}"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "max-lines": "off",
      "@typescript-eslint/explicit-module-boundary-types": "off",
      "no-restricted-syntax": ["error", ...everywhere.filter((rule) => ![ipcMain, bridge].includes(rule))],
    },
  },
  // Waiting for another process to answer needs a real deadline; tests themselves wait for events.
  except(["tests/support/**/*.ts"], ipcMain, bridge, ...time, ...timers),
  except(["tests/e2e/**/*.ts"], ipcMain, bridge, ...time),
);
