import { describe, expect, it } from "vitest";
import { happenings } from "#contract/happenings";
import { createFakeBridge } from "../../tests/support/fake-bridge";
import { sampleSnapshot } from "../../tests/support/samples";
import { createStores } from "../stores/stores";
import { createActions, searchActions } from "./actions";

const bridge = createFakeBridge(sampleSnapshot);
const stores = createStores({
  bridge,
  cameras: { onPicture: () => () => undefined, latest: () => null, cameras: () => [] },
  time: {
    monotonic_ms: () => 0,
    utc_ms: () => 0,
    every: () => () => undefined,
    after: () => () => undefined,
  },
});

describe("actions", () => {
  it("have a key each, and no key twice", () => {
    const actions = createActions(stores).filter(({ section }) => section !== "Simulation");
    expect(actions.filter(({ keys }) => keys === "")).toEqual([]);
    const chords = actions.flatMap(({ chord }) => (chord === null ? [] : [chord]));
    expect(new Set(chords).size).toBe(chords.length);
  });

  it("offer what can be pushed and made to happen only in a simulation", () => {
    const pushes = (): number =>
      createActions(stores).filter(({ section }) => section === "Simulation").length;
    stores.station.setState({ simulation: true, pushable: ["cup", "can"] });
    expect(pushes()).toBe(2 + happenings.length);
    stores.station.setState({ simulation: false });
    expect(pushes()).toBe(0);
  });

  it("never approve from the palette: approving is for the card alone", () => {
    for (const action of createActions(stores)) action.run();
    expect(bridge.inputsOf("approval.decide")).toEqual([]);
  });

  it("are found by any words, titles that begin with them first", () => {
    const titles = searchActions(createActions(stores), "theme").map(({ title }) => title);
    expect(titles).toEqual(["Dark theme", "Sunlight theme", "High contrast theme"]);
    expect(searchActions(createActions(stores), "mute 5")[0]?.title).toBe("Mute cautions for 5 minutes");
    expect(searchActions(createActions(stores), "hold")[0]?.title).toBe("HOLD: stop where it is");
    expect(searchActions(createActions(stores), "zzz")).toEqual([]);
  });
});
