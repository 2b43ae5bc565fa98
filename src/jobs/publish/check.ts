import type { CheckState, KnownCheck } from "../../github/checks/check-write.ts";
import { publishCheck as writeCheck } from "../../github/checks/publish-check.ts";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { CheckDecision } from "../../policy/situation.ts";
import { findRun, saveRun, touchSlot } from "../../store/check-runs.ts";
import { evaluationsOfCheck, type KeptEvaluation } from "../../store/evaluations.ts";
import type { JobDeps } from "../deps.ts";
import { type Published, publishedOf } from "./outcome.ts";

/** Where a check is written to, and the run that writes it. */
export interface CheckTarget {
  readonly client: InstallationClient;
  readonly owner: string;
  readonly name: string;
  readonly repositoryId: number;
  readonly headSha: string;
  readonly checkName: string;
  /** Our own newest run as GitHub lists it: written to when the store does not know one. */
  readonly listed: KnownCheck | null;
  readonly stillCurrent: () => Promise<boolean>;
}

const RECHECK = {
  label: "Re-check",
  description: "Read everything again and decide anew",
  identifier: "recheck",
} as const;
/** A check is written again at most so often because other pull requests with this head spoke meanwhile. */
const ROUNDS = 3;
/** Worst first: what two pull requests with one head and base show together. */
const WORST_FIRST = ["failure", "action_required", "in_progress", "neutral", "success"];

/** Shows the worst of what the open pull requests with this head ask for; writes only when GitHub shows something else. */
export async function publishGate(deps: JobDeps, target: CheckTarget): Promise<Published> {
  for (let round = 1; ; round++) {
    const version = await touchSlot(deps.db, target, now(deps));
    const asked = await evaluationsOfCheck(deps.db, target);
    const worst = worstOf(asked);
    if (worst === null) return { state: "published" };
    const published = await write(deps, target, worst);
    if (published.state !== "published" || round === ROUNDS) return published;
    if ((await findRun(deps.db, target))?.version === version) return published;
  }
}

/** The check is shown as in progress, with what it waits for in `kept`, before a verdict exists. */
export async function publishProgress(
  deps: JobDeps,
  target: CheckTarget,
  kept: KeptEvaluation,
): Promise<Published> {
  await touchSlot(deps.db, target, now(deps));
  return write(deps, target, kept);
}

function worstOf(asked: readonly KeptEvaluation[]): KeptEvaluation | null {
  const ranked = asked
    .filter(({ evaluation }) => evaluation.check.status !== "none")
    .sort((a, b) => rank(a.evaluation.check) - rank(b.evaluation.check));
  return ranked[0] ?? null;
}

const rank = (check: CheckDecision): number =>
  WORST_FIRST.indexOf(check.status === "completed" ? check.conclusion : check.status);

async function write(
  deps: JobDeps,
  target: CheckTarget,
  { evaluation, digest }: KeptEvaluation,
): Promise<Published> {
  const decision = toState(evaluation.check);
  if (decision === null) return { state: "published" };
  const run = await findRun(deps.db, target);
  const known: KnownCheck | null =
    run === null || run.checkRunId === null
      ? target.listed
      : { checkRunId: run.checkRunId, digest: run.digest, completed: run.completed };
  const outcome = await writeCheck(target.client, {
    owner: target.owner,
    name: target.name,
    headSha: target.headSha,
    checkName: target.checkName,
    known,
    decision,
    output: deps.renderer.check(evaluation, { details: null, recheckHint: true }),
    externalId: digest,
    detailsUrl: null,
    actions: decision.status === "completed" && decision.conclusion !== "success" ? [RECHECK] : [],
    stillCurrent: target.stillCurrent,
  });
  if (outcome.state === "written" || outcome.state === "unchanged") {
    const { repositoryId, headSha, checkName } = target;
    await saveRun(deps.db, { repositoryId, headSha, checkName, ...outcome.known }, now(deps));
  }
  return publishedOf(outcome);
}

function toState(check: CheckDecision): CheckState | null {
  if (check.status === "none") return null;
  return check.status === "completed"
    ? { status: "completed", conclusion: check.conclusion }
    : { status: "in_progress" };
}

const now = ({ clock }: JobDeps): Date => new Date(clock.now());
