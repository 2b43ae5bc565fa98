import type { HeadState } from "../../github/head/head-state.ts";
import { type Decimal, sum } from "../../kernel/money.ts";
import type { CostAfterMerge } from "../../policy/model/evaluation.ts";
import { formatLaneKey } from "../../queue/lane-key.ts";
import {
  findPendingComparison,
  listMergedStages,
  type MergedStageRow,
  markCompared,
} from "../../store/after-merge/merged-pulls.ts";
import { findComment } from "../../store/comments.ts";
import { setAfterMerge } from "../../store/evaluations.ts";
import { canShowFigures } from "../run/can-show-figures.ts";
import type { JobDeps } from "../run/deps.ts";
import type { PullRun } from "../run/pull-run.ts";
import { readAppliedCost } from "./applied-cost.ts";
import { canSeeProject } from "./can-see-project.ts";
import { compareUnits } from "./compare-units.ts";

const DAY_MS = 86_400_000;

/**
 * Compares a merged pull request's estimate with the actual cost, once, when the comparison is due. Returns
 * when it is due, in ms since 1970; null: it is done, or never due. An unknown cost is left out. A second
 * call updates the comment and adds none. `onCompared` is called with what is known, perhaps twice.
 */
export async function compareWithEstimate(
  run: PullRun,
  head: HeadState,
  onCompared: (found: CostAfterMerge) => Promise<void>,
): Promise<number | null> {
  const { deps, key } = run;
  const lane = formatLaneKey({ kind: "pull", ...key });
  const pending = await findPendingComparison(deps.db, key);
  if (pending === null) return null;
  if (deps.clock.now() < pending.compareMs) return pending.compareMs;
  const days = Math.round((pending.compareMs - pending.mergedMs) / DAY_MS);
  const found = (await findComment(deps.db, key)) === null ? null : await computeAfterMerge(run, head, days);
  if (found !== null) {
    await setAfterMerge(deps.db, key, { afterMerge: found, now: new Date(deps.clock.now()) });
    await deps.queue.enqueueComment(lane);
    await onCompared(found);
  }
  await markCompared(deps.db, key, new Date(deps.clock.now()));
  return null;
}

interface CostComparison {
  readonly currency: string;
  readonly estimated: Decimal;
  readonly actual: Decimal;
}

async function computeAfterMerge(
  { deps, key }: PullRun,
  head: HeadState,
  days: number,
): Promise<CostAfterMerge | null> {
  const { repository } = head;
  // A repository may have become public since its comment was written.
  if (!canShowFigures(deps.operator, repository)) return null;
  const stages = await listMergedStages(deps.db, key);
  const [read, units] = await Promise.all([
    Promise.all(stages.map((stage) => compareStage(deps, repository, stage))),
    compareUnits(deps, { key, head, stages }),
  ]);
  const compared = read.filter((stage) => stage !== null);
  if (compared.length === 0 && units.length === 0) return null;
  const byCurrency = Map.groupBy(compared, ({ currency }) => currency);
  return {
    days,
    compared: compared.length,
    workspaces: stages.length,
    totals: [...byCurrency].map(([currency, own]) => ({
      currency,
      estimated: sum(own.map(({ estimated }) => estimated)),
      actual: sum(own.map(({ actual }) => actual)),
    })),
    units,
  };
}

async function compareStage(
  deps: JobDeps,
  repository: HeadState["repository"],
  stage: MergedStageRow,
): Promise<CostComparison | null> {
  const { currency, after } = stage;
  if (currency === null || after === null || !(await canSeeProject(deps, repository, stage))) return null;
  const actual = await readAppliedCost(deps, stage);
  return actual === null ? null : { currency, estimated: after, actual };
}
