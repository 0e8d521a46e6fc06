/** The requests of contract/ipc.ts that the review process answers. Apart, so that the station loads no reader. */
export const reviewRequests = [
  "review.open",
  "review.close",
  "review.series",
  "review.track",
  "review.image",
  "review.message",
] as const;
export type ReviewRequest = (typeof reviewRequests)[number];
