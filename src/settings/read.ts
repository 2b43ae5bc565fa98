import { createPrivateKey, createPublicKey } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { loadEnvFile } from "node:process";
import { z } from "zod";
import { TollgateError } from "../kernel/errors.ts";
import { isPlatformId } from "../kernel/ids.ts";
import { PARSE_OPTIONS } from "../kernel/parse-options.ts";
import { findSecretWeakness, WEBHOOK_SECRET_RULE } from "../kernel/webhook-secret.ts";
import { isNetwork, listNames, OperatorFile, parseOperatorFile, resolveNames } from "./operator.ts";
import { buildTelemetrySettings, TELEMETRY_VARIABLES } from "./telemetry-settings.ts";

/** The environment's variables by name; unset and empty mean the same. */
export type Environment = Readonly<Record<string, string | undefined>>;

const FLAG = z.enum(["", "0", "1", "false", "true"]).transform((text) => text === "1" || text === "true");
/** Comments, checks and answers show these addresses. */
const HTTP_URL = z
  .url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" })
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), "must be a URL without user and password");

const POSTGRES_URL = z.string().regex(/^postgres(ql)?:\/\//, "must start with postgres://");

function createNumber(min: number, max: number, error = `must be a number from ${min} to ${max}`) {
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
}

function isSetupHost(text: string): boolean {
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  const isOrigin = url !== null && url.username === "" && `${url.pathname}${url.search}${url.hash}` === "/";
  return isOrigin && /^https?:$/.test(url.protocol);
}

const TrustedProxies = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((network) => network.trim())
      .filter((network) => network !== ""),
  )
  .refine(
    (networks) => networks.every(isNetwork),
    "must be IP addresses or networks such as 10.0.0.0/8, with commas between them",
  )
  .readonly();

const Variables = z.object({
  APP_ID: createNumber(1, Number.MAX_SAFE_INTEGER, "must be GitHub's number of the App").optional(),
  PRIVATE_KEY: z.string().optional(),
  PRIVATE_KEY_PATH: z.string().optional(),
  WEBHOOK_SECRET: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GHE_HOST: z.string().optional(),
  GHE_PROTOCOL: z.enum(["http", "https"]).default("https"),
  GITHUB_WRITE_SPACING_MS: createNumber(0, 60_000).default(1_000),
  GITHUB_BATCH: z
    .enum(["on", "off"])
    .default("on")
    .transform((word) => word === "on"),
  LANE_SPACING_MS: createNumber(0, 60_000).default(2_000),
  DATABASE_URL: POSTGRES_URL.optional(),
  DATABASE_LISTEN_URL: POSTGRES_URL.optional(),
  DATABASE_CONNECTIONS: createNumber(4, 1_000).default(15),
  PLATFORM_URL: HTTP_URL.optional(),
  PLATFORM_TOKEN: z.string().optional(),
  PLATFORM_ACCOUNT: z.string().refine(isPlatformId, "must be 1 to 128 letters, digits or _ . $ -").optional(),
  PLATFORM_DIALECT: z.enum(["neutral", "live"]).optional(),
  PLATFORM_PREFIX: z
    .string()
    .regex(/^(\/[A-Za-z0-9._-]+)*$/, "must look like /gateway/iacm")
    .optional(),
  PLATFORM_CALLS_PER_MINUTE: createNumber(3, 1_000_000).default(360),
  TOLLGATE_DATA: z.string().default("data"),
  TEMPLATES_DIR: z.string().optional(),
  TOLLGATE_SETTINGS: z.string().optional(),
  TOLLGATE_KEY: z.string().min(32, "must have at least 32 characters that cannot be guessed").optional(),
  PORT: createNumber(0, 65_535).default(3000),
  HOST: z.string().optional(),
  SETUP_HOST: z
    .string()
    .refine(isSetupHost, "must be a host such as tollgate.example.com, or its URL behind a proxy with TLS")
    .transform((text) => text.replace(/\/$/, ""))
    .optional(),
  TRUSTED_PROXIES: TrustedProxies,
  PUBLIC_URL: HTTP_URL.transform((url) => url.replace(/\/+$/, "")).optional(),
  OIDC_ISSUER: z
    .union([z.literal("none"), HTTP_URL.transform((url) => url.replace(/\/+$/, ""))], {
      error: "must be a URL that starts with http:// or https://, or none",
    })
    .optional(),
  ORG_POLICY: z
    .union(
      [
        z.enum(["read", "none"]),
        z
          .string()
          .regex(/^none: *[\w-]+( *, *[\w-]+)*$/)
          .transform((text): readonly string[] =>
            text
              .toLowerCase()
              .slice("none:".length)
              .split(",")
              .map((owner) => owner.trim()),
          ),
      ],
      { error: "must be read, none, or none: and the owners without a policy, such as none:acme,umbrella" },
    )
    .default("read"),
  ALWAYS_CHECK: FLAG.default(false),
  ...TELEMETRY_VARIABLES,
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});
type Variables = z.infer<typeof Variables>;

/** Returns this process's environment; a `.env` file of the current directory adds unset variables. Only this function reads them. */
export function readEnvironment(): Environment {
  if (existsSync(".env")) loadEnvFile(".env");
  return process.env;
}

export interface InspectedSettings {
  /** Defaults stand in for what cannot be used, so that the other settings can still be examined. */
  readonly settings: Settings;
  /** One line per problem, `NAME: problem`; no secret. Empty: the settings can be used. */
  readonly problems: readonly string[];
  isUsable(setting: keyof Variables): boolean;
}

export interface ReadOptions {
  /** False: nobody is told anything, so the variables that targets refer to need not be set. Default: true. */
  readonly withTargets?: boolean;
}

/**
 * Reads and validates all settings at once.
 *
 * @throws TollgateError `settings_invalid`; its message lists every problem by variable name and contains no
 * secret
 */
export function readSettings(environment: Environment, options: ReadOptions = {}): Settings {
  const { settings, problems } = inspectSettings(environment, options);
  if (problems.length > 0) throw createSettingsError(problems);
  return settings;
}

/** Creates the error for problems of `inspectSettings`. */
export const createSettingsError = (problems: readonly string[]): TollgateError =>
  new TollgateError("settings_invalid", `these settings cannot be used:\n  ${problems.join("\n  ")}`, {
    hint: "Correct them in the environment or in the .env file; docs/operations/settings.md lists every setting.",
  });

/** Reads all settings and collects what is wrong with them. */
export function inspectSettings(
  environment: Environment,
  { withTargets = true }: ReadOptions = {},
): InspectedSettings {
  const problems = new Problems();
  const variables = parseVariables(environment, problems);
  const settings = buildSettings(variables, withTargets ? environment : null, problems);
  return { settings, problems: problems.lines, isUsable: (setting) => !problems.has(setting) };
}

/** All settings of an operator, validated once at start. */
export type Settings = Readonly<ReturnType<typeof buildSettings>>;
export type GitHubCredentials = NonNullable<Settings["github"]>;
export type SignInCredentials = NonNullable<Settings["signIn"]>;

/** `environment`: see `parseOperatorFile`. */
function buildSettings(variables: Variables, environment: Environment | null, problems: Problems) {
  const platform = readPlatform(variables, problems);
  const github = readCredentials(variables, problems);
  const githubUrl = readGitHubUrl(variables, problems);
  const signIn = readSignIn(variables, problems);
  const operatorFile = readOperatorFile(variables.TOLLGATE_SETTINGS, environment, problems);
  return {
    /** Directory of the embedded database and of other local files. */
    dataDirectory: variables.TOLLGATE_DATA,
    /** PostgreSQL to use in place of the embedded database; null: embedded. */
    databaseUrl: variables.DATABASE_URL ?? null,
    /** Address of the same PostgreSQL without a proxy that shares connections; absent: that of `databaseUrl`. */
    ...(variables.DATABASE_LISTEN_URL !== undefined && { databaseListenUrl: variables.DATABASE_LISTEN_URL }),
    /** Most connections of one process to PostgreSQL. */
    databaseConnections: variables.DATABASE_CONNECTIONS,
    /** The platform that costs and changes are read from. */
    platform,
    /** Null: there is no GitHub App yet, so the setup pages are shown. */
    github,
    /** Credentials of the App with which people sign in. Absent: nobody can, and no page shows anything. */
    ...(signIn !== null && { signIn }),
    /** Root of GitHub's API without `/api/v3`, e.g. `https://github.example.com`; null: github.com. */
    githubUrl,
    /** Shortest time between the starts of two writes of one installation, in ms: github.com asks for 1,000. */
    githubWriteSpacingMs: variables.GITHUB_WRITE_SPACING_MS,
    /** Whether checks that wait at the same time are sent to GitHub as one request. */
    githubBatch: variables.GITHUB_BATCH,
    /** Shortest time between the starts of two evaluations of one pull request, in ms. Events in between share one. */
    laneSpacingMs: variables.LANE_SPACING_MS,
    /** Directory of templates that replace the shipped ones of the same name; absent: none. */
    ...(variables.TEMPLATES_DIR !== undefined && { templatesDirectory: variables.TEMPLATES_DIR }),
    port: variables.PORT,
    /** Address to listen on; null: all addresses once a GitHub App is configured, loopback only before. */
    host: variables.HOST ?? null,
    /** Where other machines reach the setup pages; absent: the pages are served on loopback only. */
    ...(variables.SETUP_HOST !== undefined && { setupHost: variables.SETUP_HOST }),
    /** URL at which people and CI reach this Tollgate, without a slash at the end; null: unknown. */
    publicUrl: variables.PUBLIC_URL ?? null,
    /** Issuer of the id tokens of GitHub Actions jobs, without a slash at the end; null: none are accepted. */
    oidcIssuer: chooseIssuer(variables.OIDC_ISSUER, githubUrl),
    /** The operator's own reverse proxies. Their `X-Forwarded-For` states the client's address. */
    trustedProxies: variables.TRUSTED_PROXIES,
    /** What the operator's file says. A start puts ids in the place of names; until then, what has a name is left out. */
    operator: resolveNames(operatorFile),
    /** The operator's file with the names that have to be resolved; absent: it has none. */
    ...(listNames(operatorFile).length > 0 && { namedOperator: operatorFile }),
    /** Key that encrypts stored secrets; null: no secrets are stored. */
    encryptionKey: variables.TOLLGATE_KEY ?? null,
    /** Whether organisations' policies are read; a list: of all owners but these, in lower case, which have none. */
    orgPolicy: variables.ORG_POLICY,
    /** True: repositories without a policy get a check too. */
    alwaysCheck: variables.ALWAYS_CHECK,
    logLevel: variables.LOG_LEVEL,
    telemetry: buildTelemetrySettings(variables),
  };
}

/** Problems of settings, in the order in which they are found. */
class Problems {
  readonly lines: string[] = [];
  readonly #settings = new Set<string>();

  add(setting: keyof Variables, problem: string): void {
    this.#settings.add(setting);
    this.lines.push(`${setting}: ${problem}`);
  }

  has(setting: keyof Variables): boolean {
    return this.#settings.has(setting);
  }

  /** A variable that cannot be used is not missing as well. */
  addMissing(setting: keyof Variables, problem: string): void {
    if (!this.has(setting)) this.add(setting, problem);
  }
}

/** Parses each variable by itself: one that cannot be used counts as unset. */
function parseVariables(environment: Environment, problems: Problems): Variables {
  const values = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Variables.safeParse(values, PARSE_OPTIONS);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    const [name] = path as [keyof Variables]; // every problem of a flat object is at one of its members
    problems.add(name, message);
    delete values[name];
  }
  return Variables.parse(values);
}

function readCredentials(variables: Variables, problems: Problems) {
  const { APP_ID, WEBHOOK_SECRET } = variables;
  const privateKey = readPrivateKey(variables, problems);
  if (APP_ID === undefined && privateKey === undefined) return null;
  if (APP_ID === undefined) problems.addMissing("APP_ID", "is missing (the private key is there)");
  if (privateKey === undefined) problems.addMissing("PRIVATE_KEY", "is missing (APP_ID is there)");
  const weakness = findSecretWeakness(WEBHOOK_SECRET);
  if (weakness !== null) problems.add("WEBHOOK_SECRET", `${weakness}; expected ${WEBHOOK_SECRET_RULE}`);
  return { appId: APP_ID ?? 0, privateKey: privateKey ?? "", webhookSecret: WEBHOOK_SECRET ?? "" };
}

function readSignIn({ GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET }: Variables, problems: Problems) {
  if (GITHUB_CLIENT_ID !== undefined && GITHUB_CLIENT_SECRET !== undefined)
    return { clientId: GITHUB_CLIENT_ID, clientSecret: GITHUB_CLIENT_SECRET };
  if (GITHUB_CLIENT_SECRET !== undefined)
    problems.add("GITHUB_CLIENT_ID", "is missing (GITHUB_CLIENT_SECRET is there)");
  if (GITHUB_CLIENT_ID !== undefined)
    problems.add("GITHUB_CLIENT_SECRET", "is missing (GITHUB_CLIENT_ID is there)");
  return null;
}

function readPrivateKey(variables: Variables, problems: Problems): string | undefined {
  const { PRIVATE_KEY, PRIVATE_KEY_PATH } = variables;
  const source = PRIVATE_KEY === undefined ? "PRIVATE_KEY_PATH" : "PRIVATE_KEY";
  const text =
    PRIVATE_KEY ??
    (PRIVATE_KEY_PATH === undefined ? undefined : readFile(source, PRIVATE_KEY_PATH, problems));
  if (text === undefined) return problems.has(source) ? "" : undefined;
  // A one-line environment variable has the key in base64, or with the two characters \n for each line end.
  const pem = text.includes("-----BEGIN")
    ? text.replaceAll("\\n", "\n")
    : Buffer.from(text, "base64").toString("utf8");
  const problem = findKeyProblem(pem);
  if (problem !== null) problems.add(source, problem);
  return pem;
}

export type PlatformSettings = ReturnType<typeof readPlatform>;

function readPlatform(variables: Variables, problems: Problems) {
  const { PLATFORM_URL, PLATFORM_TOKEN, PLATFORM_ACCOUNT, PLATFORM_DIALECT, PLATFORM_PREFIX } = variables;
  if (PLATFORM_URL === undefined)
    return {
      kind: "embedded" as const,
      account: PLATFORM_ACCOUNT ?? "tollgate",
      /** Dialect of its responses; absent: `neutral`. */
      ...(PLATFORM_DIALECT !== undefined && { dialect: PLATFORM_DIALECT }),
    };
  if (PLATFORM_TOKEN === undefined) problems.add("PLATFORM_TOKEN", "is missing (PLATFORM_URL is there)");
  if (PLATFORM_ACCOUNT === undefined)
    problems.addMissing("PLATFORM_ACCOUNT", "is missing (PLATFORM_URL is there)");
  return {
    kind: "remote" as const,
    url: PLATFORM_URL.replace(/\/+$/, ""),
    token: PLATFORM_TOKEN ?? "",
    account: PLATFORM_ACCOUNT ?? "",
    /** Most calls of all processes in a minute: the live service allows 400 per key. */
    callsPerMinute: variables.PLATFORM_CALLS_PER_MINUTE,
    /** A custom path does not state the dialect: that of the real platform. Null: the first read detects it. */
    dialect: PLATFORM_DIALECT ?? (PLATFORM_PREFIX === undefined ? null : ("live" as const)),
    /** Path before `/api/orgs/...`, e.g. `/gateway/iacm`; empty: none; absent: the dialect's own. */
    ...(PLATFORM_PREFIX !== undefined && { prefix: PLATFORM_PREFIX }),
  };
}

function readOperatorFile(
  path: string | undefined,
  environment: Environment | null,
  problems: Problems,
): OperatorFile {
  const text = path === undefined ? "" : (readFile("TOLLGATE_SETTINGS", path, problems) ?? "");
  const result = parseOperatorFile(text, environment);
  if (result.state === "ok") return result.file;
  for (const { line, column, path: at, message } of result.problems)
    problems.add("TOLLGATE_SETTINGS", `${path}:${line}:${column}: ${at === "" ? "" : `${at}: `}${message}`);
  return OperatorFile.parse({});
}

/** Parses a host (`github.example.com`) or a URL, with or without `/api/v3`. The protocol counts for a host only, as in Probot. */
function readGitHubUrl({ GHE_HOST: text, GHE_PROTOCOL }: Variables, problems: Problems): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text.includes("://") ? text : `${GHE_PROTOCOL}://${text}`);
  const isUsable =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    /^(\/api\/v3)?\/*$/.test(url.pathname) &&
    `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isUsable) problems.add("GHE_HOST", "must be a host name such as github.example.com");
  return !isUsable || /^((api|www)\.)?github\.com$/.test(url.hostname) ? null : url.origin;
}

function readFile(setting: keyof Variables, path: string, problems: Problems): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    problems.add(setting, `the file ${path} cannot be read`);
    return undefined;
  }
}

/** The issuer of id tokens: the operator's, else that of the GitHub whose App this is. */
function chooseIssuer(named: string | undefined, githubUrl: string | null): string | null {
  if (named !== undefined) return named === "none" ? null : named;
  const { host, origin } = new URL(githubUrl ?? "https://github.com");
  if (host === "github.com") return "https://token.actions.githubusercontent.com";
  return host.endsWith(".ghe.com")
    ? `https://token.actions.${host.replace(/^api\./, "")}`
    : `${origin}/_services/token`;
}

/**
 * Returns why a PEM text is not the private key of a GitHub App, as the end of the sentence "the key …"; null: it is an RSA private
 * key. Contains nothing of the key.
 */
export function findKeyProblem(pem: string): string | null {
  if (!pem.includes("-----BEGIN")) return `is not a PEM private key; ${EXPECTED}`;
  if (pem.includes("-----BEGIN OPENSSH PRIVATE KEY-----")) return `is an OpenSSH key; ${EXPECTED}`;
  if (pem.includes("ENCRYPTED")) return `is encrypted with a passphrase; ${EXPECTED}`;
  const type = readKeyType(pem);
  if (type === "rsa") return null;
  if (type !== null) return `is a private key of the type ${type}; ${EXPECTED}`;
  return isPublicKey(pem)
    ? `is a public key or a certificate; ${EXPECTED}`
    : `is damaged or incomplete; ${EXPECTED}`;
}

const EXPECTED = "expected the RSA private key (.pem) that GitHub generated for the App";

/** Returns the type of a private key, such as `rsa` or `ec`; null: the text is none. */
function readKeyType(pem: string): string | null {
  try {
    return createPrivateKey(pem).asymmetricKeyType ?? null;
  } catch {
    return null;
  }
}

function isPublicKey(pem: string): boolean {
  try {
    createPublicKey(pem);
    return true;
  } catch {
    return false;
  }
}
