import { type DestinationStream, type Logger, pino } from "pino";
import { createCredentialRedactor, redactCredentials } from "../../kernel/redact-credentials.ts";
import { escapeForTerminal } from "../../kernel/terminal-text.ts";
import { VERSION } from "../../package/version.ts";
import { listTargetSecrets } from "../../settings/notification-targets.ts";
import type { Settings } from "../../settings/read.ts";

/** Names of members that may contain a credential anywhere in a log line. */
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
/** Depths of a log line's members at which these names are searched. */
const DEPTHS = ["", "*.", "*.*.", "*.*.*."];

export interface LogOptions {
  /** Secrets of this process; they are redacted in every form. */
  readonly secrets?: readonly string[];
  /** Default: standard error, so that results on standard output are not mixed with log lines. */
  readonly destination?: DestinationStream;
}

/**
 * Creates a log with one JSON line per event, each with Tollgate's version. Everything in the finished line that looks like a credential is
 * redacted, and characters that a terminal would act on are escaped.
 */
export function createLog(level: Settings["logLevel"], options: LogOptions = {}): Logger {
  const paths = SECRETS.flatMap((name) => DEPTHS.map((depth) => formatMember(depth, name)));
  const hideOwn = createCredentialRedactor(options.secrets ?? []);
  const log = pino(
    {
      level,
      redact: { paths, censor: "[hidden]" },
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: (line) => escapeForTerminal(redactCredentials(hideOwn(line))) },
    },
    options.destination ?? pino.destination({ dest: 2, sync: false }),
  );
  return log.child({ version: VERSION });
}

export function listSecrets({
  github,
  signIn,
  platform,
  databaseUrl,
  databaseListenUrl,
  encryptionKey,
  operator,
  namedOperator,
  telemetry,
}: Settings): readonly string[] {
  const passwords = [databaseUrl, databaseListenUrl].map((url) => URL.parse(url ?? "")?.password ?? "");
  return [
    ...(github === null
      ? []
      : [github.webhookSecret, github.privateKey, ...splitKeyLines(github.privateKey)]),
    ...(signIn === undefined ? [] : [signIn.clientSecret]),
    ...(platform.kind === "remote" ? [platform.token] : []),
    ...passwords.flatMap((password) => (password === "" ? [] : [password, decodeURIComponent(password)])),
    ...(encryptionKey === null ? [] : [encryptionKey]),
    ...(telemetry.metricsToken === null ? [] : [telemetry.metricsToken]),
    ...Object.values(operator.webhook_secrets),
    ...(namedOperator ?? operator).notifications.targets.flatMap(listTargetSecrets),
  ];
}

/** Returns the lines of a key, because a key may be quoted line by line. */
const splitKeyLines = (pem: string): readonly string[] =>
  pem.split("\n").filter((line) => /^[\w+/=]{32,}$/.test(line));

const formatMember = (depth: string, name: string): string => `${depth.replace(/\.$/, "")}["${name}"]`;

/** Most causes of an error that are logged. */
const MAX_CAUSES = 3;
/** What an error may say of itself beside its message: words that we or the queue chose, and codes. */
const SHOWN_MEMBERS = ["code", "hint", "queue", "worker"] as const;

/**
 * An error, or what a library throws in its place, without the members that libraries hang on it: they hold requests, queries and
 * parameters.
 */
const describeError = (error: unknown): unknown => describeNested(error, MAX_CAUSES);

function describeNested(error: unknown, causes: number): unknown {
  if (typeof error !== "object" || error === null) return error;
  const { name, message, stack, cause, errors, ...members } = listMembers(error);
  if (typeof message !== "string")
    return { type: getTypeName(error), members: Object.keys(members), message: "not an error" };
  const textMembers = SHOWN_MEMBERS.filter((member) => typeof members[member] === "string");
  const follows = causes > 0;
  return {
    type: typeof name === "string" ? name : getTypeName(error),
    message,
    ...Object.fromEntries(textMembers.map((member) => [member, members[member]])),
    stack,
    ...(follows && cause !== undefined && { cause: describeNested(cause, causes - 1) }),
    // What a failed connection is thrown as has no message of its own.
    ...(follows && Array.isArray(errors) && { errors: errors.map((one) => describeNested(one, 0)) }),
  };
}

/** Name, message and stack of an error are not its own enumerable members. */
function listMembers(error: object): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { ...error };
  const { name, message, stack, cause } = error;
  const errors = error instanceof AggregateError ? error.errors : undefined;
  return { ...error, name, message, stack, cause, errors };
}

const getTypeName = (value: object): string => value.constructor?.name ?? "object";
