import type { ReviewJob } from "#contract/review";
import { useJobsStore, useStores } from "../stores/context";
import { Button } from "../ui/Button";
import css from "./Jobs.module.css";
import { sizeText } from "./time";

/** Long work under way, with its progress and a way to end it. */
export function Jobs({ kind }: { readonly kind: ReviewJob["kind"] }) {
  const stores = useStores();
  const jobs = useJobsStore((all) => all.jobs);
  return (
    <>
      {jobs
        .filter((j) => j.kind === kind)
        .map((job) => (
          <div key={job.id} className={css.job}>
            <span>{job.title}</span>
            <progress
              aria-label={job.title}
              {...(job.total === null || job.total === 0 ? {} : { value: job.done / job.total })}
            />
            <span className={css.count}>{progressText(job)}</span>
            <Button size="small" onClick={() => void stores.bridge.request("jobs.cancel", { job: job.id })}>
              Cancel
            </Button>
          </div>
        ))}
    </>
  );
}

function progressText({ done, total, unit }: ReviewJob): string {
  if (unit === "bytes") return total === null ? sizeText(done) : `${sizeText(done)} of ${sizeText(total)}`;
  return total === null ? `${done} ${unit}` : `${done} of ${total} ${unit}`;
}
