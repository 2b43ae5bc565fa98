import type { Kysely } from "kysely";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CallPace, PlatformClient } from "../../platform/client.ts";
import type { PerformTask } from "../../policy/tasks/task.ts";
import type { Queue } from "../../queue/queue.ts";
import type { Renderer } from "../../render/renderer.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { OperatorRules } from "./operator-rules.ts";

/** The log: constant messages, details without secrets. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** An execution that is recorded for a commit on the embedded platform. */
export interface CommitExecution {
  readonly org: string;
  readonly project: string;
  readonly executionId: string;
}

/** Finds executions by the commit they were recorded for; only the embedded platform can. */
export type CommitExecutionFinder = (commit: {
  readonly repositoryId: number;
  readonly repository: string;
  readonly sha: string;
}) => Promise<readonly CommitExecution[]>;

/** Reads and evaluates policies in threads, where they can neither block nor end the process. */
export interface PolicyTasks {
  /** Performs tasks of policies in force. */
  readonly inForce: PerformTask;
  /** Performs tasks of proposed policies, which never delay policies in force. */
  readonly proposed: PerformTask;
}

/** The dependencies of all jobs, passed in by wiring. */
export interface JobDeps {
  readonly db: Kysely<Tables>;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** Time between two starts of a lane, in ms. */
  readonly laneSpacingMs: number;
  /**
   * True: a CI job evaluates once, with a store that begins empty and ends with the job. Nothing follows the
   * evaluation, so no verdict waits, and what the store would remember is read from GitHub or unknown.
   */
  readonly isOneShot: boolean;
  /** GitHub's id of this App: it identifies our own checks and comments. */
  readonly ownAppId: number;
  readonly github: (installationId: number) => InstallationClient;
  readonly platform: PlatformClient;
  /**
   * Client for facts that are only shown: it has short time limits and never delays the reads that a verdict
   * needs.
   */
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
  readonly buildPullPage?: (pull: PullPlace) => string;
}

/** A pull request by the names that addresses have. `repository`: `owner/name`. */
export interface PullPlace {
  readonly repository: string;
  readonly number: number;
}
