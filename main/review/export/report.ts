import { reportHtml } from "../report/html";
import type { Exporter, ExportSource } from "./exported";
import { withFile } from "./file-out";
import { flightName } from "./names";

const nameOf = ({ path }: ExportSource): string => `${flightName(path)}.html`;

/** The report of the whole review; a choice of topics and times does not shorten the story. */
export const reportExporter: Exporter = {
  plan: (source) => [nameOf(source)],
  write: async (source, staging, job) => {
    await job.step(0, 1);
    const html = reportHtml(source.session);
    await withFile(staging.at(nameOf(source)), (out) => {
      out.write(html);
      return Promise.resolve();
    });
    return { rows: 1, notes: [] };
  },
};
