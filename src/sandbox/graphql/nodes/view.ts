import { GraphQLError } from "graphql";
import { hasAccess, isVisible } from "../../api/authorise.ts";
import type { InstallationCaller, PermissionNeed } from "../../api/call.ts";
import type { Repository } from "../../state/repositories.ts";
import type { World } from "../../state/world.ts";

/** The world as one caller may see it: what every object of an answer is made from. */
export interface CallerView {
  readonly world: World;
  readonly caller: InstallationCaller;
  readonly nodes: NodeFactories;
}

/** The objects that others lead back to; handed round, because a graph's files cannot import each other in circles. */
export interface NodeFactories {
  repository(view: CallerView, repository: Repository): NodeFields;
  ref(view: CallerView, repository: Repository, branch: string): NodeFields | null;
  commit(view: CallerView, repository: Repository, sha: string): NodeFields | null;
}

/** One object of an answer: fields are values, or functions of their arguments, run only when asked for. */
export type NodeFields = Readonly<Record<string, unknown>>;

export const canSee = (view: CallerView, repository: Repository): boolean =>
  isVisible(view.caller, repository);

/** An error with GitHub's own word for what kind it is. */
export const problem = (type: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { type } });

/** Refuses a field that the token may not read; the rest of the answer stands. */
export function requirePermissions(view: CallerView, ...needs: readonly PermissionNeed[]): void {
  if (!needs.every((need) => hasAccess(view.caller, need))) {
    throw problem("FORBIDDEN", "Resource not accessible by integration");
  }
}
