import { GraphQLError } from "graphql";
import { hasAccess, isVisible } from "../../api/authorise.ts";
import type { InstallationCaller, PermissionNeed } from "../../api/call.ts";
import type { Repository } from "../../state/repositories.ts";
import type { World } from "../../state/world.ts";

/** The world with the permissions of one caller; every object of an answer is created from it. */
export interface CallerView {
  readonly world: World;
  readonly caller: InstallationCaller;
  readonly nodes: NodeFactories;
}

/** Factories of objects that other objects refer back to; passed in, because files must not import each other in cycles. */
export interface NodeFactories {
  repository(view: CallerView, repository: Repository): NodeFields;
  ref(view: CallerView, repository: Repository, branch: string): NodeFields | null;
  commit(view: CallerView, repository: Repository, sha: string): NodeFields | null;
}

/** One object of an answer: each field is a value, or a function of its arguments that runs only when queried. */
export type NodeFields = Readonly<Record<string, unknown>>;

export const canSee = (view: CallerView, repository: Repository): boolean =>
  isVisible(view.caller, repository);

/** Returns an error with GitHub's error type. */
export const createGraphqlError = (type: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { type } });

/** Refuses a field that the token may not read; other fields are still answered. */
export function requirePermissions(view: CallerView, ...needs: readonly PermissionNeed[]): void {
  if (!needs.every((need) => hasAccess(view.caller, need))) {
    throw createGraphqlError("FORBIDDEN", "Resource not accessible by integration");
  }
}
