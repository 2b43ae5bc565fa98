import type { Kysely } from "kysely";
import { computeDigest } from "../../../evaluate/publish/comment-content.ts";
import { buildVerdictRecord } from "../../../evaluate/record-decision.ts";
import { DAY_MS, HOUR_MS } from "../../../kernel/clock.ts";
import type { PullKey } from "../../../kernel/ids.ts";
import type { Decimal } from "../../../kernel/money.ts";
import { decimal, minus, times } from "../../../kernel/money.ts";
import { applyApprovals } from "../../../policy/approvals/apply-approvals.ts";
import { giveApproval } from "../../../policy/approvals/give-approval.ts";
import { readGround, serializeFigures } from "../../../policy/approvals/ground.ts";
import type { RuleFindings } from "../../../policy/approvals/lapse.ts";
import { listOpenFindings } from "../../../policy/decide/situation.ts";
import { decideCheck } from "../../../policy/decide-check.ts";
import { evaluatePolicy } from "../../../policy/evaluate-policy.ts";
import type { Approval } from "../../../policy/model/approval.ts";
import type { Evaluation } from "../../../policy/model/evaluation.ts";
import { formatLaneKey } from "../../../queue/names.ts";
import { buildReport } from "../../../report/build.ts";
import { NO_CONTEXT } from "../../../report/model/context.ts";
import type { StageFacts } from "../../../report/model/facts.ts";
import { dropClaims } from "../../../store/after-merge/budget-use.ts";
import { recordMerge } from "../../../store/after-merge/merged-pulls.ts";
import { appendDecision, appendMerge, appendRecord } from "../../../store/audit/decisions.ts";
import { enterLane, type Fence } from "../../../store/database/lanes.ts";
import { transact } from "../../../store/database/transaction.ts";
import { saveDecision, setAfterMerge } from "../../../store/evaluations.ts";
import { savePolicy } from "../../../store/history/policies.ts";
import { closeRuleOutcomes } from "../../../store/history/rule-outcomes.ts";
import { savePull } from "../../../store/pulls.ts";
import { saveRepository } from "../../../store/repositories.ts";
import type { Tables } from "../../../store/tables/tables.ts";
import type { PastPull, PastPush, PastRepository } from "./past-pulls.ts";
import type { Choices } from "./seeded-random.ts";

interface PastDeps {
  readonly db: Kysely<Tables>;
  readonly choices: Choices;
  readonly ownerId: number;
  readonly installationId: number;
  readonly nowMs: number;
}

/** Monthly costs of each repository before its first pull request, in cents. */
const FIRST_COST: Baseline = { production: 520_000, staging: 90_000 };
/** Days after a merge on which the estimate is compared with the actual cost. */
const COMPARED_AFTER = 14;

/** Evaluates and stores what Tollgate would have stored in the past, event by event, through the functions that it uses today. */
export async function recordPast(deps: PastDeps, pulls: readonly PastPull[]): Promise<void> {
  const repositories = new Set(pulls.map(({ repository }) => repository));
  for (const repository of repositories) await saveRepositoryAndPolicy(deps, repository);
  const past = new Past(deps);
  const events = pulls.flatMap((pull) => listEvents(past, pull)).sort((a, b) => a.atMs - b.atMs);
  for (const { run } of events) await run();
}

interface PastEvent {
  readonly atMs: number;
  readonly run: () => Promise<void>;
}

function listEvents(past: Past, pull: PastPull): readonly PastEvent[] {
  const last = pull.pushes.at(-1);
  const { atMs } = pull.ending;
  return [
    ...pull.pushes.map((push) => ({ atMs: push.atMs, run: () => past.evaluate(pull, push, false) })),
    ...(pull.approver === null || last === undefined
      ? []
      : [{ atMs: last.atMs + HOUR_MS, run: () => past.evaluate(pull, last, true) }]),
    { atMs, run: () => past.end(pull) },
    { atMs: atMs + COMPARED_AFTER * DAY_MS, run: () => past.compare(pull) },
  ];
}

async function saveRepositoryAndPolicy(
  { db, ownerId, installationId, nowMs }: PastDeps,
  { repositoryId, owner, name, policy, blob }: PastRepository,
): Promise<void> {
  const ids = { repository_id: repositoryId, owner_id: ownerId, installation_id: installationId };
  await saveRepository(db, { ...ids, owner_login: owner, name, figures: true }, new Date(nowMs));
  await savePolicy(db, { policyBlobs: blob, policy }, new Date(nowMs));
}

/** The past of the organisation up to a moment. */
class Past {
  readonly #deps: PastDeps;
  readonly #baselines = new Map<number, Baseline>();
  readonly #newest = new Map<PastPull, Evaluation>();
  readonly #fences = new Map<PastPull, Fence>();
  #comments = 1_000;

  constructor(deps: PastDeps) {
    this.#deps = deps;
  }

  #baseline({ repository }: PastPull): Baseline {
    return this.#baselines.get(repository.repositoryId) ?? FIRST_COST;
  }

  async #open(pull: PastPull, push: PastPush, now: Date): Promise<Fence> {
    await this.#savePull(pull, push, { state: "open", now });
    const lane = formatLaneKey({ kind: "pull", ...toKey(pull) });
    const fence = await enterLane(this.#deps.db, lane, now);
    this.#fences.set(pull, fence);
    return fence;
  }

  /** Evaluates a commit; `isApproved`: the approver has approved it. */
  async evaluate(pull: PastPull, push: PastPush, isApproved: boolean): Promise<void> {
    const { db } = this.#deps;
    const { blob } = pull.repository;
    const now = new Date(push.atMs + (isApproved ? HOUR_MS : 0));
    const fence = this.#fences.get(pull) ?? (await this.#open(pull, push, now));
    this.#comments += 1;
    const input = { pull, push, baseline: this.#baseline(pull), isApproved };
    const { evaluation, approval } = evaluatePast({ ...input, approvalId: this.#comments });
    const digest = computeDigest([push.headSha, evaluation.situation, evaluation.approvals]);
    const decided = { evaluation, digest, policyBlobs: blob };
    await saveDecision(db, decided, { fence, now, budgetVersion: null });
    if (approval !== null) await this.#appendApproval(pull, approval, now);
    await appendDecision(db, buildVerdictRecord(decided), now);
    this.#newest.set(pull, evaluation);
  }

  /** Someone merges or closes the pull request. */
  async end(pull: PastPull): Promise<void> {
    const { db } = this.#deps;
    const { as, atMs } = pull.ending;
    const last = pull.pushes.at(-1);
    const evaluation = this.#newest.get(pull);
    if (last === undefined || evaluation === undefined) return;
    const key = toKey(pull);
    const at = new Date(atMs);
    await this.#savePull(pull, last, { state: "closed", now: at });
    if (as === "merged") await this.#saveMerge(pull, evaluation);
    await dropClaims(db, key);
    await closeRuleOutcomes(db, key, { as, at });
    if (as === "merged") this.#baselines.set(key.repositoryId, addMerge(this.#baseline(pull), last));
  }

  /** Compares the estimate of a merged pull request with what its workspaces cost two weeks later. */
  async compare(pull: PastPull): Promise<void> {
    const { db, choices, nowMs } = this.#deps;
    const estimated = this.#newest.get(pull)?.report.totals[0]?.after ?? null;
    const atMs = pull.ending.atMs + COMPARED_AFTER * DAY_MS;
    if (pull.ending.as !== "merged" || estimated === null || atMs > nowMs) return;
    const actual = times(estimated, decimal(choices.between(0.88, 1.16).toFixed(3)));
    const totals = [{ currency: "USD", estimated, actual }];
    const afterMerge = { days: COMPARED_AFTER, compared: 2, workspaces: 2, totals };
    const key = toKey(pull);
    await setAfterMerge(db, key, { afterMerge, now: new Date(atMs) });
  }

  async #savePull(
    { repository, number, title, author, pushes, ending }: PastPull,
    push: PastPush,
    { state, now }: { readonly state: "open" | "closed"; readonly now: Date },
  ): Promise<void> {
    const isMerged = state === "closed" && ending.as === "merged";
    const labels = {
      ...{ title, author_id: author.id, author_login: author.login, is_draft: false },
      opened_at: new Date(pushes[0]?.atMs ?? push.atMs),
      closed_at: state === "closed" ? now : null,
      merged_at: isMerged ? now : null,
      merged_by_id: isMerged ? ending.by.id : null,
      merged_by_login: isMerged ? ending.by.login : null,
    };
    const row = { repositoryId: repository.repositoryId, number, headSha: push.headSha, mergeSha: null };
    await savePull(this.#deps.db, { ...row, baseRef: "main", state, labels }, now);
  }

  async #saveMerge(
    pull: PastPull,
    { report, situation, check, checkName, pull: head }: Evaluation,
  ): Promise<void> {
    const { db } = this.#deps;
    const { atMs, by, sha } = pull.ending;
    const key = { repositoryId: head.repositoryId, number: head.number };
    const stages = report.stages.map(
      ({ org, project, workspace, name, currency, before, after, change, createdMs }) => {
        return {
          org,
          project,
          workspace,
          stage: name,
          currency,
          before,
          after,
          change,
          plannedMs: createdMs ?? atMs,
        };
      },
    );
    await recordMerge(
      db,
      { ...key, mergeSha: sha, baseRef: "main", mergedMs: atMs, compareMs: null },
      stages,
    );
    const conclusion = check.status === "completed" ? check.conclusion : check.status;
    if (conclusion === "success" || conclusion === "neutral") return;
    const open = { situation: situation.kind, open: listOpenFindings(situation, head.figures) };
    const about = { headSha: head.headSha, baseRef: "main", mergeSha: sha, mergedBy: by, checkName };
    const record = {
      kind: "merge",
      ...key,
      ...about,
      ...open,
      mergedAt: new Date(atMs).toISOString(),
      check: conclusion,
    } as const;
    await appendMerge(db, record, new Date(atMs));
  }

  async #appendApproval(pull: PastPull, approval: Approval, now: Date): Promise<void> {
    const { id, approver, headSha, upTo, reason, covered } = approval;
    const key = toKey(pull);
    const rules = covered.map(({ rule }) => rule);
    const about = { approval: id, headSha, baseRef: "main", approver, rules, upTo, reason, why: null };
    await transact(this.#deps.db, (trx) =>
      appendRecord(trx, { kind: "approval", turn: "approved", ...key, ...about }, now),
    );
  }
}

const toKey = ({ repository: { repositoryId }, number }: PastPull): PullKey => ({ repositoryId, number });

/** Monthly cost of the two workspaces before a change, in cents. */
interface Baseline {
  readonly production: number;
  readonly staging: number;
}

interface PastEvaluationInput {
  readonly pull: PastPull;
  readonly push: PastPush;
  readonly baseline: Baseline;
  /** Whether the approver of the pull request approves what this evaluation found. */
  readonly isApproved: boolean;
  readonly approvalId: number;
}

/** Every pull request of the past changes all workspaces of its repository, and none waits beside it. */
const NOTHING_ELSE = { workspaces: [], pulls: [], unknown: [] };

const toDecimal = (cents: number): Decimal => decimal((cents / 100).toFixed(2));

/** Evaluates a past commit under its policy, from the facts that its plans stated at that time. */
function evaluatePast(input: PastEvaluationInput): {
  evaluation: Evaluation;
  approval: Approval | null;
} {
  const { pull, push } = input;
  const { repository, number, author } = pull;
  const stages = (["production", "staging"] as const).map((workspace) => buildStage(input, workspace));
  const report = buildReport(
    { stages, refused: [], context: NO_CONTEXT },
    { stages: repository.policy.stages },
  );
  const context = {
    ...{ number, author: author.login, labels: [], baseRef: "main", draft: false },
    ...{
      paths: [`infra/change-${number}.tf`],
      pathsComplete: true,
      nowMs: push.atMs,
      budgetUse: NOTHING_ELSE,
    },
  };
  const found = evaluatePolicy(report, repository.policy, context);
  const ground = {
    ...{ baseRef: "main", ground: readGround(report), figures: serializeFigures(report) },
    contributors: new Set([author.id]),
  };
  const place: RuleFindings = { rules: repository.policy.rules, findings: found.findings, ground };
  const approval = input.isApproved ? approvePast(input, place) : null;
  const { verdict, approvals } = applyApprovals(approval === null ? [] : [approval], place);
  const situation = { kind: "evaluated", verdict } as const;
  const full = `${repository.owner}/${repository.name}`;
  const source = { repository: full, path: ".github/tollgate.yml", ref: "main", blob: repository.blob };
  const evaluation: Evaluation = {
    pull: {
      ...{ repositoryId: repository.repositoryId, number, repository: full, headSha: push.headSha },
      ...{ baseRef: "main", figures: true, draft: false },
    },
    ...{ report, context, situation, approvals, evaluatedMs: push.atMs, checkName: "tollgate: main" },
    ...{ check: decideCheck(situation, approvals), policySources: [source], policyEdit: null, quiet: false },
    ...{ commentMode: "update", foreignChecks: [], previous: null, sections: null },
  };
  return { evaluation, approval };
}

/** The approver approves up to the amount that was found, an hour after the evaluation. */
function approvePast({ pull, push, approvalId }: PastEvaluationInput, place: RuleFindings): Approval | null {
  if (pull.approver === null) return null;
  const createdMs = push.atMs + HOUR_MS;
  const given = giveApproval(
    {
      ...{
        id: `comment:${approvalId}`,
        source: "comment",
        approver: pull.approver,
        sha: push.headSha,
        rules: [],
      },
      ...{ upTo: { amount: toDecimal(Math.max(push.cents.production, 0)), currency: "USD" } },
      ...{ reason: "agreed for this quarter", createdMs, approvedMs: createdMs },
    },
    { ...place, headSha: push.headSha, evaluatedMs: push.atMs, getGroups: () => [0] },
  );
  return given.state === "approved" ? given.approval : null;
}

function buildStage(
  { pull, push, baseline }: PastEvaluationInput,
  workspace: "production" | "staging",
): StageFacts {
  const before = toDecimal(baseline[workspace]);
  const after = toDecimal(baseline[workspace] + push.cents[workspace]);
  const cost = { before, after, change: minus(after, before), percent: null, currency: "USD" };
  const { owner, name } = pull.repository;
  const executionId = `${name}-${pull.number}-${push.headSha.slice(0, 7)}-${workspace}`;
  const { replaced } = workspace === "production" ? push : { replaced: 0 };
  const counts = {
    ...{ added: 1 + replaced, changed: 2, deleted: replaced, replaced },
    ...{ imported: 0, removed: 0, unchanged: 14, drifted: 0 },
  };
  return {
    ...{
      org: owner,
      project: name,
      workspace,
      executionId,
      stageExecutionId: `${workspace}-plan`,
      source: "status",
    },
    ...{ proven: true, status: "succeeded", createdMs: push.atMs, superseded: [] },
    cost: {
      state: "known",
      value: {
        ...cost,
        completeness: "complete",
        problems: [],
        groups: [],
        unpriced: null,
        partsAreWhole: false,
      },
    },
    modules: { state: "known", value: [{ ...cost, module: "services" }] },
    counts: { state: "known", value: counts },
    rows: { state: "known", value: { rows: [], omitted: 0, unread: 0 } },
  };
}

/** The baseline after a merge. */
const addMerge = (baseline: Baseline, { cents }: PastPush): Baseline => ({
  production: baseline.production + cents.production,
  staging: baseline.staging + cents.staging,
});
