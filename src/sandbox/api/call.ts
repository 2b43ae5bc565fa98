import type { Deliveries } from "../outbox/deliveries.ts";
import type { Account } from "../state/accounts.ts";
import type { App, AppPermissions, Installation } from "../state/apps.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";

/** Who calls: an App by its JWT, or an installation by its token. */
export type Caller =
  | { readonly kind: "app"; readonly app: App }
  | {
      readonly kind: "installation";
      readonly app: App;
      readonly bot: Account;
      readonly installation: Installation;
      readonly permissions: AppPermissions;
      /** null: whatever the installation covers. */
      readonly repositoryIds: readonly number[] | null;
    };

export type InstallationCaller = Extract<Caller, { kind: "installation" }>;

/** "checks:write": the permission and the least access. */
export type PermissionNeed = `${string}:${"read" | "write"}`;

/** A call to the API after it was authenticated and its repository found. */
export interface ApiCall {
  readonly world: World;
  readonly deliveries: Deliveries;
  readonly caller: Caller;
  readonly path: Readonly<Record<string, string>>;
  query(name: string): string | null;
  /** The parsed JSON of the body; null for none. */
  readonly body: unknown;
  readonly accept: string;
}

export interface RepositoryCall extends ApiCall {
  readonly caller: InstallationCaller;
  readonly repository: Repository;
}

export interface ApiAnswer {
  readonly status: number;
  /** Sent as JSON; text and bytes as they are; null for none. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where this page lies among all, for the Link header. */
  readonly pages?: { readonly page: number; readonly last: number };
}

export const ok = (body: unknown): ApiAnswer => ({ status: 200, body });
export const created = (body: unknown): ApiAnswer => ({ status: 201, body });
export const noContent: ApiAnswer = { status: 204, body: null };

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** One row of the API: `path` is written as GitHub's OpenAPI description writes it. */
export type ApiRoute =
  | {
      readonly kind: "app";
      readonly method: Method;
      readonly path: string;
      answer(call: ApiCall): ApiAnswer | Promise<ApiAnswer>;
    }
  | {
      /** Below /repos/{owner}/{repo}; any one of `needs` is enough. */
      readonly kind: "repository";
      readonly method: Method;
      readonly path: string;
      readonly needs: readonly PermissionNeed[];
      answer(call: RepositoryCall): ApiAnswer | Promise<ApiAnswer>;
    }
  | {
      readonly kind: "installation";
      readonly method: Method;
      readonly path: string;
      readonly needs: readonly PermissionNeed[];
      answer(call: ApiCall & { readonly caller: InstallationCaller }): ApiAnswer | Promise<ApiAnswer>;
    };
