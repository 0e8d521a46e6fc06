import { defineMessage, type MessageDef } from "./message";

/**
 * Messages that PX4 and ArduPilot send and that mavlink-mappings lacks, from common.xml
 * (https://mavlink.io/en/messages/common.html).
 */
export const extraMessages: readonly MessageDef[] = [
  defineMessage(
    8,
    "LINK_NODE_STATUS",
    "uint64_t timestamp, uint8_t tx_buf, uint8_t rx_buf, uint32_t tx_rate, uint32_t rx_rate, uint16_t rx_parse_err, uint16_t tx_overflows, uint16_t rx_overflows, uint32_t messages_sent, uint32_t messages_received, uint32_t messages_lost",
  ),
  defineMessage(
    380,
    "TIME_ESTIMATE_TO_TARGET",
    "int32_t safe_return, int32_t land, int32_t mission_next_item, int32_t mission_end, int32_t commanded_action",
  ),
  defineMessage(
    410,
    "EVENT",
    "uint8_t destination_component, uint8_t destination_system, uint32_t id, uint32_t event_time_boot_ms, uint16_t sequence, uint8_t log_levels, uint8_t[40] arguments",
  ),
  defineMessage(411, "CURRENT_EVENT_SEQUENCE", "uint16_t sequence, uint8_t flags"),
  defineMessage(
    412,
    "REQUEST_EVENT",
    "uint8_t target_system, uint8_t target_component, uint16_t first_sequence, uint16_t last_sequence",
  ),
  defineMessage(
    413,
    "RESPONSE_EVENT_ERROR",
    "uint8_t target_system, uint8_t target_component, uint16_t sequence, uint16_t sequence_oldest_available, uint8_t reason",
  ),
];
