import type { Octokit } from "@octokit/rest";
import { z } from "zod";

/** A permission that a token lacks, as workflow files write it: `checks: write`. */
export type DeniedPermission = string;

const Refused = z.object({
  status: z.literal(403),
  response: z.object({ headers: z.object({ "x-accepted-github-permissions": z.string().min(1) }) }),
});
const GraphqlRefused = z.object({
  errors: z.array(
    z.object({ type: z.literal("FORBIDDEN"), path: z.array(z.union([z.string(), z.number()])) }),
  ),
});

/**
 * Collects the permissions for which GitHub refuses the requests of an Octokit. GitHub names them in a header of REST answers;
 * GraphQL names the field that it refuses.
 */
export function watchDeniedPermissions(octokit: Octokit): ReadonlySet<DeniedPermission> {
  const denied = new Set<DeniedPermission>();
  octokit.hook.error("request", (error) => {
    const refused = [error, error.cause].map((one) => Refused.safeParse(one)).find(({ success }) => success);
    const accepted = refused?.data?.response.headers["x-accepted-github-permissions"];
    if (accepted !== undefined) denied.add(formatAccepted(accepted));
    throw error;
  });
  octokit.hook.after("request", ({ data }) => {
    const refused = GraphqlRefused.safeParse(data);
    if (refused.success) for (const { path } of refused.data.errors) denied.add(formatField(path));
  });
  return denied;
}

/** `issues=write; pull_requests=write`: one of these alternatives. The last one concerns pull requests, where there is a choice. */
function formatAccepted(accepted: string): DeniedPermission {
  const [permissions = ""] = accepted.split(";").toReversed();
  return permissions
    .split(",")
    .map((one) => one.trim().replaceAll("_", "-").replace("=", ": "))
    .join(", ");
}

/** The permission of a field of our queries. Files and commits need `contents`; the rest of a pull request is its own. */
const formatField = (path: readonly (string | number)[]): DeniedPermission =>
  path.some((part) => CONTENT_FIELDS.has(String(part))) ? "contents: read" : "pull-requests: write";

const CONTENT_FIELDS: ReadonlySet<string> = new Set([
  "baseRef",
  "commits",
  "policy",
  "folder",
  "defaultBranchRef",
  "history",
  "files",
]);
