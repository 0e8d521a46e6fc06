import { wildNote } from "../time-frame";
import type { UlogFacts } from "./content";

/** What a log says of its own gaps, one line each. */
export function remarksOf(content: UlogFacts, wild: number): string[] {
  const remarks: string[] = [];
  if (wild > 0) remarks.push(wildNote(wild));
  if (content.short_records > 0)
    remarks.push(
      `${content.short_records} records are shorter or longer than their topic says and are left out`,
    );
  if (content.unknown_records > 0)
    remarks.push(`${content.unknown_records} records belong to no topic that the log introduced`);
  for (const name of content.unreadable) remarks.push(`topic ${name} has no readable format`);
  let lost_s = 0;
  for (const { duration_s } of content.dropouts) lost_s += duration_s;
  if (content.dropouts.length > 0)
    remarks.push(
      `the vehicle itself dropped data ${content.dropouts.length} times, ${lost_s.toFixed(2)} s in all`,
    );
  return remarks;
}
