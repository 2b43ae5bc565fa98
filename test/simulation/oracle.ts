import type { SandboxPull } from "../../src/sandbox/state/pulls.ts";
import { REPOSITORY } from "./places.ts";
import { POLICIES, type PolicyName } from "./policies.ts";
import type { PlatformExecution } from "./simulated-platform.ts";
import type { Story } from "./story.ts";

/**
 * What the rules of Tollgate say of a pull request, worked out from what GitHub, the CI and the platform show and from nothing of
 * Tollgate. `waits`: an execution is missing or runs. `unknown`: something that ended cannot be judged.
 * `unproven`: somebody who is not trusted names an execution of a workspace that the CI does not name.
 */
export type Expectation =
  | "no policy"
  | "invalid"
  | "waits"
  | "unproven"
  | "unknown"
  | "within"
  | "over"
  | "over, for approvers"
  | "over, warned";

export function expectOf(story: Story, pull: SandboxPull): Expectation {
  const policy = policyOf(story, pull.baseRef);
  if (policy === "none") return "no policy";
  if (policy === "invalid") return "invalid";
  const executions = newestOf(executionsOf(story, pull.headSha, "ci"));
  if (hasUnproven(story, pull, executions)) return "unproven";
  if (executions.length === 0) return changesInfra(story, pull) ? "waits" : "within";
  if (executions.some(({ status }) => status === "none")) return "waits";
  if (executions.some(({ change }) => change === null)) return "unknown";
  const sum = executions.reduce((total, { change }) => total + (change ?? 0), 0);
  return sum <= LIMITS[policy] ? "within" : OVER[policy];
}

type Limiting = Exclude<PolicyName, "none" | "invalid">;
const LIMITS: Readonly<Record<Limiting, number>> = { strict: 100, approvable: 100, warning: 100, lax: 1_000 };
const OVER: Readonly<Record<Limiting, Expectation>> = {
  strict: "over",
  approvable: "over, for approvers",
  warning: "over, warned",
  lax: "over",
};

/** The open pull requests of one head and base, which share a check: this one and perhaps others. */
export const listSharing = (story: Story, { headSha, baseRef }: SandboxPull): readonly SandboxPull[] =>
  story.actors.pulls.filter(
    (other) => other.state === "open" && other.headSha === headSha && other.baseRef === baseRef,
  );

/** Whether GitHub may allow the merge: the shared check shows the worse verdict. */
export const mayPass = (story: Story, pull: SandboxPull): boolean =>
  listSharing(story, pull).every((one) => one.draft || mayPassAlone(story, one));

/** With a policy, only what is within it, warned, or perhaps approved. */
function mayPassAlone(story: Story, pull: SandboxPull): boolean {
  const expected = expectOf(story, pull);
  if (expected === "over, for approvers") return canBeApproved(story, pull);
  if (expected === "unknown" || expected === "unproven") return policyOf(story, pull.baseRef) === "warning"; // a rule that only warns does not block what is unknown
  return ["no policy", "within", "over, warned"].includes(expected);
}

/** Whether there is something to report on the pull request: an execution of its head ended. */
export const hasNews = (story: Story, pull: SandboxPull): boolean =>
  ["unknown", "over", "over, for approvers", "over, warned"].includes(expectOf(story, pull));

/**
 * The states of the check that are right when everything has come to rest; null: any, also none. `isLate`: every deadline has
 * passed.
 */
export function statesAtRest(story: Story, pull: SandboxPull, isLate: boolean): readonly string[] | null {
  const states = listSharing(story, pull).map((one) => statesAlone(story, one, isLate));
  if (states.includes(null)) return null;
  const mayAllPass = states.every((own) => own?.some((state) => PASSING.includes(state)));
  return states.flatMap((own) => own ?? []).filter((state) => mayAllPass || !PASSING.includes(state));
}

const PASSING: readonly string[] = ["success", "neutral"];

function statesAlone(story: Story, pull: SandboxPull, isLate: boolean): readonly string[] | null {
  const expected = expectOf(story, pull);
  if (expected === "no policy") return null;
  // A draft is never decided under a valid policy.
  if (pull.draft && expected !== "invalid") return ["in_progress"];
  const also = mayPassAlone(story, pull) ? (PASSING_TOO[expected] ?? []) : [];
  return [...STATES[expected], ...also, ...(WAITING.includes(expected) && !isLate ? ["in_progress"] : [])];
}

const STATES: Readonly<Record<Exclude<Expectation, "no policy">, readonly string[]>> = {
  invalid: ["failure"],
  waits: ["failure"],
  unproven: ["failure"],
  unknown: ["failure"],
  within: ["success"],
  over: ["failure"],
  "over, for approvers": ["action_required"],
  "over, warned": ["neutral"],
};
const WAITING: readonly Expectation[] = ["waits", "unproven"];
/** Where approvals or a rule that only warns may let it pass. */
const PASSING_TOO: { readonly [Kind in Expectation]?: readonly string[] } = {
  "over, for approvers": ["success"],
  unknown: ["neutral"],
  unproven: ["neutral"],
};

function policyOf(story: Story, ref: string): PolicyName {
  const text = story.github.verbs.fileText({ repository: REPOSITORY, ref, path: ".github/tollgate.yml" });
  const found = Object.entries(POLICIES).find(([, content]) => content === text);
  if (found === undefined) throw new Error("the branch has a policy that no story writes");
  return found[0] as PolicyName; // its own keys
}

/** The executions that were named on the commit: by the CI at any time, by others in the last status of a context. */
function executionsOf(story: Story, sha: string, by: "ci" | "anybody"): readonly PlatformExecution[] {
  const newestFirst = story.github.verbs.statuses({ repository: REPOSITORY, sha });
  const shown = new Map(newestFirst.toReversed().map((status) => [status.context, status.id]));
  const named = newestFirst.flatMap(({ id, context, targetUrl, creatorId }) =>
    creatorId === story.ciId || (by === "anybody" && shown.get(context) === id)
      ? (/executions\/([^/]+)\//.exec(targetUrl ?? "")?.[1] ?? [])
      : [],
  );
  return [...new Set(named)].flatMap((id) => story.platform.executions.get(id) ?? []);
}

/** Of each workspace the newest. */
function newestOf(executions: readonly PlatformExecution[]): readonly PlatformExecution[] {
  const groups = Map.groupBy(executions, ({ workspace }) => workspace);
  return [...groups.values()].flatMap((group) =>
    group.toSorted((a, b) => b.createdMs - a.createdMs).slice(0, 1),
  );
}

function hasUnproven(story: Story, pull: SandboxPull, proven: readonly PlatformExecution[]): boolean {
  const known = new Set(proven.map(({ workspace }) => workspace));
  return executionsOf(story, pull.headSha, "anybody").some(({ workspace }) => !known.has(workspace));
}

/** Its branch may also have been moved to the head of the other pull request. */
const changesInfra = (story: Story, { headRef, baseRef }: SandboxPull): boolean =>
  story.actors.pulls.some(({ headRef: branch }) => {
    const read = (ref: string) =>
      story.github.verbs.fileText({ repository: REPOSITORY, ref, path: `infra/${branch}.tf` });
    return read(headRef) !== null && read(headRef) !== read(baseRef);
  });

const APPROVE = /^\/tollgate approve ([0-9a-f]{40}) up to (\d+) USD load test$/;
const FINANCE: readonly string[] = ["grace", "heidi"];

/** Whether some comment, as it stands, may still approve: of the team, on a head of this pull request, up to enough, and not revoked. */
function canBeApproved(story: Story, pull: SandboxPull): boolean {
  const { world } = story.github;
  const comments = story.github.verbs.comments(pull);
  const sum = newestOf(executionsOf(story, pull.headSha, "ci")).reduce(
    (total, { change }) => total + (change ?? 0),
    0,
  );
  return comments.some((comment, index) => {
    const [, sha = "", upTo = "0"] = APPROVE.exec(comment.body) ?? [];
    const login = world.accounts.require(comment.authorId).login;
    const isRevoked = comments
      .slice(index)
      .some(({ authorId, body }) => authorId === comment.authorId && body.startsWith("/tollgate revoke"));
    const isOfPull = story.actors.heads.get(pull.number)?.includes(sha) === true;
    return (
      isOfPull && Number(upTo) >= sum && FINANCE.includes(login) && comment.editedAt === null && !isRevoked
    );
  });
}
