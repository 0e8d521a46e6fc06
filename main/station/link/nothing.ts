import type { LinkDetail } from "#contract/link-detail";

export const NOT_CONNECTED = "No vehicle is connected; connect one in Setup.";

/** What the link screens show while nothing is connected. */
export const noLinkDetail: LinkDetail = {
  connected: false,
  reason: NOT_CONNECTED,
  links: [],
  vehicles: [],
  streams: [],
  signing: {
    key: "none",
    store: "",
    accept_unsigned: false,
    state: "off",
    advice: "",
    counts: { ok: 0, unsigned: 0, replayed: 0, wrong_key: 0, no_key: 0 },
    setup: "none",
  },
  forwarder: {
    address: null,
    may_command: false,
    state: "off",
    reason: "",
    to_stations_per_s: 0,
    held_back: 0,
    passed: 0,
  },
  time: { round_trip_ms: null, offset_ms: null },
  parameters: {
    state: "none",
    received: 0,
    count: null,
    missing: [],
    cached: false,
    detail: "",
    revision: 0,
    metadata: { state: "none", detail: "", described: 0, events: 0 },
  },
  transfers: [],
  components: [],
  external: {
    fused: null,
    rate_hz: null,
    age_ms: null,
    quality: null,
    resets: 0,
    relay: {
      state: "off",
      source: "",
      detail: "",
      rate_hz: 0,
      age_ms: null,
      quality: null,
      resets: 0,
      refused: 0,
      sent: 0,
    },
  },
  site: {
    yaw_rad: 0,
    offset_enu_m: [0, 0, 0],
    resets: 0,
    last_jump_m: null,
    last_reset_at_ms: null,
    check: null,
  },
};
