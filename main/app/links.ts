import { app } from "electron";
import { parseArguments } from "./arguments";

/**
 * Recordings opened from outside: a link to a moment (`kingfisher://review?…`), a file given to the application, the
 * arguments of a second start. `open` gets the path or link; the page decides what it shows.
 */
export function followLinks(open: (what: string) => void): void {
  app.setAsDefaultProtocolClient("kingfisher");
  const given = (argv: readonly string[]): void => {
    const { open: what } = parseArguments(argv);
    if (what !== null) open(what);
  };
  app.on("open-url", (event, url) => {
    event.preventDefault();
    given([url]);
  });
  app.on("open-file", (event, path) => {
    event.preventDefault();
    open(path);
  });
  app.on("second-instance", (_event, argv) => {
    given(argv);
  });
}
