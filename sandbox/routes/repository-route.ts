import { parseId } from "../api/body.ts";
import type { ApiAnswer, ApiRoute, Method, PermissionNeed, RepositoryCall } from "../api/call.ts";
import { readCommit } from "../git/objects.ts";
import { findPull, getObjects, resolveRef } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { ApiRefusal, notFound } from "../state/refusal.ts";

/** Creates a route below /repos/{owner}/{repo}: "GET /pulls/{pull_number}", its permissions, and its handler. */
export function createRepositoryRoute(
  call: `${Method} /${string}` | `${Method} `,
  needs: readonly PermissionNeed[],
  answer: (call: RepositoryCall) => ApiAnswer | Promise<ApiAnswer>,
): Extract<ApiRoute, { kind: "repository" }> {
  const [method = "GET", rest = ""] = call.split(" ");
  // The first word of the template type is a Method.
  return {
    kind: "repository",
    method: method as Method,
    path: `/repos/{owner}/{repo}${rest}`,
    needs,
    answer,
  };
}

export function resolvePull(call: RepositoryCall, name: "pull_number" | "issue_number"): SandboxPull {
  const pull = findPull(call.world, { repositoryId: call.repository.id, number: parseId(call, name) });
  if (pull === null) throw notFound();
  return pull;
}

/** Returns the commit of `{ref}`; refuses an unknown ref with 422, as GitHub does for commits. */
export function resolveCommit(call: RepositoryCall, name: "ref" | "commit_sha" | "sha"): string {
  const ref = call.path[name] ?? "";
  const sha = resolveRef(call.world, call.repository, ref);
  if (sha === null) throw new ApiRefusal(422, `No commit found for SHA: ${ref}`);
  return sha;
}

/** Refuses a commit id that does not exist in the repository. */
export function requireCommit(call: RepositoryCall, sha: string): void {
  if (readCommit(getObjects(call.world, call.repository), sha) === null) {
    throw new ApiRefusal(422, `No commit found for SHA: ${sha}`);
  }
}
