import type { Input } from "#contract/ipc";
import { parentChannel } from "../platform/child";
import { reviewDeps } from "./deps";
import { ReviewService } from "./service";
import { type ReviewRequest, reviewRequests } from "./service-names";

/** One request over the fork's channel; the answer carries the same `seq`. */
export interface ReviewCall {
  readonly seq: number;
  readonly channel: ReviewRequest;
  readonly input: Input<ReviewRequest>;
}

function isCall(message: unknown): message is ReviewCall {
  const call = message as Partial<ReviewCall> | null;
  return typeof call?.seq === "number" && reviewRequests.some((name) => name === call.channel);
}

/** The review process: parses logs away from the station, so that a huge or hostile file costs neither link nor HOLD. */
const channel = parentChannel();
if (channel) {
  const service = new ReviewService(reviewDeps, (jobs) => {
    channel.send({ jobs });
  });
  channel.onMessage((message) => {
    if (!isCall(message)) return;
    void service.answer(message.channel, message.input).then((output) => {
      channel.send({ seq: message.seq, output });
    });
  });
}
