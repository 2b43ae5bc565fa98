import { existsSync, readFileSync } from "node:fs";
import { loadEnvFile } from "node:process";
import { z } from "zod";
import { TollgateError } from "../kernel/errors.ts";
import { isPlatformId } from "../kernel/ids.ts";
import { PARSE_OPTIONS } from "../kernel/parse-options.ts";
import { OperatorFile, parseOperatorFile } from "./operator.ts";
import type { GitHubCredentials, PlatformSettings, Settings } from "./settings.ts";
import { TrustedProxies } from "./trusted-proxies.ts";

/** The environment's variables by name; unset and empty mean the same. */
export type Environment = Readonly<Record<string, string | undefined>>;

const FLAG = z.enum(["", "0", "1", "false", "true"]).transform((text) => text === "1" || text === "true");
const HTTP_URL = z.url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" });

const Variables = z.object({
  APP_ID: z.coerce.number("must be GitHub's number of the App").int().positive().optional(),
  PRIVATE_KEY: z.string().optional(),
  PRIVATE_KEY_PATH: z.string().optional(),
  WEBHOOK_SECRET: z.string().optional(),
  GHE_HOST: z.string().optional(),
  GHE_PROTOCOL: z.enum(["http", "https"]).default("https"),
  GITHUB_WRITE_SPACING_MS: z.coerce.number("must be a number").int().min(0).max(60_000).default(1_000),
  LANE_SPACING_MS: z.coerce.number("must be a number").int().min(0).max(60_000).default(2_000),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
    .optional(),
  PLATFORM_URL: HTTP_URL.optional(),
  PLATFORM_TOKEN: z.string().optional(),
  PLATFORM_ACCOUNT: z.string().refine(isPlatformId, "must be 1 to 128 letters, digits or _ . $ -").optional(),
  PLATFORM_DIALECT: z.enum(["neutral", "live"]).optional(),
  PLATFORM_PREFIX: z
    .string()
    .regex(/^(\/[A-Za-z0-9._-]+)*$/, "must look like /gateway/iacm")
    .optional(),
  TOLLGATE_DATA: z.string().default("data"),
  TEMPLATES_DIR: z.string().optional(),
  TOLLGATE_SETTINGS: z.string().optional(),
  TOLLGATE_KEY: z.string().min(32, "must have at least 32 characters that cannot be guessed").optional(),
  PORT: z.coerce.number("must be a number").int().min(0).max(65_535).default(3000),
  HOST: z.string().optional(),
  TRUSTED_PROXIES: TrustedProxies,
  PUBLIC_URL: HTTP_URL.transform((url) => url.replace(/\/+$/, "")).optional(),
  ORG_POLICY: z.enum(["read", "none"]).default("read"),
  ALWAYS_CHECK: FLAG.default(false),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});
type Variables = z.infer<typeof Variables>;

/**
 * Returns this process's environment; a `.env` file of the current directory adds unset variables. Only this
 * function reads them.
 */
export function readEnvironment(): Environment {
  if (existsSync(".env")) loadEnvFile(".env");
  return process.env;
}

/**
 * Reads and validates all settings at once.
 *
 * @throws TollgateError `settings_invalid`; its message lists every problem by variable name and contains no
 * secret
 */
export function readSettings(environment: Environment): Settings {
  const values = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Variables.safeParse(values, PARSE_OPTIONS);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const variables: Partial<Variables> = parsed.success ? parsed.data : {};
  const github = readCredentials(variables, problems);
  const platform = readPlatform(variables, problems);
  const operator = readOperatorFile(variables.TOLLGATE_SETTINGS, problems);
  const githubUrl = readGitHubUrl(variables, problems);
  if (!parsed.success || problems.length > 0) {
    throw new TollgateError(
      "settings_invalid",
      `these settings cannot be used:\n  ${problems.join("\n  ")}`,
      {
        hint: "Correct them in the environment or in the .env file; docs/operations/settings.md lists every setting.",
      },
    );
  }
  const { TOLLGATE_DATA, DATABASE_URL, PORT, HOST, PUBLIC_URL, ORG_POLICY, ALWAYS_CHECK, LOG_LEVEL } =
    parsed.data;
  return {
    dataDirectory: TOLLGATE_DATA,
    databaseUrl: DATABASE_URL ?? null,
    platform,
    github,
    githubUrl,
    githubWriteSpacingMs: parsed.data.GITHUB_WRITE_SPACING_MS,
    laneSpacingMs: parsed.data.LANE_SPACING_MS,
    ...(parsed.data.TEMPLATES_DIR !== undefined && { templatesDirectory: parsed.data.TEMPLATES_DIR }),
    port: PORT,
    host: HOST ?? null,
    publicUrl: PUBLIC_URL ?? null,
    trustedProxies: parsed.data.TRUSTED_PROXIES,
    operator,
    encryptionKey: parsed.data.TOLLGATE_KEY ?? null,
    orgPolicy: ORG_POLICY,
    alwaysCheck: ALWAYS_CHECK,
    logLevel: LOG_LEVEL,
  };
}

function readCredentials(variables: Partial<Variables>, problems: string[]): GitHubCredentials | null {
  const { APP_ID, WEBHOOK_SECRET } = variables;
  const privateKey = readPrivateKey(variables, problems);
  if (APP_ID === undefined && privateKey === undefined) return null;
  if (APP_ID === undefined) problems.push("APP_ID: is missing (the private key is there)");
  if (privateKey === undefined) problems.push("PRIVATE_KEY: is missing (APP_ID is there)");
  if (WEBHOOK_SECRET === undefined || WEBHOOK_SECRET.length < 20 || WEBHOOK_SECRET === "development") {
    problems.push("WEBHOOK_SECRET: must be set to the App's own secret of at least 20 characters");
  }
  return { appId: APP_ID ?? 0, privateKey: privateKey ?? "", webhookSecret: WEBHOOK_SECRET ?? "" };
}

function readPrivateKey(variables: Partial<Variables>, problems: string[]): string | undefined {
  const { PRIVATE_KEY, PRIVATE_KEY_PATH } = variables;
  const text =
    PRIVATE_KEY ??
    (PRIVATE_KEY_PATH === undefined ? undefined : readFile("PRIVATE_KEY_PATH", PRIVATE_KEY_PATH, problems));
  if (text === undefined) return undefined;
  // A one-line environment variable has the key in base64, or with the two characters \n for each line end.
  const pem = text.includes("-----BEGIN")
    ? text.replaceAll("\\n", "\n")
    : Buffer.from(text, "base64").toString("utf8");
  if (!pem.includes("-----BEGIN")) problems.push("PRIVATE_KEY: is not a PEM private key");
  return pem;
}

function readPlatform(variables: Partial<Variables>, problems: string[]): PlatformSettings {
  const { PLATFORM_URL, PLATFORM_TOKEN, PLATFORM_ACCOUNT, PLATFORM_DIALECT, PLATFORM_PREFIX } = variables;
  if (PLATFORM_URL === undefined) return buildEmbeddedPlatform(variables);
  if (PLATFORM_TOKEN === undefined) problems.push("PLATFORM_TOKEN: is missing (PLATFORM_URL is there)");
  if (PLATFORM_ACCOUNT === undefined) problems.push("PLATFORM_ACCOUNT: is missing (PLATFORM_URL is there)");
  // A custom path does not state the dialect: the default is `live`, the dialect of the real platform.
  const dialect = PLATFORM_DIALECT ?? (PLATFORM_PREFIX === undefined ? null : "live");
  return {
    kind: "remote",
    url: PLATFORM_URL.replace(/\/+$/, ""),
    token: PLATFORM_TOKEN ?? "",
    account: PLATFORM_ACCOUNT ?? "",
    dialect,
    ...(PLATFORM_PREFIX !== undefined && { prefix: PLATFORM_PREFIX }),
  };
}

function buildEmbeddedPlatform({ PLATFORM_ACCOUNT, PLATFORM_DIALECT }: Partial<Variables>): PlatformSettings {
  const named = PLATFORM_DIALECT === undefined ? {} : { dialect: PLATFORM_DIALECT };
  return { kind: "embedded", account: PLATFORM_ACCOUNT ?? "tollgate", ...named };
}

function readOperatorFile(path: string | undefined, problems: string[]): OperatorFile {
  const text = path === undefined ? "" : (readFile("TOLLGATE_SETTINGS", path, problems) ?? "");
  const result = parseOperatorFile(text);
  if (result.state === "ok") return result.file;
  problems.push(...result.problems.map((problem) => `TOLLGATE_SETTINGS ${path}: ${problem}`));
  return OperatorFile.parse({});
}

/**
 * Parses a host (`github.example.com`) or a URL, with or without `/api/v3`. The protocol counts for a host
 * only, as in Probot.
 */
function readGitHubUrl(
  { GHE_HOST: text, GHE_PROTOCOL = "https" }: Partial<Variables>,
  problems: string[],
): string | null {
  if (text === undefined) return null;
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `${GHE_PROTOCOL}://${text}`);
  if (url === null) problems.push("GHE_HOST: must be a host name such as github.example.com");
  return url === null ? null : `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/api\/v3$/, "")}`;
}

function readFile(variable: string, path: string, problems: string[]): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    problems.push(`${variable}: the file ${path} cannot be read`);
    return undefined;
  }
}
