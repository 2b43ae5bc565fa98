import type { Deliveries } from "../outbox/deliveries.ts";
import type { Account } from "../state/accounts.ts";
import type { App, AppPermissions, Installation, UserToken } from "../state/apps.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";

/** The caller: an App by its JWT or by its client secret, a person by a token for an App, or an installation by its token. */
export type Caller =
  | { readonly kind: "app"; readonly app: App }
  | { readonly kind: "client"; readonly app: App }
  | { readonly kind: "user"; readonly app: App; readonly user: Account; readonly token: UserToken }
  | {
      readonly kind: "installation";
      readonly app: App;
      readonly bot: Account;
      readonly installation: Installation;
      readonly permissions: AppPermissions;
      /** null: every repository of the installation. */
      readonly repositoryIds: readonly number[] | null;
    };

export type InstallationCaller = Extract<Caller, { kind: "installation" }>;
export type UserCaller = Extract<Caller, { kind: "user" }>;

/** A permission and its minimum access, e.g. "checks:write". */
export type PermissionNeed = `${string}:${"read" | "write"}`;

/** An authenticated call to the API with its repository. */
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

export interface UserCall extends ApiCall {
  readonly caller: UserCaller;
}

export interface RepositoryCall extends ApiCall {
  readonly caller: InstallationCaller;
  readonly repository: Repository;
}

export interface ApiAnswer {
  readonly status: number;
  /** Sent as JSON; text and bytes unchanged; null for none. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The page's position among all pages, for the Link header. */
  readonly pages?: { readonly page: number; readonly last: number };
}

export const ok = (body: unknown): ApiAnswer => ({ status: 200, body });
export const created = (body: unknown): ApiAnswer => ({ status: 201, body });
export const noContent: ApiAnswer = { status: 204, body: null };

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** One route of the API: `path` is a template of GitHub's OpenAPI description. */
export type ApiRoute =
  | {
      readonly kind: "app";
      readonly method: Method;
      readonly path: string;
      answer(call: ApiCall): ApiAnswer | Promise<ApiAnswer>;
    }
  | {
      /** A route below /repos/{owner}/{repo}; any one of `needs` suffices. */
      readonly kind: "repository";
      readonly method: Method;
      readonly path: string;
      readonly needs: readonly PermissionNeed[];
      answer(call: RepositoryCall): ApiAnswer | Promise<ApiAnswer>;
      /** The same for a person's token; absent: the sandbox has it for installations only. */
      answerUser?(call: UserCall & { readonly repository: Repository }): ApiAnswer;
    }
  | {
      /** A route of an App with its client secret. */
      readonly kind: "client";
      readonly method: Method;
      readonly path: string;
      answer(call: ApiCall): ApiAnswer | Promise<ApiAnswer>;
    }
  | {
      readonly kind: "user";
      readonly method: Method;
      readonly path: string;
      answer(call: UserCall): ApiAnswer | Promise<ApiAnswer>;
    }
  | {
      readonly kind: "installation";
      readonly method: Method;
      readonly path: string;
      readonly needs: readonly PermissionNeed[];
      answer(call: ApiCall & { readonly caller: InstallationCaller }): ApiAnswer | Promise<ApiAnswer>;
    };
