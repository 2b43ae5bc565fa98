import type { EmitterWebhookEvent, EmitterWebhookEventName } from "@octokit/webhooks";
import type { Probot } from "probot";
import { within } from "../../kernel/clock.ts";
import { parseHost } from "../../kernel/host.ts";
import { hasCommandMention } from "../commands/read-command.ts";
import { CODE_OWNERS_FILES } from "../head/head-query.ts";
import {
  CommentEvent,
  type CommitEvent,
  type Delivery,
  InstallationEvent,
  LaneEvent,
  MergeGroupEvent,
  PullRequestEvent,
  RepositoryEvent,
  type RepositoryLabel,
  ReviewEvent,
} from "./lane-event.ts";

export interface EventFilter {
  readonly ownAppId: number;
  /** Hosts, as `getHost` gives them, that an execution's address may have. */
  readonly platformHosts: readonly string[];
  /** Apps whose completed check suites trigger an evaluation: the platform's own. */
  readonly platformAppIds: readonly number[];
}

/**
 * What became of a delivery. `malformed`: signed, and not of the documented shape. `refused`: not read to its end, or not a
 * delivery. `failed`: it could not be stored, so GitHub lists it as failed.
 */
export type DeliveryOutcome =
  | "queued"
  | "duplicate"
  | "ignored"
  | "malformed"
  | "unsigned"
  | "refused"
  | "failed";

export interface DeliveryIntake extends EventFilter {
  /** Stores the delivery durably before it resolves; rejects when it cannot. */
  readonly accept: (delivery: Delivery) => Promise<"queued" | "duplicate">;
  readonly log: { warn(fields: object, message: string): void };
  /** Receives the outcome of every delivery of an event below. */
  readonly onAnswer?: (event: string, outcome: DeliveryOutcome) => void;
}

/**
 * Registers every event that Tollgate handles. Probot answers a delivery after its handler, so it answers 200 only when what matters of
 * the delivery is stored.
 */
export function registerEvents(app: Pick<Probot, "on">, intake: DeliveryIntake): void {
  app.on("check_run", (delivery) => accept(intake, delivery, reduceCheckRun));
  app.on("check_suite", (delivery) => accept(intake, delivery, reduceCheckSuite));
  app.on("github_app_authorization", (delivery) => accept(intake, delivery, reduceAuthorization));
  app.on("installation", (delivery) => accept(intake, delivery, reduceInstallation));
  app.on("installation_repositories", (delivery) => accept(intake, delivery, reduceInstalledRepositories));
  app.on("installation_target", (delivery) => accept(intake, delivery, reduceRenamedAccount));
  app.on("issue_comment", (delivery) => accept(intake, delivery, reduceComment));
  app.on("merge_group", (delivery) => accept(intake, delivery, reduceMergeGroup));
  app.on("pull_request", (delivery) => accept(intake, delivery, reducePullRequest));
  app.on("pull_request_review", (delivery) => accept(intake, delivery, reduceReview));
  app.on("push", (delivery) => accept(intake, delivery, reducePush));
  app.on("repository", (delivery) => accept(intake, delivery, reduceRepository));
  app.on("status", (delivery) => accept(intake, delivery, reduceStatus));
}

interface VerifiedDelivery<Payload> {
  /** GitHub's GUID. */
  readonly id: string;
  /** Name of the event, without its action. */
  readonly name: string;
  readonly payload: Payload;
}

/** Returns what Tollgate stores of a payload; null: it does not matter. Throws when the payload has another shape than GitHub documents. */
type Reducer<Payload> = (payload: Payload, filter: EventFilter) => LaneEvent | null;

const DELIVERY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function accept<Payload>(
  intake: DeliveryIntake,
  { id, name, payload }: VerifiedDelivery<Payload>,
  reduce: Reducer<Payload>,
): Promise<void> {
  if (!DELIVERY_ID.test(id)) throw createHttpError(400, "X-GitHub-Delivery is not an id of GitHub");
  const event = reducePayload(payload, intake, reduce);
  if (event === "malformed") intake.log.warn({ delivery: id }, "a signed delivery has an unexpected shape");
  if (typeof event === "string") return intake.onAnswer?.(name, event);
  try {
    const accepted = intake.accept({ id: id.toLowerCase(), event });
    const outcome = await within(STORE_MS, accepted, () =>
      Promise.reject(new Error("the database takes too long")),
    );
    intake.onAnswer?.(name, outcome);
  } catch (error) {
    intake.onAnswer?.(name, "failed");
    intake.log.warn(
      { delivery: id, err: error },
      "a delivery could not be stored; GitHub lists it as failed",
    );
    throw createHttpError(503, "the delivery could not be stored");
  }
}

/** Payloads are as GitHub documents them, or a member is missing; the schema of what is stored tells. */
function reducePayload<Payload>(
  payload: Payload,
  filter: EventFilter,
  reduce: Reducer<Payload>,
): LaneEvent | "ignored" | "malformed" {
  try {
    const event = reduce(payload, filter);
    return event === null ? "ignored" : LaneEvent.parse(event);
  } catch {
    return "malformed";
  }
}

/** Probot answers with an error's status and message: neither holds anything of the delivery or of the database. */
const createHttpError = (status: 400 | 503, message: string): Error =>
  Object.assign(new Error(message), { status });

/** Time limit for storing a delivery, in ms: Probot's servers answer 202 after 9 s, whether it is stored or not. */
const STORE_MS = 8_000;

type Payload<Name extends EmitterWebhookEventName> = EmitterWebhookEvent<Name>["payload"];

/** The one button under our checks. */
const RECHECK_ACTION = "recheck";

function reduceCheckRun(payload: Payload<"check_run">, filter: EventFilter): LaneEvent | null {
  const { name, head_sha: sha, details_url: url, app, pull_requests } = payload.check_run;
  const isOwn = app?.id === filter.ownAppId;
  const pulls = selectOwnPulls(pull_requests, payload.repository.id);
  const commit = { ...getRepositoryFields(payload), sha, pulls };
  if (payload.action === "completed") {
    const concerns = !isOwn && (isOnPlatform(url, filter) || hasOurCheckName(name));
    if (!concerns) return null;
    return { kind: "commit", ...commit, ...nameExecution("check", app?.id, url, filter) };
  }
  const isRecheck =
    payload.action === "rerequested" ||
    (payload.action === "requested_action" && payload.requested_action?.identifier === RECHECK_ACTION);
  return isRecheck && isOwn ? { kind: "recheck", ...commit } : null;
}

/** A suite has no URL: only its App states whose it is. */
function reduceCheckSuite(payload: Payload<"check_suite">, filter: EventFilter): LaneEvent | null {
  const { head_sha: sha, app, pull_requests } = payload.check_suite;
  const isOwn = app?.id === filter.ownAppId;
  const pulls = selectOwnPulls(pull_requests, payload.repository.id);
  const commit = { ...getRepositoryFields(payload), sha, pulls };
  if (payload.action === "rerequested") return isOwn ? { kind: "recheck", ...commit } : null;
  const isOfPlatform = !isOwn && filter.platformAppIds.some((id) => id === app?.id);
  return payload.action === "completed" && isOfPlatform ? { kind: "commit", ...commit } : null;
}

/** The sender is the person who ended the authorization. */
const reduceAuthorization = ({ action, sender }: Payload<"github_app_authorization">): LaneEvent | null =>
  action === "revoked" ? { kind: "authorization_revoked", userId: sender.id } : null;

function reduceInstallation(payload: Payload<"installation">): LaneEvent | null {
  const action = InstallationEvent.shape.action.safeParse(payload.action).data;
  if (action === undefined) return null;
  return buildInstallationEvent(action, payload, payload.repositories ?? []);
}

function reduceInstalledRepositories(payload: Payload<"installation_repositories">): LaneEvent {
  return payload.action === "added"
    ? buildInstallationEvent("repositories_added", payload, payload.repositories_added)
    : buildInstallationEvent("repositories_removed", payload, payload.repositories_removed);
}

const reduceRenamedAccount = (payload: Payload<"installation_target">): LaneEvent | null =>
  payload.action === "renamed" ? buildInstallationEvent("renamed", payload, null) : null;

const MAX_IDS = 20;

const buildInstallationEvent = (
  action: InstallationEvent["action"],
  { installation }: { readonly installation: { readonly id: number } },
  repositories: readonly { readonly id: number }[] | null,
): InstallationEvent => ({
  kind: "installation",
  action,
  installationId: installation.id,
  repositoryIds:
    repositories === null || repositories.length > MAX_IDS ? null : repositories.map(({ id }) => id),
});

/** Comments on pull requests. Our own writes do not matter; changes to our comments by others do. */
function reduceComment(payload: Payload<"issue_comment">, { ownAppId }: EventFilter): LaneEvent | null {
  const action = CommentEvent.shape.action.safeParse(payload.action).data;
  const { issue, comment, sender } = payload;
  if (action === undefined || issue.pull_request == null) return null;
  const app = comment.performed_via_github_app;
  // GitHub does not name the App of every comment; a bot's change to its own comment needs no restore.
  const isByItsBot = sender?.type === "Bot" && sender.id === comment.user?.id;
  if (isByItsBot && (app == null ? action !== "created" : app.id === ownAppId)) return null;
  // Only comments that people write themselves can be commands: not those of bots or of Apps in a person's name.
  const isByPerson = isPerson(comment.user) && isPerson(sender) && app == null;
  if (action === "created" && !(isByPerson && hasCommandMention(comment.body ?? ""))) return null;
  return {
    kind: "comment",
    ...getRepositoryFields(payload),
    action,
    number: issue.number,
    commentId: comment.id,
    nodeId: comment.node_id,
    authorId: comment.user?.id ?? null,
  };
}

const isPerson = (user: { readonly type?: string } | null | undefined): boolean =>
  user != null && (user.type ?? "User") === "User";

function reduceMergeGroup(payload: Payload<"merge_group">): LaneEvent | null {
  const action = MergeGroupEvent.shape.action.safeParse(payload.action).data;
  if (action === undefined) return null;
  const { head_sha: headSha, head_ref, base_ref } = payload.merge_group;
  const refs = { headSha, headRef: toBranch(head_ref), baseRef: toBranch(base_ref) };
  return { kind: "merge_group", ...getRepositoryFields(payload), action, ...refs };
}

const toBranch = (ref: string): string => ref.replace(/^refs\/heads\//, "");

/** Reviews that approve, changes to them, and later change requests of the same person. */
function reduceReview(payload: Payload<"pull_request_review">): LaneEvent | null {
  const action = ReviewEvent.shape.action.safeParse(payload.action).data;
  if (action === undefined) return null;
  const { id: reviewId, node_id: nodeId, user, state } = payload.review;
  const isNew = action === "submitted";
  const objects = isNew && state.toLowerCase() === "changes_requested";
  if (isNew && ((!objects && state.toLowerCase() !== "approved") || !isPerson(user))) return null;
  return {
    kind: "review",
    ...getRepositoryFields(payload),
    action,
    number: payload.pull_request.number,
    reviewId,
    nodeId,
    authorId: user?.id ?? null,
    objects,
  };
}

/** Not documented yet. Absent: the server knows no stacks. */
interface Stacked {
  readonly stack?: {
    readonly number?: number;
    readonly position?: number;
    readonly base: { readonly ref: string };
  } | null;
}

function reducePullRequest(payload: Payload<"pull_request">): LaneEvent | null {
  const { number, sender, pull_request } = payload;
  const { head, base, stack }: typeof pull_request & Stacked = pull_request;
  // GitHub calls a change of the base branch `edited`.
  const isRetargeted = payload.action === "edited" && payload.changes.base !== undefined;
  const known = PullRequestEvent.shape.action.safeParse(isRetargeted ? "retargeted" : payload.action).data;
  if (known === undefined && stack === undefined) return null;
  return {
    kind: "pull",
    ...getRepositoryFields(payload),
    action: known ?? "other",
    number,
    headSha: head.sha,
    before: "before" in payload ? payload.before : null,
    baseRef: stack?.base.ref ?? base.ref,
    stack: stack ? JSON.stringify([stack.number, stack.position, stack.base.ref]) : null,
    senderId: sender?.id ?? null,
  };
}

function reduceRepository(payload: Payload<"repository">): LaneEvent | null {
  const action = RepositoryEvent.shape.action.safeParse(payload.action).data;
  if (action === undefined) return null;
  const ownerId = payload.repository.owner.id;
  return { kind: "repository", ...getRepositoryFields(payload), action, ownerId };
}

const BRANCH = "refs/heads/";
/** Most commits that GitHub lists in one delivery. */
const MAX_COMMITS = 2048;

/** A push that may have changed a policy file, or who owns code. What the delivery does not list (force pushes, cut lists) counts as changed. */
function reducePush(payload: Payload<"push">): LaneEvent | null {
  const { repository, commits } = payload;
  if (!payload.ref.startsWith(BRANCH) || payload.deleted) return null;
  const ref = payload.ref.slice(BRANCH.length);
  const isDefault = repository.default_branch === undefined || repository.default_branch === ref;
  const organisation = isDefault && repository.name.toLowerCase() === ".github";
  const isUnsure = payload.forced || commits.length === 0 || commits.length >= MAX_COMMITS;
  const folders = organisation ? ["", ".github/"] : [".github/"];
  const policies = folders.flatMap((folder) => [`${folder}tollgate.yml`, `${folder}tollgate.yaml`]);
  const files = [...policies, ...CODE_OWNERS_FILES];
  if (!isUnsure && !commits.some((commit) => canTouchFiles(commit, files))) return null;
  const branch = { ref, organisation, isDefault, ownerId: requireMember(repository.owner).id };
  return { kind: "policy_push", ...getRepositoryFields(payload), ...branch };
}

/** Most files that GitHub lists of one commit. */
const MAX_FILES = 300;

/** The folder `.github` itself counts: it may have become a link or a submodule. */
function canTouchFiles(
  { added = [], modified = [], removed = [] }: Payload<"push">["commits"][number],
  files: readonly string[],
): boolean {
  const paths = [...added, ...modified, ...removed];
  return paths.length >= MAX_FILES || paths.some((path) => path === ".github" || files.includes(path));
}

function reduceStatus(payload: Payload<"status">, filter: EventFilter): LaneEvent | null {
  const { sha, context, target_url: url, sender } = payload;
  if (!isOnPlatform(url, filter) && !hasOurCheckName(context)) return null;
  return {
    kind: "commit",
    ...getRepositoryFields(payload),
    sha,
    pulls: [],
    ...nameExecution("status", sender?.id, url, filter),
  };
}

/** The part that every delivery about a repository has. */
interface AtRepository {
  readonly installation?: { readonly id: number };
  readonly repository?: {
    readonly id: number;
    readonly name: string;
    readonly owner: { readonly login: string } | null;
    readonly updated_at?: string | null;
  };
}

function getRepositoryFields({ installation, repository }: AtRepository): {
  installationId: number;
  repository: RepositoryLabel;
  statedMs: number | null;
} {
  const { id, name, owner, updated_at: time } = requireMember(repository);
  const statedMs = Date.parse(time ?? "");
  return {
    installationId: requireMember(installation).id,
    repository: { id, owner: requireMember(owner).login, name },
    statedMs: Number.isNaN(statedMs) ? null : statedMs,
  };
}

/** A member that GitHub documents as optional, and sends with each delivery to an App. */
function requireMember<T>(member: T | null | undefined): T {
  if (member == null) throw new TypeError("a member is missing");
  return member;
}

interface CommitPull {
  readonly number: number;
  readonly base: { readonly repo: { readonly id: number } };
}

const MAX_PULLS = 10;

/** Numbers of the pull requests in this repository; empty if there are too many, which are then looked up by commit. */
function selectOwnPulls(
  pulls: readonly (CommitPull | null)[] | null | undefined,
  repositoryId: number,
): readonly number[] {
  const own = (pulls ?? []).filter((pull) => pull?.base.repo.id === repositoryId);
  return own.length > MAX_PULLS ? [] : own.flatMap((pull) => pull?.number ?? []);
}

function isOnPlatform(url: string | null | undefined, { platformHosts }: EventFilter): boolean {
  const host = url == null ? null : parseHost(url);
  return host !== null && platformHosts.includes(host);
}

/** A check or status with our kind of name triggers an evaluation, which reports it as another poster's. */
const hasOurCheckName = (name: string): boolean => name.startsWith("tollgate: ");

/** Longest URL in the record of a delivery, in characters. */
const MAX_URL = 1_000;

/** Returns the execution that a status or check names, as the event records it. */
function nameExecution(
  by: "status" | "check",
  posterId: number | undefined,
  url: string | null | undefined,
  filter: EventFilter,
): Pick<CommitEvent, "named"> {
  if (url == null || posterId === undefined || url.length > MAX_URL || !isOnPlatform(url, filter)) return {};
  return { named: { by, posterId, url } };
}
