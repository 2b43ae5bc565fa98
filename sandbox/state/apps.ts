export type Access = "read" | "write" | "admin";

/** Access by permission name of the API, e.g. "pull_requests". */
export type AppPermissions = Readonly<Record<string, Access>>;

/** A GitHub App. The keys are PEM texts; the sandbox stores the private key to pass it to the bot under test. */
export interface App {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly ownerId: number;
  /** The account that writes comments for the App: `<slug>[bot]`. */
  readonly botId: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where GitHub may send people after they authorized the App. */
  readonly callbackUrls: readonly string[];
  readonly privateKey: string;
  readonly publicKey: string;
  readonly webhookSecret: string;
  /** The webhook URL; null: no deliveries, as for an App without an active webhook. */
  readonly webhookUrl: string | null;
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
  readonly createdAt: number;
}

export interface Installation {
  readonly id: number;
  readonly appId: number;
  readonly ownerId: number;
  /** "all" covers every repository of the owner, also those created later. */
  readonly repositories: "all" | readonly number[];
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
  readonly suspendedAt: number | null;
  readonly suspendedById: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An installation access token, valid for one hour by the sandbox's clock. */
export interface AccessToken {
  readonly id: number;
  readonly token: string;
  readonly installationId: number;
  readonly permissions: AppPermissions;
  /** null: every repository of the installation. */
  readonly repositoryIds: readonly number[] | null;
  readonly expiresAt: number;
}

/** A person's token for an App, and the token that renews it once. Times by the sandbox's clock. */
export interface UserToken {
  readonly token: string;
  readonly refreshToken: string;
  readonly appId: number;
  readonly userId: number;
  readonly expiresAt: number;
  readonly refreshExpiresAt: number;
}

/** What a person's authorization gave to the browser, for an App to exchange once. */
export interface AuthorizationCode {
  readonly appId: number;
  readonly userId: number;
  readonly redirectUri: string;
  /** SHA-256 of the verifier in base64url; null: the App asked without PKCE. */
  readonly challenge: string | null;
  readonly expiresAt: number;
}
