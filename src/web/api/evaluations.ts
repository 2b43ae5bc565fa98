import { z } from "zod";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { formatDecision } from "../../store/evaluations.ts";
import { findPullEvaluation, listTimeline, type PullEvaluation } from "../../store/history/pull-history.ts";
import { findPull } from "../../store/pulls.ts";
import { formatPullPath } from "../page/address.ts";
import { findReadableRepository } from "../pages/scope.ts";
import { defineOperation } from "./operation.ts";
import { EvaluationDetailShape, EvaluationShape } from "./shapes.ts";

const PATH = "/api/v1/repositories/{owner}/{name}/pulls/{number}/evaluations";
const PULL = {
  owner: z.string().max(100),
  name: z.string().max(100),
  number: z.coerce.number().int().min(1).max(999_999_999),
};

export const listEvaluations = defineOperation({
  id: "listEvaluations",
  path: PATH,
  summary: "Evaluations of a pull request, the newest first",
  pathShape: z.object(PULL),
  queryShape: z.strictObject({
    before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().meta({
      description: "From the `Link` to the next page.",
    }),
    limit: z.coerce.number().int().min(1).max(100).default(50).meta({ description: "Rows of a page." }),
  }),
  answerShape: z.array(EvaluationShape),
  isPaged: true,
  answer: async (deps, reader, { number, before, limit, ...names }) => {
    const repository = await findReadableRepository(deps, reader, names);
    if (repository === null) return null;
    const key = { repositoryId: repository.repositoryId, number };
    if ((await findPull(deps.db, key)) === undefined) return null;
    const found = await listTimeline(deps.db, key, limit + 1, before ?? null);
    const shown = found.toReversed().slice(0, limit);
    const last = shown.at(-1);
    return {
      body: shown.map((one) => ({
        ...{ id: one.evaluationId, head_sha: one.headSha, base: one.baseRef, check: one.decision },
        begun_at: one.begunAt.toISOString(),
        ended_at: one.endedAt?.toISOString() ?? null,
        ...{ situation: one.situation, verdict: one.verdict },
        costs: [...one.totals],
        rules: [...one.rules],
      })),
      next: found.length > limit && last !== undefined ? { before: String(last.evaluationId) } : null,
    };
  },
});

export const getEvaluation = defineOperation({
  id: "getEvaluation",
  path: `${PATH}/{evaluation}`,
  summary: "One evaluation of a pull request with stages and findings",
  pathShape: z.object({
    ...PULL,
    evaluation: z
      .union([z.literal("latest"), z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)])
      .meta({ description: "The id of an evaluation, or `latest`." }),
  }),
  queryShape: z.strictObject({}),
  answerShape: EvaluationDetailShape,
  isPaged: false,
  answer: async (deps, reader, { number, evaluation, ...names }) => {
    const repository = await findReadableRepository(deps, reader, names);
    if (repository === null) return null;
    const key = { repositoryId: repository.repositoryId, number };
    const found = await findPullEvaluation(deps.db, key, evaluation === "latest" ? null : evaluation);
    if (found === null) return null;
    return { body: describeEvaluation(found, `${repository.owner}/${repository.name}`, deps.publicUrl) };
  },
});

function describeEvaluation({ stored, ...times }: PullEvaluation, repository: string, publicUrl: string) {
  const { evaluation } = stored;
  const { pull, situation, check, report } = evaluation;
  return {
    id: times.evaluationId,
    repository,
    number: pull.number,
    url: `${publicUrl}${formatPullPath(repository, pull.number)}/evaluations/${times.evaluationId}`,
    head_sha: pull.headSha,
    base: pull.baseRef,
    begun_at: times.begunAt.toISOString(),
    evaluated_at: times.evaluatedAt.toISOString(),
    ended_at: times.endedAt?.toISOString() ?? null,
    check: formatDecision(check),
    situation: situation.kind,
    verdict: "verdict" in situation ? (situation.verdict?.kind ?? null) : null,
    figures: pull.figures,
    costs: pull.figures ? report.totals.map(toCost) : [],
    stages: report.stages.map((stage) => ({
      ...{ name: stage.name, workspace: stage.workspace, org: stage.org, project: stage.project },
      costs: pull.figures && stage.currency !== null ? [toCost({ ...stage, currency: stage.currency })] : [],
    })),
    findings: listFindings(evaluation),
  };
}

type CostLike = Pick<
  Evaluation["report"]["totals"][number],
  "currency" | "before" | "after" | "change" | "state"
>;

const toCost = ({ currency, before, after, change, state }: CostLike) => ({
  ...{ currency, before, after, change, state },
});

function listFindings({ situation, pull }: Evaluation) {
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  return findings.map(({ rule, outcome, enforce, subject, measured, approved, waiver }) => ({
    ...{ rule, outcome, enforce, subject, approved, waived: waiver !== null },
    measured:
      pull.figures && measured?.kind === "money"
        ? { amount: measured.amount, currency: measured.currency }
        : null,
  }));
}
