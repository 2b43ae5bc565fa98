import type { Probot } from "probot";
import { z } from "zod";
import { hasCommandMention } from "../commands/read-command.ts";
import {
  CommentEvent,
  InstallationEvent,
  MergeGroupEvent,
  PullRequestEvent,
  RepositoryEvent,
  ReviewEvent,
} from "./payload/lane-event.ts";
import type { Reducer } from "./payload/payload.ts";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  hasOurCheckName,
  Id,
  ignored,
  isOnPlatform,
  Label,
  laneEvent,
  Pulls,
  type ReduceContext,
  type ReducedDelivery,
  recordNamedExecution,
  Sha,
  selectOwnPulls,
} from "./payload/payload.ts";

/** Names of events as Octokit types them. */
type EventName = Extract<Parameters<Probot["on"]>[0], string>;

const CheckRun = AtRepository.extend({
  action: z.string(),
  check_run: z.object({
    id: Id,
    name: z.string(),
    head_sha: Sha,
    details_url: z.string().nullish(),
    app: z.object({ id: Id }).nullable(),
    pull_requests: Pulls,
  }),
  requested_action: z.object({ identifier: z.string() }).nullish(),
});
type CheckRun = z.infer<typeof CheckRun>;

/** The one button under our checks. */
const RECHECK_ACTION = "recheck";

const checkRun = createReducer(CheckRun, (payload, surroundings) => {
  const own = payload.check_run.app?.id === surroundings.ownAppId;
  if (payload.action === "completed") return own ? ignored("own") : reduceCompleted(payload, surroundings);
  const isRecheck =
    payload.action === "rerequested" ||
    (payload.action === "requested_action" && payload.requested_action?.identifier === RECHECK_ACTION);
  if (!isRecheck) return ignored("action");
  if (!own) return ignored("foreign");
  const { id: checkRunId, head_sha: sha, pull_requests } = payload.check_run;
  const pulls = selectOwnPulls(pull_requests, payload.repository.id);
  return laneEvent({ kind: "recheck", ...getRepositoryFields(payload), sha, pulls, checkRunId });
});

function reduceCompleted(payload: CheckRun, surroundings: ReduceContext): ReducedDelivery {
  const { name, details_url: url, head_sha: sha, pull_requests, app } = payload.check_run;
  if (!isOnPlatform(url, surroundings) && !hasOurCheckName(name)) return ignored("foreign");
  const pulls = selectOwnPulls(pull_requests, payload.repository.id);
  const named = recordNamedExecution("check", app?.id, { url, surroundings });
  return laneEvent({
    kind: "commit",
    ...getRepositoryFields(payload),
    cause: "check_run",
    sha,
    pulls,
    ...named,
  });
}

const CheckSuite = AtRepository.extend({
  action: z.string(),
  check_suite: z.object({ head_sha: Sha, app: z.object({ id: Id }).nullable(), pull_requests: Pulls }),
});

/** A suite has no URL: only its App states whose it is. */
const checkSuite = createReducer(CheckSuite, (payload, { ownAppId, platformAppIds }) => {
  const { head_sha: sha, app, pull_requests } = payload.check_suite;
  const own = app?.id === ownAppId;
  const pulls = selectOwnPulls(pull_requests, payload.repository.id);
  if (payload.action === "rerequested") {
    return own
      ? laneEvent({ kind: "recheck", ...getRepositoryFields(payload), sha, pulls, checkRunId: null })
      : ignored("foreign");
  }
  if (payload.action !== "completed") return ignored("action");
  if (own) return ignored("own");
  const fromPlatform = app !== null && platformAppIds.includes(app.id);
  return fromPlatform
    ? laneEvent({ kind: "commit", ...getRepositoryFields(payload), cause: "check_suite", sha, pulls })
    : ignored("foreign");
});

const Authorization = z.object({ action: z.string(), sender: z.object({ id: Id }) });

/** The sender is the person who ended the authorization. */
const githubAppAuthorization = createReducer(Authorization, ({ action, sender }) =>
  action === "revoked" ? laneEvent({ kind: "authorization_revoked", userId: sender.id }) : ignored("action"),
);

const Account = z.object({ id: Id, login: Label.optional(), slug: Label.optional() });
const Selection = InstallationEvent.shape.selection.unwrap();
const Repositories = z.array(z.object({ id: Id })).default([]);

const MAX_IDS = 20;

function buildInstallationEvent(
  action: InstallationEvent["action"],
  of: InstallationFields,
): ReducedDelivery {
  const { account, selection, repositories } = of;
  const repositoryIds =
    repositories === null || repositories.length > MAX_IDS ? null : repositories.map(({ id }) => id);
  return laneEvent({
    kind: "installation",
    action,
    installationId: of.id,
    accountId: account?.id ?? null,
    account: account?.login ?? account?.slug ?? null,
    selection,
    repositoryIds,
  });
}

interface InstallationFields {
  readonly id: number;
  readonly account: z.infer<typeof Account> | null;
  readonly selection: InstallationEvent["selection"];
  readonly repositories: readonly { id: number }[] | null;
}

/** The other actions are those of other events. */
const Action = InstallationEvent.shape.action.exclude([
  "repositories_added",
  "repositories_removed",
  "renamed",
]);
const Installation = z.object({
  action: z.string(),
  installation: z.object({ id: Id, account: Account.nullable(), repository_selection: Selection }),
  repositories: Repositories,
});

const installation = createReducer(Installation, (payload) => {
  const action = Action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  const { id, account, repository_selection: selection } = payload.installation;
  return buildInstallationEvent(action.data, { id, account, selection, repositories: payload.repositories });
});

const InstallationRepositories = z.object({
  action: z.enum(["added", "removed"]),
  installation: z.object({ id: Id, account: Account.nullable() }),
  repository_selection: Selection,
  repositories_added: Repositories,
  repositories_removed: Repositories,
});

const installationRepositories = createReducer(InstallationRepositories, (payload) => {
  const { id, account } = payload.installation;
  const added = payload.action === "added";
  const repositories = added ? payload.repositories_added : payload.repositories_removed;
  const of = { id, account, selection: payload.repository_selection, repositories };
  return buildInstallationEvent(added ? "repositories_added" : "repositories_removed", of);
});

const InstallationTarget = z.object({
  action: z.string(),
  installation: z.object({ id: Id }),
  account: Account,
});

/** The account was renamed. */
const installationTarget = createReducer(InstallationTarget, (payload) => {
  if (payload.action !== "renamed") return ignored("action");
  const { installation: target, account } = payload;
  return buildInstallationEvent("renamed", { id: target.id, account, selection: null, repositories: null });
});

const Author = z.object({ id: Id, type: z.string().default("User") }).nullish();

const IssueComment = AtRepository.extend({
  action: z.string(),
  issue: z.object({ number: Id, pull_request: z.unknown().optional() }),
  comment: z.object({
    id: Id,
    node_id: Label,
    body: z.string().nullish(),
    user: Author,
    performed_via_github_app: z.object({ id: Id }).nullish(),
  }),
  sender: Author,
});
type IssueComment = z.infer<typeof IssueComment>;

/** Reduces comments on pull requests. Our own writes are ignored; changes to our comments by others are not. */
const issueComment = createReducer(IssueComment, (payload, { ownAppId }) => {
  const action = CommentEvent.shape.action.safeParse(payload.action);
  const { issue, comment, sender } = payload;
  if (!action.success || issue.pull_request == null) return ignored("action");
  if (isOwnWriting(payload, { isNew: action.data === "created", ownAppId })) return ignored("own");
  const ignoredFor = action.data === "created" ? findIgnoreReason(payload) : null;
  if (ignoredFor !== null) return ignoredFor;
  const people = { authorId: comment.user?.id ?? null, senderId: sender?.id ?? null };
  const at = { number: issue.number, commentId: comment.id, nodeId: comment.node_id };
  return laneEvent({
    kind: "comment",
    ...getRepositoryFields(payload),
    action: action.data,
    ...at,
    ...people,
  });
});

/** GitHub does not name the App of every comment; a bot's change to its own comment needs no restore. */
function isOwnWriting(
  { comment, sender }: IssueComment,
  { isNew, ownAppId }: { readonly isNew: boolean; readonly ownAppId: number },
): boolean {
  const app = comment.performed_via_github_app;
  const isByItsBot = sender?.type === "Bot" && sender.id === comment.user?.id;
  return isByItsBot && (app == null ? !isNew : app.id === ownAppId);
}

/** Only comments that people write themselves can be commands: not those of bots or of Apps in a person's name. */
function findIgnoreReason({ comment, sender }: IssueComment): ReducedDelivery | null {
  const byPerson = comment.user?.type === "User" && sender?.type === "User";
  if (!byPerson || comment.performed_via_github_app != null) return ignored("foreign");
  return hasCommandMention(comment.body ?? "") ? null : ignored("unchanged");
}

const MergeGroup = AtRepository.extend({
  action: z.string(),
  merge_group: z.object({ head_sha: Sha, head_ref: Label, base_ref: Label, base_sha: Sha }),
});

const toBranch = (ref: string): string => ref.replace(/^refs\/heads\//, "");

const mergeGroup = createReducer(MergeGroup, (payload) => {
  const action = MergeGroupEvent.shape.action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  const { head_sha: headSha, head_ref, base_ref, base_sha: baseSha } = payload.merge_group;
  const refs = { headSha, headRef: toBranch(head_ref), baseRef: toBranch(base_ref), baseSha };
  return laneEvent({ kind: "merge_group", ...getRepositoryFields(payload), action: action.data, ...refs });
});

const Review = AtRepository.extend({
  action: z.string(),
  pull_request: z.object({ number: Id }),
  review: z.object({
    id: Id,
    node_id: Label,
    state: z.string(),
    user: z.object({ id: Id, type: z.string().default("User") }).nullable(),
    commit_id: Sha.nullish(),
  }),
});

/** Reduces reviews: approving ones of people, changes to them, and later change requests of the same person. */
const pullRequestReview = createReducer(Review, (payload) => {
  const action = ReviewEvent.shape.action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  const { id: reviewId, node_id: nodeId, user, commit_id, state } = payload.review;
  const isNew = action.data === "submitted";
  const objects = isNew && state.toLowerCase() === "changes_requested";
  if (isNew && ((!objects && state.toLowerCase() !== "approved") || user?.type !== "User"))
    return ignored("unchanged");
  return laneEvent({
    kind: "review",
    ...getRepositoryFields(payload),
    action: action.data,
    number: payload.pull_request.number,
    reviewId,
    nodeId,
    authorId: user?.id ?? null,
    commitSha: commit_id ?? null,
    objects,
  });
});

/** Absent: the server knows no stacks. */
const Stack = z
  .object({ number: Id.optional(), position: Id.optional(), base: z.object({ ref: Label }) })
  .nullish();

const PullRequest = AtRepository.extend({
  action: z.string(),
  number: Id,
  pull_request: z.object({ head: z.object({ sha: Sha }), base: z.object({ ref: Label }), stack: Stack }),
  before: Sha.optional(),
  sender: z.object({ id: Id }).nullish(),
  changes: z.object({ base: z.object({ ref: z.object({ from: z.string() }) }).optional() }).optional(),
});

/** GitHub calls a change of the base branch `edited`. */
const PullAction = PullRequestEvent.shape.action.exclude(["retargeted", "other"]);

const pullRequest = createReducer(PullRequest, (payload) => {
  const retargeted = payload.action === "edited" && payload.changes?.base !== undefined;
  const { head, base, stack } = payload.pull_request;
  const other = stack === undefined ? undefined : "other";
  const action = retargeted ? "retargeted" : (PullAction.safeParse(payload.action).data ?? other);
  if (action === undefined) return ignored("action");
  return laneEvent({
    kind: "pull",
    ...getRepositoryFields(payload),
    action,
    number: payload.number,
    headSha: head.sha,
    before: payload.before ?? null,
    baseRef: stack?.base.ref ?? base.ref,
    stack: stack ? JSON.stringify([stack.number, stack.position, stack.base.ref]) : null,
    senderId: payload.sender?.id ?? null,
  });
});

const Commit = z.object({
  added: z.array(z.string()).default([]),
  modified: z.array(z.string()).default([]),
  removed: z.array(z.string()).default([]),
});
type Commit = z.infer<typeof Commit>;

const Repository = AtRepository.extend({
  action: z.string(),
  repository: z.object({ id: Id, name: Label, owner: z.object({ login: Label, id: Id }) }),
});

const repository = createReducer(Repository, (payload) => {
  const action = RepositoryEvent.shape.action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  return laneEvent({
    kind: "repository",
    ...getRepositoryFields(payload),
    action: action.data,
    ownerId: payload.repository.owner.id,
  });
});

const Push = AtRepository.extend({
  ref: Label,
  deleted: z.boolean(),
  forced: z.boolean(),
  commits: z.array(Commit),
  repository: z.object({
    id: Id,
    name: Label,
    owner: z.object({ login: Label, id: Id }),
    default_branch: Label.optional(),
  }),
});

const BRANCH = "refs/heads/";
/** Most commits that GitHub lists in one delivery. */
const MAX_COMMITS = 2048;
/** Most files that GitHub lists of one commit. */
const MAX_FILES = 300;

/** Reports a push that may have changed a policy file. What the delivery does not list (force pushes, cut lists) counts as changed. */
const push = createReducer(Push, (payload) => {
  if (!payload.ref.startsWith(BRANCH) || payload.deleted) return ignored("action");
  const ref = payload.ref.slice(BRANCH.length);
  const { repository } = payload;
  const home = repository.name.toLowerCase() === ".github";
  const isDefault = repository.default_branch === undefined || repository.default_branch === ref;
  const organisation = home && isDefault;
  const unsure = payload.forced || payload.commits.length === 0 || payload.commits.length >= MAX_COMMITS;
  const folders = organisation ? ["", ".github/"] : [".github/"];
  const files = folders.flatMap((folder) => [`${folder}tollgate.yml`, `${folder}tollgate.yaml`]);
  if (!unsure && !payload.commits.some((commit) => canTouchFiles(commit, files))) return ignored("unchanged");
  const branch = { ref, organisation, isDefault, ownerId: repository.owner.id };
  return laneEvent({ kind: "policy_push", ...getRepositoryFields(payload), ...branch });
});

/** The folder `.github` itself counts: it may have become a link or a submodule. */
function canTouchFiles(commit: Commit, files: readonly string[]): boolean {
  const paths = [...commit.added, ...commit.modified, ...commit.removed];
  return paths.length >= MAX_FILES || paths.some((path) => path === ".github" || files.includes(path));
}

const Status = AtRepository.extend({
  sha: Sha,
  context: z.string(),
  target_url: z.string().nullable(),
  sender: z.object({ id: Id }).nullish(),
});

const status = createReducer(Status, (payload, surroundings) => {
  const concerns = isOnPlatform(payload.target_url, surroundings) || hasOurCheckName(payload.context);
  if (!concerns) return ignored("foreign");
  return laneEvent({
    kind: "commit",
    ...getRepositoryFields(payload),
    cause: "status",
    sha: payload.sha,
    pulls: [],
    ...recordNamedExecution("status", payload.sender?.id, { url: payload.target_url, surroundings }),
  });
});

/** Every event that Tollgate reduces, by the name that GitHub and Octokit give it. */
const BY_EVENT = {
  check_run: checkRun,
  check_suite: checkSuite,
  github_app_authorization: githubAppAuthorization,
  installation,
  installation_repositories: installationRepositories,
  installation_target: installationTarget,
  issue_comment: issueComment,
  merge_group: mergeGroup,
  pull_request: pullRequest,
  pull_request_review: pullRequestReview,
  push,
  repository,
  status,
} as const satisfies Readonly<Partial<Record<EventName, Reducer>>>;

type ReducedEventName = keyof typeof BY_EVENT;

// Object.keys forgets the names: the object is a constant and has no other keys.
export const EVENTS = Object.keys(BY_EVENT) as readonly ReducedEventName[];

/** A map, so that names like `constructor` find nothing. */
export const REDUCERS: ReadonlyMap<string, Reducer> = new Map(Object.entries(BY_EVENT));
