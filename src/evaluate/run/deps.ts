import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { CommentTarget, OwnComment } from "../../github/comments/own-comments.ts";
import type { CommitState, HeadState, RepositoryState } from "../../github/head/head-state.ts";
import type { ExecutionRef, PullKey } from "../../kernel/ids.ts";
import type { CallPace, PlatformClient } from "../../platform/client.ts";
import type { EvaluatedPull } from "../../policy/model/evaluation.ts";
import type { PerformTask } from "../../policy/task.ts";
import type { EnqueueDeps } from "../../queue/queue.ts";
import type { JobAttempt } from "../../queue/workers.ts";
import type { Renderer } from "../../render/renderer.ts";
import type { CommentRun } from "../../store/comments.ts";
import { type Fence, isFenceHeld } from "../../store/database/lanes.ts";
import type { SavedEvaluation, StoredEvaluation } from "../../store/evaluations.ts";
import type { MergeGroup } from "../../store/merge-groups.ts";
import type { Repository } from "../../store/repositories.ts";
import type { Telemetry, WorkFields } from "../../telemetry/telemetry.ts";
import type { OperatorRules } from "./operator-rules.ts";

/** The log: constant messages, details without secrets. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Finds executions by the commit they were recorded for; only the embedded platform can. */
export type CommitExecutionFinder = (commit: {
  readonly repositoryId: number;
  readonly repository: string;
  readonly sha: string;
}) => Promise<readonly ExecutionRef[]>;

/** Reads and evaluates policies in threads, where they can neither block nor end the process. */
export interface PolicyTasks {
  /** Performs tasks of policies in force. */
  readonly inForce: PerformTask;
  /** Performs tasks of proposed policies, which never delay policies in force. */
  readonly proposed: PerformTask;
}

/** The dependencies of all jobs, passed in by wiring. */
export interface JobDeps extends EnqueueDeps {
  readonly log: Log;
  readonly telemetry: Telemetry;
  /**
   * True: a CI job evaluates once, with a store that begins empty and ends with the job. Nothing follows the
   * evaluation, so no verdict waits, and what the store would remember is read from GitHub or unknown.
   */
  readonly isOneShot: boolean;
  /** GitHub's id of this App: it identifies our own checks and comments. */
  readonly ownAppId: number;
  readonly github: (installationId: number) => InstallationClient;
  readonly platform: PlatformClient;
  /** Client for facts that are only shown: it has short time limits and never delays the reads that a verdict needs. */
  readonly backgroundPlatform: PlatformClient;
  /** Pace of `platform`; null: nothing limits its calls. */
  readonly platformPace: CallPace | null;
  /** Null on a real platform. */
  readonly findByCommit: CommitExecutionFinder | null;
  readonly operator: OperatorRules;
  readonly policies: PolicyTasks;
  readonly renderer: Renderer;
  /** Root URL of GitHub's pages, without a slash at the end. */
  readonly githubPages: string;
  /** URL of the page that describes the policy file; absent: there is none. */
  readonly policyPage?: string;
  /** Returns the URL of a pull request's page of our own; absent: nobody can sign in, so there is none. */
  readonly buildPullPage?: (pull: PullAddress) => string;
  /** Returns the URL of our own page of an execution; absent: nobody can sign in, or the platform is elsewhere. */
  readonly buildExecutionPage?: (execution: ExecutionRef) => string;
}

/** A pull request by the names that addresses have. `repository`: `owner/name`. */
export interface PullAddress {
  readonly repository: string;
  readonly number: number;
}

/** The start of an evaluation: a lane's subject, its fencing token, and the queue's attempt. */
export interface LaneRun<Subject> {
  readonly key: Subject;
  readonly fence: Fence;
  readonly attempt: JobAttempt;
}

/** One evaluation of a lane's subject: what each of its steps needs. */
export interface EvaluationRun<Subject> extends LaneRun<Subject> {
  readonly deps: JobDeps;
  readonly client: InstallationClient;
  /** Whether this is still the newest evaluation of its lane; checked right before each write is sent. */
  readonly isCurrent: () => Promise<boolean>;
}

/** One evaluation of a pull request. */
export interface PullRun extends EvaluationRun<PullKey> {
  /** By the monotonic clock, in ms. */
  readonly startedMs: number;
}

/** One evaluation of a merge group. */
export interface GroupRun extends EvaluationRun<{ readonly repositoryId: number; readonly headSha: string }> {
  readonly repository: Repository;
  readonly group: MergeGroup;
}

/** One comment job of a pull request: what each of its steps needs. It shows the pull request's newest evaluation. */
export interface CommentJob extends CommentTarget {
  readonly deps: JobDeps;
  readonly attempt: JobAttempt;
  readonly run: CommentRun;
  readonly stored: StoredEvaluation;
  /** Lists our own comments on GitHub, as they were when the job first asked for them. */
  readonly list: () => Promise<readonly OwnComment[]>;
}

/** Returns whether a run was not aborted and is still the newest of its lane. */
export async function isNewest(
  { db }: Pick<JobDeps, "db">,
  { fence, attempt }: Pick<LaneRun<unknown>, "fence" | "attempt">,
): Promise<boolean> {
  return !attempt.signal.aborted && (await isFenceHeld(db, fence));
}

/** A commit whose executions are read. */
export interface CommitSource extends Pick<PullRun, "deps" | "client"> {
  readonly head: CommitState;
}

/** An evaluation with the head that GitHub shows, and the store's data from before it. */
export interface CurrentHead extends PullRun {
  readonly head: HeadState;
  /** What is below it in its stack; absent: nothing is, or it is not read yet. */
  readonly stack?: NonNullable<EvaluatedPull["stack"]> & {
    /** Of the pull requests below; null: unknown. */
    readonly authors: readonly (string | null)[];
  };
  /** The pull request's newest stored evaluation, of any head; null: none yet. */
  readonly before: SavedEvaluation | null;
  /** When the head was first seen, in ms since 1970. */
  readonly sinceMs: number;
  /** True: a delivery announced another head than GitHub shows. GitHub's replicas may lag, so the head is read again soon. */
  readonly canLag: boolean;
}

/** Returns the newest evaluation if it is of the head that GitHub shows, into any base branch; null: there is none. */
export const findHeadEvaluation = ({ head, before }: CurrentHead): SavedEvaluation | null =>
  before?.evaluation.pull.headSha === head.pull.headSha ? before : null;

/** Whether the readers of a repository may see figures. */
export const canShowFigures = (
  { publicFigures }: Pick<OperatorRules, "publicFigures">,
  { visibility }: Pick<RepositoryState, "visibility">,
): boolean => visibility !== "public" || publicFigures;

/** Names a pull request for log lines and spans. */
export const describePull = ({ owner_login: owner, name }: Repository, number: number): WorkFields => ({
  repository: `${owner}/${name}`,
  pull: number,
});
