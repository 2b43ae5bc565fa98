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
