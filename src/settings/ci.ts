import { z } from "zod";
import { TollgateError } from "../kernel/errors.ts";
import { type Environment, readSettings, type Settings } from "./read.ts";

export interface CiSettings {
  /** Of a Tollgate with the embedded platform and without an App. */
  readonly settings: Settings;
  /** `owner/name`; null: not stated. */
  readonly repository: string | null;
  /** Null: not stated. */
  readonly token: string | null;
  readonly apiUrl: string | null;
  readonly pagesUrl: string | null;
  /** Name of the event that started the workflow; null: not a workflow of GitHub. */
  readonly eventName: string | null;
  readonly eventPath: string | null;
}

/**
 * The settings of a server that a CI job honours. The others, a database above all, could be meant for a server on the
 * same machine.
 */
const HONOURED = [
  "ALWAYS_CHECK",
  "GHE_HOST",
  "GHE_PROTOCOL",
  "GITHUB_WRITE_SPACING_MS",
  "LOG_LEVEL",
  "ORG_POLICY",
  "TEMPLATES_DIR",
  "TOLLGATE_SETTINGS",
] as const;

const HttpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));

/**
 * Returns this process's environment for a CI job. Unlike `readEnvironment` it reads no `.env` file: that file would
 * come from the checkout, which the pull request's author controls.
 */
export const readCiEnvironment = (): Environment => process.env;

/** Reads the settings of a CI job. `publicFigures`: show figures in a public repository. Throws `settings_invalid`. */
export function readCiSettings(
  environment: Environment,
  { publicFigures }: { readonly publicFigures: boolean },
): CiSettings {
  const honoured = Object.fromEntries(HONOURED.map((name) => [name, environment[name]]));
  const settings = readSettings({ LOG_LEVEL: "error", ...dropEmpty(honoured) }, { withTargets: false });
  const { operator } = settings;
  const text = (name: string): string | null => environment[name] || null;
  return {
    settings: {
      ...settings,
      laneSpacingMs: 0,
      operator: { ...operator, public_figures: operator.public_figures || publicFigures },
    },
    repository: text("GITHUB_REPOSITORY"),
    token: text("GITHUB_TOKEN") ?? text("GH_TOKEN"),
    apiUrl: readUrl(environment, "GITHUB_API_URL"),
    pagesUrl: readUrl(environment, "GITHUB_SERVER_URL"),
    eventName: text("GITHUB_EVENT_NAME"),
    eventPath: text("GITHUB_EVENT_PATH"),
  };
}

const dropEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value));

function readUrl(environment: Environment, name: "GITHUB_API_URL" | "GITHUB_SERVER_URL"): string | null {
  const text = environment[name];
  if (text === undefined || text === "") return null;
  const parsed = HttpUrl.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new TollgateError(
    "settings_invalid",
    `${name}: is ${JSON.stringify(text)}, must be a URL that starts with http:// or https://`,
    { hint: "GitHub's runner sets it; elsewhere set GHE_HOST, or leave both unset for github.com." },
  );
}

/** Where a GitHub Actions job requests its id token, and with which credential. */
export interface IdTokenRequest {
  readonly url: string;
  readonly token: string;
}

/** What the environment says to commands that call a Tollgate elsewhere. Null: not set. */
export interface ClientSettings {
  readonly url: string | null;
  readonly token: string | null;
  /** True in a CI job, where this machine's own database is never meant. */
  readonly isCi: boolean;
  readonly isGitHubJob: boolean;
  /** Null: the job may not request an id token. */
  readonly idToken: IdTokenRequest | null;
}

/** Reads `TOLLGATE_URL` and `TOLLGATE_TOKEN`, and what CI systems set. */
export function readClientSettings(environment: Environment): ClientSettings {
  const get = (name: string): string | null => environment[name] || null;
  const [url, token] = [get("ACTIONS_ID_TOKEN_REQUEST_URL"), get("ACTIONS_ID_TOKEN_REQUEST_TOKEN")];
  return {
    url: get("TOLLGATE_URL"),
    token: get("TOLLGATE_TOKEN"),
    isCi: !["false", "0", null].includes(get("CI")),
    isGitHubJob: get("GITHUB_ACTIONS") === "true",
    idToken: url === null || token === null ? null : { url, token },
  };
}
