// Stands in for Electron's default app, which the carried runtime lacks: loads the application whose folder is the
// first existing folder with a package.json on the command line.
const { existsSync, readFileSync } = require("node:fs");
const { join, resolve } = require("node:path");
const { app } = require("electron");

const folder = process.argv
  .slice(1)
  .filter((argument) => !argument.startsWith("-"))
  .map((argument) => resolve(argument))
  .find((path) => existsSync(join(path, "package.json")));
if (folder === undefined) {
  process.stderr.write("No application folder on the command line\n");
  app.exit(2);
} else {
  const { name, version, main } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  app.setName(name);
  app.setVersion(version);
  app.setAppPath(folder);
  require(join(folder, main));
}
