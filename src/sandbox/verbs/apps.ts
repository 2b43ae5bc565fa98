import type { App, AppPermissions, Installation } from "../state/apps.ts";

export interface NewApp {
  readonly name: string;
  /** Login of the account that owns the App; made when it does not exist. Default "tollgate-apps". */
  readonly owner?: string;
  /** Where deliveries go, e.g. "http://127.0.0.1:3000/api/github/webhooks"; null or left out: nowhere yet. */
  readonly webhookUrl?: string | null;
  /** Default: what Tollgate's own `app.yml` asks for. */
  readonly permissions?: AppPermissions;
  readonly events?: readonly string[];
  /** Default: a random one. */
  readonly webhookSecret?: string;
}

/** Apps and their installations. */
export interface AppVerbs {
  /** Makes an RSA key pair, an app id, a webhook secret and the App's bot account. */
  registerApp(spec: NewApp): Promise<App>;
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
  /** Sends `installation.suspend`; until it is lifted nothing that happens in its repositories is told and every call is refused with 403. */
  suspendInstallation(installationId: number): void;
  unsuspendInstallation(installationId: number): void;
  /** Sends `installation.deleted`; its tokens stop working. */
  uninstallApp(installationId: number): void;
}
