import type { PlatformClient } from "../../platform/client.ts";
import type { ResourceChange, StageFacts } from "../../report/model/facts.ts";
import { findDoubt, getFactValue } from "../../report/stages.ts";
import type { JobDeps } from "../run/deps.ts";
import type { ContextGrant, OperatorRules } from "../run/operator-rules.ts";
import { UnreadError } from "./platform-facts.ts";
import type { StageRef } from "./read-rows.ts";

/** What the readers of context facts read, and for whom. */
export interface ContextQuery {
  readonly platform: PlatformClient;
  readonly grant: ContextGrant;
  readonly operator: Pick<
    OperatorRules,
    "costCurrency" | "passingStatuses" | "anomaliesPage" | "platformHosts" | "embedded"
  >;
  /** The stages that have ended; their facts are read at the same time. */
  readonly refs: readonly StageRef[];
  readonly stages: Promise<readonly StageFacts[]>;
  /** True: some of the named executions may not be shown here. */
  readonly hasRefused: boolean;
  readonly nowMs: number;
  readonly log: JobDeps["log"];
}

/**
 * Returns the resource changes of a stage.
 *
 * @throws UnreadError where some are unknown
 */
export function requireRows(stage: StageFacts): readonly ResourceChange[] {
  const doubt = findDoubt(stage, stage.rows, "not_stated");
  if (doubt !== null) throw new UnreadError(doubt);
  const value = getFactValue(stage.rows);
  if (value === null || value.omitted + value.unread > 0) throw new UnreadError("too_large");
  return value.rows;
}
