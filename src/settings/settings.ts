import type { OperatorFile } from "./operator.ts";

/** The platform that costs and changes are read from. */
export type PlatformSettings =
  | {
      readonly kind: "embedded";
      readonly account: string;
      /** In whose names it answers; absent: `neutral`. */
      readonly dialect?: "neutral" | "live";
    }
  | {
      readonly kind: "remote";
      readonly url: string;
      readonly token: string;
      readonly account: string;
      /** Null: not stated, so the first read finds out. */
      readonly dialect: "neutral" | "live" | null;
      /** Path before `/api/orgs/...`, e.g. `/gateway/iacm`; empty for none; absent: the dialect's own. */
      readonly prefix?: string;
    };

export interface GitHubCredentials {
  readonly appId: number;
  /** PEM text. */
  readonly privateKey: string;
  readonly webhookSecret: string;
}

/** Everything that an operator decides, validated once at start. */
export interface Settings {
  /** Directory of the embedded database and of what else this machine keeps. */
  readonly dataDirectory: string;
  /** PostgreSQL to use in place of the embedded database; null: embedded. */
  readonly databaseUrl: string | null;
  readonly platform: PlatformSettings;
  /** Null: no GitHub App yet, the setup pages are shown. */
  readonly github: GitHubCredentials | null;
  /** Root of GitHub's API without `/api/v3`, e.g. `https://github.example.com`; null: github.com. */
  readonly githubUrl: string | null;
  /** Between the starts of two writes of one installation, in ms; github.com asks for 1,000, a server of one's own may not. */
  readonly githubWriteSpacingMs: number;
  /** Between the starts of two looks at one pull request, in ms: events that come meanwhile become one look. */
  readonly laneSpacingMs: number;
  /** Directory of templates that replace the shipped ones of the same name; absent: none do. */
  readonly templatesDirectory?: string;
  readonly port: number;
  /** Address to listen on; null: every address once a GitHub App is configured, loopback alone before. */
  readonly host: string | null;
  /** Where people and CI reach this Tollgate, without a slash at the end; null: not known. */
  readonly publicUrl: string | null;
  /** IP addresses and networks of the operator's own reverse proxies, whose `X-Forwarded-For` tells who sends a request. */
  readonly trustedProxies: readonly string[];
  readonly operator: OperatorFile;
  /** Encrypts secrets that are stored; null: none are. */
  readonly encryptionKey: string | null;
  /** `none`: the organisation has no policy file and none is asked for. */
  readonly orgPolicy: "read" | "none";
  /** True: repositories without any policy get a check too. */
  readonly alwaysCheck: boolean;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
}
