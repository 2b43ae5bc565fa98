import type { OperatorFile } from "./operator.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";

/** The platform that costs and changes are read from. */
export type PlatformSettings =
  | {
      readonly kind: "embedded";
      readonly account: string;
      /** Dialect of its responses; absent: `neutral`. */
      readonly dialect?: "neutral" | "live";
    }
  | {
      readonly kind: "remote";
      readonly url: string;
      readonly token: string;
      readonly account: string;
      /** Null: not configured; the first read detects it. */
      readonly dialect: "neutral" | "live" | null;
      /** Path before `/api/orgs/...`, e.g. `/gateway/iacm`; empty: none; absent: the dialect's own. */
      readonly prefix?: string;
      /** Most calls of this process in a minute; absent: what the real platform allows one key. */
      readonly callsPerMinute?: number;
    };

export interface GitHubCredentials {
  readonly appId: number;
  /** PEM text of the App's private key. */
  readonly privateKey: string;
  readonly webhookSecret: string;
}

/** Credentials of the App with which people sign in. */
export interface SignInCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** All settings of an operator, validated once at start. */
export interface Settings {
  /** Directory of the embedded database and of other local files. */
  readonly dataDirectory: string;
  /** PostgreSQL to use in place of the embedded database; null: embedded. */
  readonly databaseUrl: string | null;
  /** Address of the same PostgreSQL without a proxy that shares connections; absent: that of `databaseUrl`. */
  readonly databaseListenUrl?: string;
  /** Most connections of one process to PostgreSQL, at least 4; absent: 15. */
  readonly databaseConnections?: number;
  readonly platform: PlatformSettings;
  /** Null: there is no GitHub App yet, so the setup pages are shown. */
  readonly github: GitHubCredentials | null;
  /** Absent: nobody can sign in, and no page shows anything. */
  readonly signIn?: SignInCredentials;
  /** Root of GitHub's API without `/api/v3`, e.g. `https://github.example.com`; null: github.com. */
  readonly githubUrl: string | null;
  /**
   * Shortest time between the starts of two writes of one installation, in ms. github.com asks for 1,000; a
   * self-hosted server may need less.
   */
  readonly githubWriteSpacingMs: number;
  /** Whether checks that wait at the same time are sent to GitHub as one request; absent: they are. */
  readonly githubBatch?: boolean;
  /**
   * Shortest time between the starts of two evaluations of one pull request, in ms. Events in between share
   * one evaluation.
   */
  readonly laneSpacingMs: number;
  /** Directory of templates that replace the shipped ones of the same name; absent: none. */
  readonly templatesDirectory?: string;
  readonly port: number;
  /** Address to listen on; null: all addresses once a GitHub App is configured, loopback only before. */
  readonly host: string | null;
  /**
   * Host, host with port, or origin under which other machines reach the setup pages; absent: they are served
   * on loopback only.
   */
  readonly setupHost?: string;
  /** URL at which people and CI reach this Tollgate, without a slash at the end; null: unknown. */
  readonly publicUrl: string | null;
  /** Issuer of the id tokens of GitHub Actions jobs, without a slash at the end; null: none are accepted. */
  readonly oidcIssuer: string | null;
  /**
   * IP addresses and networks of the operator's own reverse proxies. Their `X-Forwarded-For` states the
   * client's address.
   */
  readonly trustedProxies: readonly string[];
  readonly operator: OperatorFile;
  /** Key that encrypts stored secrets; null: no secrets are stored. */
  readonly encryptionKey: string | null;
  /** Whether organisations' policies are read; a list: of all owners but these, in lower case, which have none. */
  readonly orgPolicy: "read" | "none" | readonly string[];
  /** True: repositories without a policy get a check too. */
  readonly alwaysCheck: boolean;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** Absent: off. */
  readonly telemetry?: TelemetrySettings;
}
