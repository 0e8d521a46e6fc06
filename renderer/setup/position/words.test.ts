import { expect, it } from "vitest";
import { unknownLink } from "../../stores/initial";
import { checkTone, fusionWords } from "./words";

const external = unknownLink.external;

it("an external position is called good only while it is used, fresh and not failed", () => {
  expect(fusionWords(external).tone).toBe("quiet");
  expect(fusionWords({ ...external, fused: false }).tone).toBe("caution");
  expect(fusionWords({ ...external, fused: true, age_ms: 40, quality: 90 }).tone).toBe("good");
  expect(fusionWords({ ...external, fused: true, age_ms: 40, quality: -1 }).tone).toBe("warning");
  expect(fusionWords({ ...external, fused: true, age_ms: 900 }).tone).toBe("warning");
});

it("the one-metre check asks on, agrees or warns", () => {
  const check = {
    state: "carrying",
    carried_m: 0.2,
    bearing_rad: null,
    yaw_error_rad: null,
    text: "",
  } as const;
  const tones = (["carry_further", "agrees", "turned", "scale_wrong"] as const).map((verdict) =>
    checkTone({ ...check, verdict }),
  );
  expect(tones).toEqual(["waiting", "good", "warning", "warning"]);
});
