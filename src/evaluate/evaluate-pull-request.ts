import { DAY_MS, HOUR_MS } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { PullKey } from "../kernel/ids.ts";
import type { PlatformClient } from "../platform/client.ts";
import { formatLaneKey } from "../queue/names.ts";
import type { Report } from "../report/model/report.ts";
import { dropClaims } from "../store/after-merge/budget-use.ts";
import { recordMerge } from "../store/after-merge/merged-pulls.ts";
import type { MergedStage } from "../store/after-merge/workspace-costs.ts";
import { closeRuleOutcomes } from "../store/history/rule-outcomes.ts";
import { compareWithEstimate } from "./after-merge/compare.ts";
import { markApplied } from "./after-merge/mark-applied.ts";
import { recordUncheckedMerge } from "./after-merge/record-unchecked-merge.ts";
import { type Decision, makeDecision } from "./decide.ts";
import { type GatheredFacts, gatherFacts } from "./gather-facts.ts";
import { type CheckPolicy, loadPolicy } from "./load-policy.ts";
import { notifyDecision } from "./notify.ts";
import { notifyClosed, notifyComparison } from "./notify-closed.ts";
import { enqueueAbove, publishDecision } from "./publish.ts";
import { enqueueBudgetPulls } from "./read-budget.ts";
import { readHead } from "./read-head.ts";
import { recordDecision } from "./record-decision.ts";
import { recordFacts } from "./record-facts.ts";
import { retireCheckName, retireClosedCheck } from "./retire-check-name.ts";
import type { CurrentHead, JobDeps, LaneRun } from "./run/deps.ts";
import { findEarliest, scheduleEvaluation } from "./schedule.ts";
import { showWaitForTurn } from "./show-progress.ts";
import { addStack, keepTrunk } from "./stack.ts";

/**
 * Evaluates a pull request once. Throws when the queue should retry; every step may happen twice. While our own limit of calls to the
 * platform is reached, nothing is decided, and the lane's alarm is set for when there is room.
 */
export async function evaluatePullRequest(deps: JobDeps, lane: LaneRun<PullKey>): Promise<void> {
  const turn = new PlatformTurn(deps);
  try {
    await evaluate({ ...deps, platform: turn.platform }, lane);
  } catch (error) {
    if (!(error instanceof PlatformBusyError)) throw error;
    deps.log.info({ inMs: Math.round(error.inMs) }, "an evaluation waits for its turn to call the platform");
    deps.telemetry.count("tollgate_evaluations_total", { verdict: "none", cause: "turn" });
    const atMs = deps.clock.now() + error.inMs;
    await deps.queue.setAlarm(formatLaneKey({ kind: "pull", ...lane.key }), atMs);
  } finally {
    turn.end();
  }
}

/** Our own limit of calls to the platform is reached. The facts are not unknown: they are read later. */
class PlatformBusyError extends TollgateError {
  /** Wait before the next try, in ms. */
  readonly inMs: number;

  constructor(inMs: number) {
    super("platform_busy", "the limit of calls to the platform (PLATFORM_CALLS_PER_MINUTE) is reached", {
      retryable: true,
      hint: "The work waits for its turn. Raise the limit if the platform allows more.",
    });
    this.inMs = inMs;
  }
}

/** The turn of one evaluation to call the platform; one that calls nothing needs none. */
class PlatformTurn {
  /** Throws `PlatformBusyError` at the first call if our own limit leaves no room for an evaluation. */
  readonly platform: PlatformClient;
  readonly #pace: JobDeps["platformPace"];
  /** Null: not asked for yet. */
  #state: "begun" | PlatformBusyError | null = null;

  constructor({ platform, platformPace }: Pick<JobDeps, "platform" | "platformPace">) {
    this.#pace = platformPace;
    this.platform = {
      call: async (endpoint, input) => {
        this.#begin();
        return platform.call(endpoint, input);
      },
      close: () => platform.close(),
    };
  }

  #begin(): void {
    if (this.#state === null) {
      const inMs = this.#pace?.begin() ?? null;
      this.#state = inMs === null ? "begun" : new PlatformBusyError(inMs);
    }
    if (this.#state !== "begun") throw this.#state;
  }

  end(): void {
    if (this.#state === "begun") this.#pace?.end();
  }
}

async function evaluate(deps: JobDeps, lane: LaneRun<PullKey>): Promise<void> {
  const { telemetry } = deps;
  const read = await telemetry.step("read head", () => readHead(deps, lane));
  if (read === null) return;
  if (read.head.pull.state !== "open") return closePullRequest(keepTrunk(read));
  const policy = await telemetry.step("load policy", () => loadPolicy(read));
  const current = await addStack(read, policy.policy);
  const facts = await telemetry.step("gather facts", () => gatherInTurn(current, policy));
  await retireCheckName(current, policy);
  const decision = await telemetry.step("decide", () => decideAndSave(current, facts));
  if (decision === null) return;
  await telemetry.step("publish", () => publishDecision(current, { decision, facts }));
  countEvaluation(current, decision);
  await telemetry.step("notify", () => tryToNotify(current, decision));
  await scheduleEvaluation(current, decision);
}

/** Gathers the facts; while our own limit of calls to the platform is reached, the check says that they wait for their turn. */
async function gatherInTurn(current: CurrentHead, policy: CheckPolicy): Promise<GatheredFacts> {
  try {
    return await gatherFacts(current, policy);
  } catch (error) {
    if (error instanceof PlatformBusyError) await showWaitForTurn(current, policy);
    throw error;
  }
}

/** What cannot be stored for a target fails no gate. The next evaluation notifies it: the sweep causes one within the hour. */
async function tryToNotify(current: CurrentHead, decision: Decision): Promise<void> {
  try {
    await notifyDecision(current, decision);
  } catch (error) {
    current.run.deps.log.warn({ ...current.run.key, error }, "notifications could not be stored");
  }
}

function countEvaluation({ run }: CurrentHead, { stored }: Decision): void {
  const { clock, telemetry } = run.deps;
  const { situation } = stored.evaluation;
  const verdict = ("verdict" in situation ? situation.verdict?.kind : null) ?? "none";
  telemetry.count("tollgate_evaluations_total", { verdict, cause: situation.kind });
  telemetry.observe("tollgate_evaluation_seconds", (clock.monotonicMs() - run.startedMs) / 1_000, {});
}

/** Most decisions of one evaluation when budgets change before the decision is saved. */
const ROUNDS = 5;

/** Returns the saved decision; null: a later evaluation of the lane has started. */
async function decideAndSave(current: CurrentHead, facts: GatheredFacts): Promise<Decision | null> {
  let basis = await recordFacts(current, facts);
  for (let round = 1; round <= ROUNDS; round++) {
    const decision = await makeDecision(current, basis);
    const saved = await recordDecision(current, decision);
    if (saved === "saved") return decision;
    if (saved === "superseded") return null;
    basis = { ...basis, policyEdit: decision.stored.evaluation.policyEdit };
  }
  throw new TollgateError("internal", "what counts towards budgets changes again and again", {
    retryable: true,
  });
}

/** Removes a closed pull request's cost from the budgets; if it was merged, saves it as the cost of its workspaces. */
async function closePullRequest(current: CurrentHead): Promise<void> {
  const { run, head } = current;
  const { deps, key } = run;
  await (head.pull.state === "merged" ? recordUncheckedMerge(current) : retireClosedCheck(current));
  const merged = head.pull.state === "merged" && (await saveMerge(current));
  const dropped = await dropClaims(deps.db, key);
  const closedMs = head.pull.closedMs ?? deps.clock.now();
  const as = head.pull.state === "merged" ? "merged" : "closed";
  await closeRuleOutcomes(deps.db, key, { as, at: new Date(closedMs) });
  if (merged || dropped) await enqueueBudgetPulls(deps, key);
  await enqueueAbove(deps, key);
  await notifyClosed(current);
  if (head.pull.state === "merged") await followMerge(current);
}

/** Does the work that is due after the merge; the lane's alarm triggers later work. */
async function followMerge(current: CurrentHead): Promise<void> {
  const { run, head, before } = current;
  const { deps, key } = run;
  const lane = formatLaneKey({ kind: "pull", ...key });
  const nowMs = deps.clock.now();
  try {
    const next = findEarliest([
      await compareWithEstimate(run, head, (found) => notifyComparison(current, found)),
      await markApplied(run, head, before),
    ]);
    if (next !== null) await deps.queue.setAlarm(lane, next);
  } catch (error) {
    // The queue retries for half an hour; the alarm retries when the platform is unavailable for longer.
    if (nowMs - (head.pull.mergedMs ?? nowMs) < GIVE_UP_MS) await deps.queue.setAlarm(lane, nowMs + HOUR_MS);
    throw error;
  }
}

/** Time after the merge, in ms, after which failures are not retried. */
const GIVE_UP_MS = 14 * DAY_MS;

/** In ms. GitHub states whole seconds, so a plan made in the same second may be older than the merge. */
const PART_OF_SECOND_MS = 999;

/** Saves the merge. Returns whether it changed the amounts that count towards budgets. */
async function saveMerge({ run, head, before, sinceMs }: CurrentHead): Promise<boolean> {
  const { deps, key } = run;
  const { pull } = head;
  const isOfHead = before?.evaluation.pull.headSha === pull.headSha;
  const evaluated = before === null ? [] : before.evaluation.report.stages;
  const stages = evaluated.map((stage) => ({
    plannedMs: stage.createdMs ?? sinceMs,
    ...toMergedStage(stage, isOfHead),
  }));
  const mergedMs = pull.mergedMs === null ? deps.clock.now() : pull.mergedMs + PART_OF_SECOND_MS;
  const { mergeSha, baseRef } = pull;
  const after = deps.operator.compareAfterMs;
  const compareMs = after === null ? null : mergedMs + after;
  return recordMerge(deps.db, { ...key, mergeSha, baseRef, mergedMs, compareMs }, stages);
}

/**
 * Returns a merged stage. A stage of an older head was not merged in this form, so its workspace is saved
 * with an unknown cost.
 */
function toMergedStage(stage: Report["stages"][number], isOfHead: boolean): Omit<MergedStage, "plannedMs"> {
  const { org, project, workspace, name, state, currency, before, after, change } = stage;
  const place = { org, project, workspace, stage: name };
  if (!isOfHead || state !== "known")
    return { ...place, currency: null, before: null, after: null, change: null };
  return { ...place, currency, before, after, change };
}
