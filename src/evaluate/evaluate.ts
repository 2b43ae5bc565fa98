import { setImmediate } from "node:timers/promises";
import { SupersededError } from "../github/client/result.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { PullKey } from "../kernel/ids.ts";
import { listOpenFindings } from "../policy/decide/situation.ts";
import { chooseReportOptions } from "../policy/model/policy.ts";
import { type LaneSubject, parseLaneKey } from "../queue/names.ts";
import type { JobAttempt } from "../queue/workers.ts";
import { buildReport } from "../report/build.ts";
import { enterLane, type Fence } from "../store/database/lanes.ts";
import { retireFormerChecks } from "./check.ts";
import { closePullRequest } from "./close-pull.ts";
import { addCodeOwners } from "./code-owners.ts";
import { readConsents } from "./consent.ts";
import { PlatformBusyError, takePlatformTurn } from "./facts/platform-turn.ts";
import { readFacts } from "./facts/read-facts.ts";
import { type CheckPolicy, loadPolicy } from "./load-policy.ts";
import { type Decision, type GatheredFacts, makeDecision } from "./make-decision.ts";
import { evaluateMergeGroup } from "./merge-group.ts";
import { notifyDecision, notifyEvaluationTrouble, notifyRefusedApplies } from "./notify.ts";
import { publishOwnError } from "./own-error.ts";
import { showProgressMeanwhile, showWaitForTurn } from "./progress.ts";
import { publishDecision } from "./publish.ts";
import { recordDecision, recordFacts } from "./record-decision.ts";
import { refreshHead } from "./refresh-head.ts";
import { type CurrentHead, findHeadEvaluation, type JobDeps, type LaneRun } from "./run/deps.ts";
import { scheduleEvaluation } from "./schedule.ts";
import { addStack, keepTrunk } from "./stack.ts";

/** Failed attempts after which the check shows that the evaluation failed. The queue still retries. */
const ATTEMPTS_BEFORE_OWN_ERROR = 3;

/**
 * Evaluates the pull request or merge group of a lane. From now on an earlier evaluation of the lane may write nothing.
 * Throws when the queue should retry.
 */
export async function evaluateLane(deps: JobDeps, lane: string, attempt: JobAttempt): Promise<void> {
  const subject = parseLaneKey(lane);
  if (subject === null) {
    deps.log.error({ lane }, "a lane has an unknown name");
    return;
  }
  const fence = await enterLane(deps.db, lane, new Date(deps.clock.now()));
  deps.telemetry.note({ evaluation: `${lane}#${fence.token}` });
  try {
    await inPlatformTurn(deps, lane, (own) =>
      subject.kind === "pull"
        ? evaluate(own, { key: subject, fence, attempt })
        : evaluateMergeGroup(own, { key: subject, fence, attempt }),
    );
  } catch (error) {
    if (error instanceof SupersededError) return;
    deps.log.warn({ lane, attempt: attempt.attempt, error }, "an evaluation failed");
    deps.telemetry.count("tollgate_evaluations_total", { verdict: "none", cause: "error" });
    if (attempt.attempt >= ATTEMPTS_BEFORE_OWN_ERROR) await showOwnError(deps, subject, fence);
    throw error;
  }
}

/** Shows the failure on the check. A failure to show it is logged, so that it does not replace the first failure. */
async function showOwnError(deps: JobDeps, subject: LaneSubject, fence: Fence): Promise<void> {
  if (subject.kind !== "pull") return;
  try {
    await publishOwnError(deps, { key: subject, fence });
    await notifyEvaluationTrouble(deps, subject);
  } catch (second) {
    deps.log.warn({ error: second }, "the failure could not be shown on the check");
  }
}

/**
 * Evaluates a lane's subject. While our own limit of calls to the platform is reached, nothing is decided, and the lane's alarm is set for
 * when there is room.
 */
async function inPlatformTurn(
  deps: JobDeps,
  lane: string,
  evaluateSubject: (deps: JobDeps) => Promise<unknown>,
): Promise<void> {
  const turn = takePlatformTurn(deps);
  try {
    await evaluateSubject({ ...deps, platform: turn.platform });
  } catch (error) {
    if (!(error instanceof PlatformBusyError)) throw error;
    deps.log.info({ inMs: Math.round(error.inMs) }, "an evaluation waits for its turn to call the platform");
    deps.telemetry.count("tollgate_evaluations_total", { verdict: "none", cause: "turn" });
    await deps.queue.setAlarm(lane, deps.clock.now() + error.inMs);
  } finally {
    turn.end();
  }
}

/** Evaluates a pull request once; every step may happen twice. */
async function evaluate(deps: JobDeps, lane: LaneRun<PullKey>): Promise<void> {
  const { telemetry } = deps;
  const read = await telemetry.step("read head", () => refreshHead(deps, lane));
  if (read === null) return;
  if (read.head.pull.state !== "open") return closePullRequest(keepTrunk(read));
  const loaded = await telemetry.step("load policy", () => loadPolicy(read));
  const current = await addStack(read, loaded.policy);
  const policy = await addCodeOwners(current, loaded);
  const gathered = await telemetry.step("gather facts", () => gatherFacts(current, policy));
  await retireFormerChecks(current, policy.checkName);
  const decision = await telemetry.step("decide", () => decideAndSave(current, gathered));
  if (decision === null) return;
  await telemetry.step("publish", () => publishDecision(current, decision, gathered));
  reportEvaluation(current, decision);
  await telemetry.step("notify", () => tryToNotify(current, decision));
  await scheduleEvaluation(current, decision);
}

/**
 * Reads the platform's facts, the approvals and the overrides; meanwhile the check may show that the evaluation is in progress, and that
 * it waits while our own limit of calls to the platform is reached.
 */
async function gatherFacts(current: CurrentHead, checkPolicy: CheckPolicy): Promise<GatheredFacts> {
  const { policy } = checkPolicy;
  const ranges = findHeadEvaluation(current)?.evaluation.report.moduleRanges ?? [];
  try {
    const [{ facts, attributes, shownFacts }, consents] = await showProgressMeanwhile(
      current,
      checkPolicy,
      () => Promise.all([readFacts(current, policy, { ranges }), readConsents(current, policy)]),
    );
    await setImmediate(); // others get a turn between reading large facts and summing them
    const report = buildReport(facts, chooseReportOptions(policy.state === "found" ? policy.policy : null));
    return { ...checkPolicy, facts, report, attributes, consents, shownFacts };
  } catch (error) {
    if (error instanceof PlatformBusyError) await showWaitForTurn(current, checkPolicy);
    throw error;
  }
}

/** Most decisions of one evaluation when budgets change before the decision is saved. */
const ROUNDS = 5;

/** Returns the saved decision; null: a later evaluation of the lane has started. */
async function decideAndSave(current: CurrentHead, gathered: GatheredFacts): Promise<Decision | null> {
  let basis = await recordFacts(current, gathered);
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

/** Counts the evaluation and logs its outcome with the rules that hold the check. */
function reportEvaluation({ deps, startedMs }: CurrentHead, { stored }: Decision): void {
  const { clock, telemetry } = deps;
  const { situation } = stored.evaluation;
  const verdict = ("verdict" in situation ? situation.verdict?.kind : null) ?? "none";
  telemetry.count("tollgate_evaluations_total", { verdict, cause: situation.kind });
  telemetry.observe("tollgate_evaluation_seconds", (clock.monotonicMs() - startedMs) / 1_000, {});
  const rules = new Set(listOpenFindings(situation, false).map(({ rule }) => rule));
  deps.log.info({ situation: situation.kind, verdict, rules: [...rules] }, "a pull request was evaluated");
}

/** What cannot be stored for a target fails no gate. The next evaluation notifies it: the sweep causes one within the hour. */
async function tryToNotify(current: CurrentHead, decision: Decision): Promise<void> {
  try {
    await notifyDecision(current, decision);
    await notifyRefusedApplies(current);
  } catch (error) {
    current.deps.log.warn({ ...current.key, error }, "notifications could not be stored");
  }
}
