import { GraphQLError } from "graphql";
import { isVisible, may } from "../../api/authorise.ts";
import type { InstallationCaller, PermissionNeed } from "../../api/call.ts";
import type { Repository } from "../../state/repositories.ts";
import type { World } from "../../state/world.ts";

/** The world as one caller may see it: what every object of an answer is made from. */
export interface View {
  readonly world: World;
  readonly caller: InstallationCaller;
  readonly nodes: Nodes;
}

/** The objects that others lead back to; handed round, because a graph's files cannot import each other in circles. */
export interface Nodes {
  repository(view: View, repository: Repository): Fields;
  ref(view: View, repository: Repository, branch: string): Fields | null;
  commit(view: View, repository: Repository, sha: string): Fields | null;
}

/** One object of an answer: fields are values, or functions of their arguments, run only when asked for. */
export type Fields = Readonly<Record<string, unknown>>;

export const sees = (view: View, repository: Repository): boolean => isVisible(view.caller, repository);

/** An error with GitHub's own word for what kind it is. */
export const problem = (type: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { type } });

/** Refuses a field that the token may not read; the rest of the answer stands. */
export function demand(view: View, ...needs: readonly PermissionNeed[]): void {
  if (!needs.every((need) => may(view.caller, need))) {
    throw problem("FORBIDDEN", "Resource not accessible by integration");
  }
}
