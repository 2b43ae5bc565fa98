import type { PullKey } from "../../src/kernel/ids.ts";
import { type ApiAnswer, type ApiRoute, notFound, ok, type RepositoryCall, route } from "../api/call.ts";
import { createMergeCommit, createSignature } from "../state/git.ts";
import type { Protection, RequiredCheck, SandboxPull, Stack } from "../state/records.ts";
import { buildCommitKey, getObjects, requirePull, requireRepository, type World } from "../state/world.ts";

export interface NewProtection {
  readonly repository: string;
  readonly branch: string;
  readonly requiredChecks: readonly RequiredCheck[];
  /** Default: "protection". */
  readonly kind?: Protection["kind"];
  /** Whether a ruleset restricts who creates the branch; default: no. */
  readonly restrictsCreation?: boolean;
}

/** Whether GitHub's merge button is enabled, and why not. */
export interface Mergeability {
  readonly allowed: boolean;
  /** One sentence per reason; empty when merging is allowed. */
  readonly reasons: readonly string[];
}

/** The rules of branches, and whether they let a pull request be merged. */
export const createMergeRuleVerbs = (world: World) => ({
  protectBranch: (spec: NewProtection): Protection => {
    const repositoryId = requireRepository(world, spec.repository).id;
    const { branch, requiredChecks, kind = "protection", restrictsCreation = false } = spec;
    const id = findProtection(world, repositoryId, branch)?.id ?? world.nextId("other");
    return world.protections.insert({ id, repositoryId, branch, requiredChecks, kind, restrictsCreation });
  },
  /** Applies GitHub's rule: every required check passed on the head, no conflict, open, not a draft. */
  mergeability: (key: PullKey): Mergeability => {
    const reasons = listMergeObstacles(world, requirePull(world, key));
    return { allowed: reasons.length === 0, reasons };
  },
  /** The test merge commit of an open pull request; null when it conflicts with its base. */
  testMerge: (key: PullKey): string | null => findTestMerge(world, requirePull(world, key)),
});

const findProtection = (world: World, repositoryId: number, branch: string): Protection | null =>
  world.protections.find((row) => row.repositoryId === repositoryId && row.branch === branch);

export const listRequiredChecks = (
  world: World,
  on: { repositoryId: number; baseRef: string },
): readonly RequiredCheck[] => findProtection(world, on.repositoryId, on.baseRef)?.requiredChecks ?? [];

/** Returns the reasons why GitHub would not merge the pull request now; empty when it would. */
export function listMergeObstacles(world: World, pull: SandboxPull): readonly string[] {
  const because: string[] = [];
  if (pull.state === "closed") because.push(pull.mergedAt === null ? "it is closed" : "it is merged already");
  if (pull.draft) because.push("it is still a draft");
  if (pull.state === "open" && findTestMerge(world, pull) === null)
    because.push(`it conflicts with ${pull.baseRef}`);
  const merged = listMergedTogether(world, pull);
  return [
    ...because,
    ...merged.flatMap((one) =>
      listOpenChecks(world, one.headSha, { ...one, baseRef: findRuledBranch(world, one) }),
    ),
  ];
}

/** The words for a state that blocks merging. */
const BLOCKING_REASONS: Readonly<Record<string, string>> = {
  queued: "is not finished",
  in_progress: "is not finished",
  pending: "is not finished",
  action_required: "needs action",
  cancelled: "was cancelled",
  timed_out: "ran out of time",
  stale: "is stale",
};

/** Returns why checks that a branch requires block a commit; empty when all passed. */
export function listOpenChecks(
  world: World,
  sha: string,
  on: { repositoryId: number; baseRef: string },
): readonly string[] {
  const key = buildCommitKey({ repositoryId: on.repositoryId, sha });
  return listRequiredChecks(world, on).flatMap((required) => {
    const states = [findCheckState(world, key, required), findStatusState(world, key, required)].filter(
      (state) => state !== null,
    );
    const check = `the required check "${required.context}"`;
    if (states.length === 0) return `${check} is expected and not reported yet`;
    // A check run and a status of the same name are both required.
    const holding = states.find((state) => !["success", "neutral", "skipped"].includes(state));
    return holding === undefined ? [] : `${check} ${BLOCKING_REASONS[holding] ?? "failed"}`;
  });
}

/** Returns the state of the newest run of that name, from the required App when one is named. */
function findCheckState(world: World, commitKey: string, { context, appId }: RequiredCheck): string | null {
  const newest = world.checkRuns
    .group(commitKey)
    .findLast((run) => run.name === context && (appId === null || run.appId === appId));
  if (newest === undefined) return null;
  return newest.conclusion ?? newest.status;
}

/** A status counts for an App only if the App's own bot posted it. */
function findStatusState(world: World, commitKey: string, { context, appId }: RequiredCheck): string | null {
  const botId = appId === null ? null : world.apps.get(appId)?.botId;
  const newest = world.statuses
    .group(commitKey)
    .findLast((status) => status.context === context && (botId === null || status.creatorId === botId));
  return newest?.state ?? null;
}

/** Returns the test merge commit (`refs/pull/N/merge`); null on a conflict. Equal sides give an equal id. */
export function findTestMerge(world: World, pull: SandboxPull): string | null {
  const repository = world.repositories.require(pull.repositoryId);
  const base = repository.branches.get(pull.baseRef) ?? pull.baseSha;
  const key = `${pull.id}:${base}:${pull.headSha}`;
  const known = world.testMerges.get(key);
  if (known !== undefined) return known;
  const author = createSignature(world.accounts.require(pull.authorId), pull.createdAt);
  const message = `Merge ${pull.headSha} into ${base}`;
  const sides = { base, head: pull.headSha };
  const made = createMergeCommit(getObjects(world, repository), sides, { message, author });
  world.testMerges.set(key, made);
  return made;
}

/** Returns the message of the pull request's merge commit. */
export const formatMergeMessage = (world: World, pull: SandboxPull): string =>
  `Merge pull request #${pull.number} from ${world.accounts.require(pull.headOwnerId).login}/${pull.headRef}\n\n${pull.title}`;

/** Returns the stack of a pull request; null: it is in none. */
export const findStack = (world: World, { repositoryId, number }: SandboxPull): Stack | null =>
  world.stacks.group(String(repositoryId)).find(({ pulls }) => pulls.includes(number)) ?? null;

/** Returns a stack's pull requests that are not merged, lowest first. */
export const listStackPulls = (world: World, { repositoryId, pulls }: Stack): readonly SandboxPull[] =>
  pulls
    .map((number) => requirePull(world, { repositoryId, number }))
    .filter(({ mergedAt }) => mergedAt === null);

/** Returns the branch whose rules hold for a pull request: of a stacked one, the trunk. */
export const findRuledBranch = (world: World, pull: SandboxPull): string =>
  findStack(world, pull)?.trunk ?? pull.baseRef;

/** Returns the pull requests that GitHub merges with this one: those below it in its stack, lowest first, and itself. */
export function listMergedTogether(world: World, pull: SandboxPull): readonly SandboxPull[] {
  const stack = findStack(world, pull);
  if (stack === null) return [pull];
  const open = listStackPulls(world, stack);
  return open.slice(0, open.findIndex(({ id }) => id === pull.id) + 1);
}

/** Branches with their protection, and the rules of rulesets on them. */
export const branchRoutes: readonly ApiRoute[] = [
  route.repository("GET /branches/{branch}", ["contents:read"], answerBranch),
  route.repository("GET /rules/branches/{branch}", ["metadata:read"], answerRules),
];

function answerRules({ world, repository, path }: RepositoryCall): ApiAnswer {
  const protection = findProtection(world, repository.id, path["branch"] ?? "");
  if (protection?.kind !== "ruleset") return ok([]);
  const required_status_checks = protection.requiredChecks.map(({ context, appId }) =>
    appId === null ? { context } : { context, integration_id: appId },
  );
  return ok([
    ...(required_status_checks.length > 0
      ? [{ type: "required_status_checks", parameters: { required_status_checks } }]
      : []),
    ...(protection.restrictsCreation ? [{ type: "creation" }] : []),
  ]);
}

function answerBranch({ world, repository, path }: RepositoryCall): ApiAnswer {
  const name = path["branch"] ?? "";
  if (!repository.branches.has(name)) throw notFound();
  const protection = findProtection(world, repository.id, name);
  const required = protection?.kind === "protection" ? protection.requiredChecks : [];
  const checks = required.map(({ context, appId }) => ({ context, app_id: appId }));
  return ok({ name, protected: protection !== null, protection: { required_status_checks: { checks } } });
}
