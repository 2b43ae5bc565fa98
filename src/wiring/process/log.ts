import { type DestinationStream, type Logger, pino } from "pino";
import { createCredentialRedactor, redactCredentials } from "../../kernel/redact-credentials.ts";
import { escapeForTerminal } from "../../kernel/terminal-text.ts";
import type { Settings } from "../../settings/settings.ts";
import { describeError } from "./describe-error.ts";

/** Members that may hold a credential wherever they appear in a log line. */
const SECRETS = [
  "authorization",
  "cookie",
  "token",
  "secret",
  "password",
  "privateKey",
  "private_key",
  "pem",
  "webhookSecret",
  "webhook_secret",
  "client_secret",
  "x-api-key",
  "x-tollgate-key",
];
/** How deep inside a line's members such a name is looked for. */
const DEPTHS = ["", "*.", "*.*.", "*.*.*."];

export interface LogOptions {
  /** Secrets of this process, which no line may hold in any form. */
  readonly secrets?: readonly string[];
  /** Standard error when left out, so that results on standard output stay clean. */
  readonly destination?: DestinationStream;
}

/**
 * One JSON line per event. What looks like a credential is taken out of the finished line, whichever member it came in, and
 * what a terminal would act on is escaped.
 */
export function createLog(level: Settings["logLevel"], options: LogOptions = {}): Logger {
  const paths = SECRETS.flatMap((name) => DEPTHS.map((depth) => member(depth, name)));
  const hideOwn = createCredentialRedactor(options.secrets ?? []);
  return pino(
    {
      level,
      redact: { paths, censor: "[hidden]" },
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: (line) => escapeForTerminal(redactCredentials(hideOwn(line))) },
    },
    options.destination ?? pino.destination({ dest: 2, sync: false }),
  );
}

/** The secrets that the settings hold. */
export function secretsOf({
  github,
  platform,
  databaseUrl,
  encryptionKey,
  operator,
}: Settings): readonly string[] {
  const password = databaseUrl === null ? null : (URL.parse(databaseUrl)?.password ?? null);
  return [
    ...(github === null ? [] : [github.webhookSecret, github.privateKey, ...keyLines(github.privateKey)]),
    ...(platform.kind === "remote" ? [platform.token] : []),
    ...(password === null ? [] : [password, decodeURIComponent(password)]),
    ...(encryptionKey === null ? [] : [encryptionKey]),
    ...Object.values(operator.webhook_secrets),
  ];
}

/** A key may be quoted line by line. */
const keyLines = (pem: string): readonly string[] =>
  pem.split("\n").filter((line) => /^[\w+/=]{32,}$/.test(line));

const member = (depth: string, name: string): string => `${depth.replace(/\.$/, "")}["${name}"]`;
