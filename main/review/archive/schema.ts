/** Raised when the tables change: an older index is made again from the files. */
export const ARCHIVE_VERSION = 1;

/** Tables of an archive's index. Everything in it comes from the flights' files and can be made again. */
export const ARCHIVE_TABLES: readonly string[] = [
  "CREATE TABLE archive_info (version BIGINT, folder VARCHAR)",
  `CREATE TABLE flights (flight VARCHAR, path VARCHAR, file VARCHAR, stamp VARCHAR, title VARCHAR, format VARCHAR,
     start_utc_ms DOUBLE, duration_s DOUBLE, size_bytes DOUBLE, completeness VARCHAR, vehicle VARCHAR,
     message_count BIGINT, topic_count BIGINT, warnings BIGINT, cautions BIGINT, words VARCHAR)`,
  "CREATE TABLE metrics (flight VARCHAR, metric VARCHAR, value DOUBLE)",
  `CREATE TABLE findings (flight VARCHAR, at_s DOUBLE, severity VARCHAR, rule VARCHAR, title VARCHAR, detail VARCHAR,
     topic VARCHAR, field VARCHAR, from_s DOUBLE, to_s DOUBLE)`,
  `CREATE TABLE steps (flight VARCHAR, step BIGINT, at_s DOUBLE, skill VARCHAR, status VARCHAR, decision VARCHAR,
     decided_by VARCHAR, decided_after_s DOUBLE, reasoning VARCHAR, detail VARCHAR)`,
  "CREATE TABLE messages (flight VARCHAR, at_s DOUBLE, severity VARCHAR, source VARCHAR, text VARCHAR)",
  "CREATE TABLE topics (flight VARCHAR, topic VARCHAR, type VARCHAR, count BIGINT)",
  "CREATE TABLE unreadable (path VARCHAR, stamp VARCHAR, reason VARCHAR)",
];
export const FLIGHT_TABLES = ["flights", "metrics", "findings", "steps", "messages", "topics"] as const;
