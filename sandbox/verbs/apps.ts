import type { Access, App, AppPermissions, Installation, UserToken } from "../state/apps.ts";

export interface NewApp {
  readonly name: string;
  /** Login of the account that owns the App; created when missing. Default "tollgate-apps". */
  readonly owner?: string;
  /** The webhook URL, e.g. "http://127.0.0.1:3000/api/github/webhooks"; null or absent: none yet. */
  readonly webhookUrl?: string | null;
  /** Where GitHub may send people after they authorized the App; default: nowhere. */
  readonly callbackUrls?: readonly string[];
  /** Default: the permissions in Tollgate's `app.yml`. */
  readonly permissions?: AppPermissions;
  readonly events?: readonly string[];
  /** Default: a random one. */
  readonly webhookSecret?: string;
}

/** Apps and their installations. */
export interface AppVerbs {
  /** Creates an RSA key pair, an app id, a webhook secret and the App's bot account. */
  registerApp(spec: NewApp): Promise<App>;
  /**
   * Returns the `GITHUB_TOKEN` of a workflow's job: a token of GitHub's own App for Actions that covers one repository.
   * `permissions` as the workflow file names them, `metadata: read` always among them; default: none of the others.
   */
  issueJobToken(spec: {
    repository: string;
    permissions?: Readonly<Record<string, Access>>;
  }): Promise<string>;
  /** Returns a user access token of the App for a person, as if the person had authorized it elsewhere. */
  authorizeApp(spec: { appId: number; login: string }): UserToken;
  /** Ends all of a person's tokens for the App. Sends `github_app_authorization.revoked`. */
  revokeAuthorization(spec: { appId: number; login: string }): void;
  setWebhookUrl(spec: { appId: number; url: string | null }): void;
  /** Sends `installation.created`. `repositories` are names in `owner`, "all" by default. */
  installApp(spec: { appId: number; owner: string; repositories?: "all" | readonly string[] }): Installation;
  /** Sends `installation_repositories.added` or `.removed`. Names in the installation's account. */
  changeInstallationRepositories(spec: {
    installationId: number;
    add?: readonly string[];
    remove?: readonly string[];
  }): Installation;
  /** Sends `installation.new_permissions_accepted`. */
  setInstallationPermissions(spec: { installationId: number; permissions: AppPermissions }): Installation;
  /** Sends `installation.suspend`. A suspended installation receives no deliveries, and every call is refused with 403. */
  suspendInstallation(installationId: number): void;
  unsuspendInstallation(installationId: number): void;
  /** Sends `installation.deleted`; its tokens stop working. */
  uninstallApp(installationId: number): void;
}
