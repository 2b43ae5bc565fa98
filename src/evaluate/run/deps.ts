import type { Kysely } from "kysely";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { PlatformClient } from "../../platform/client.ts";
import type { PerformTask } from "../../policy/tasks/task.ts";
import type { Queue } from "../../queue/queue.ts";
import type { Renderer } from "../../render/renderer.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { OperatorRules } from "./operator-rules.ts";

/** The log: constant messages, details without secrets. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** An execution that the embedded platform knows to belong to a commit. */
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

/** Reads and evaluates policies where they can neither stall nor end the process. */
export interface PolicyTasks {
  /** Policies in force. */
  readonly inForce: PerformTask;
  /** Proposed policies: they never delay policies in force. */
  readonly proposed: PerformTask;
}

/** Everything that jobs read and write with, passed in by wiring. */
export interface JobDeps {
  readonly db: Kysely<Tables>;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly log: Log;
  /** Time between two starts of a lane, in ms. */
  readonly laneSpacingMs: number;
  /** GitHub's id of this App: it identifies our own checks and comments. */
  readonly ownAppId: number;
  readonly github: (installationId: number) => InstallationClient;
  readonly platform: PlatformClient;
  /** The same platform for facts that are only shown: gives up soon, and never delays the reads that a verdict needs. */
  readonly spare: PlatformClient;
  /** Null on a real platform. */
  readonly findByCommit: CommitExecutionFinder | null;
  readonly operator: OperatorRules;
  readonly policies: PolicyTasks;
  readonly renderer: Renderer;
  /** Root of GitHub's pages, without a slash at the end. */
  readonly githubPages: string;
  /** Address of the page that describes the policy file; absent: there is none. */
  readonly policyPage?: string;
}
