import type { DeniedPermission } from "../../github/client/installation-auth.ts";

/** A permission that the job's token lacks, in words. */
export interface PermissionProblem {
  readonly permission: DeniedPermission;
  /** False: the job did everything else, and only approvals by teams are not known. */
  readonly isFatal: boolean;
  readonly message: string;
  readonly hint: string;
}

const TEAMS = "members: read";
const WHAT: Readonly<Record<string, string>> = {
  "checks: write": "write the check",
  "checks: read": "read the checks of the commit",
  "pull-requests: write": "write the comment",
  "pull-requests: read": "read the pull request",
  "contents: read": "read the policy file and the changed files",
};
const PRECEDENCE = [
  "contents: read",
  "pull-requests: read",
  "checks: read",
  "checks: write",
  "pull-requests: write",
];

/** The permissions that GitHub found missing, in words, the first to grant first. `isFork`: the head is in a fork. */
export function listMissingPermissions(
  denied: ReadonlySet<DeniedPermission>,
  isFork: boolean | null,
): readonly PermissionProblem[] {
  return [...denied]
    .toSorted((a, b) => rank(a) - rank(b))
    .map((permission) => describe(permission, isFork === true));
}

const rank = (permission: DeniedPermission): number =>
  permission === TEAMS ? Number.MAX_SAFE_INTEGER : PRECEDENCE.indexOf(permission);

function describe(permission: DeniedPermission, isFork: boolean): PermissionProblem {
  if (permission === TEAMS)
    return {
      permission,
      isFatal: false,
      message: "the token may not read who belongs to a team, so approvals by teams do not count",
      hint: "Use a token of a GitHub App that may read members, or let users or a permission approve in the policy: docs/ci/README.md.",
    };
  const what = WHAT[permission] ?? "do this";
  const message = `the token may not ${what}: it lacks \`${permission}\``;
  return {
    permission,
    isFatal: true,
    message,
    hint: isFork
      ? "Jobs for pull requests from forks get a token that only reads. docs/ci/forks.md has the workflows for forks."
      : `Add \`${permission}\` to \`permissions:\` of the job. Tollgate needs \`checks: write\`, \`contents: read\` and \`pull-requests: write\`.`,
  };
}
