import { type Logger, pino } from "pino";
import type { Settings } from "../settings/settings.ts";

/** Members that may hold a credential wherever they appear in a log line. */
const SECRETS = ["authorization", "token", "secret", "privateKey", "x-api-key", "password"];

/** One JSON line per event on standard error, so that results on standard output stay clean. */
export function createLog(level: Settings["logLevel"]): Logger {
  const paths = SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);
  return pino({ level, redact: { paths, censor: "[hidden]" } }, pino.destination({ dest: 2, sync: false }));
}
