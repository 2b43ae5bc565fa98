import { Hono } from "hono";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { ValueOf } from "../../kernel/schemas.ts";
import { Evaluation } from "../../policy/model/evaluation.ts";
import { findEvaluation } from "../../store/evaluations.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { createLocalAccess, type LocalConnection, type LocalRefusal, REFUSED_STATUS } from "./access.ts";
import { resolveRepositoryId } from "./repository-id.ts";

export interface PullName {
  /** `owner/name`, or GitHub's numeric id. */
  readonly repository: string;
  readonly number: number;
}

/** Returns the newest evaluation of a pull request. */
export async function readEvaluation(
  db: Kysely<Tables>,
  { repository, number }: PullName,
): Promise<{ readonly state: "read"; readonly evaluation: ExplainableEvaluation } | LocalRefusal> {
  const repositoryId = await resolveRepositoryId(db, repository);
  const stored = repositoryId === undefined ? null : await findEvaluation(db, { repositoryId, number });
  if (stored !== null) return { state: "read", evaluation: stored.evaluation };
  const what = repositoryId === undefined ? `the repository ${repository}` : `#${number} of ${repository}`;
  return {
    state: "refused",
    message: `No evaluation of ${what} is stored here`,
    hint: "Name a pull request that Tollgate has evaluated, and run this where its database is.",
  };
}

const PATH = "/tollgate/v1/evaluation";
export const EVALUATION_TYPE = "application/json";

const Query = z.strictObject({
  repository: z.string(),
  number: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});

/** Returns the path and query of `createEvaluationRoute`. */
export const buildEvaluationAddress = ({ repository, number }: PullName): string =>
  `${PATH}?${new URLSearchParams({ repository, number: String(number) })}`;

/** `GET /tollgate/v1/evaluation`: the part of an evaluation that an explanation needs. */
export function createEvaluationRoute(
  { db }: { readonly db: Kysely<Tables> },
  key: string,
): Hono<{ Bindings: LocalConnection }> {
  return new Hono<{ Bindings: LocalConnection }>().get(PATH, createLocalAccess(key), async (context) => {
    const query = Query.safeParse(context.req.query());
    if (!query.success) return context.json({ message: "not a pull request" }, 400);
    const read = await readEvaluation(db, query.data);
    if (read.state === "refused") return context.json(read, REFUSED_STATUS);
    const { pull, situation, check, checkName, unshared } = read.evaluation;
    const { repository, number, headSha } = pull;
    const answer: ExplainableEvaluation = {
      pull: { repository, number, headSha },
      ...{ situation, check, checkName },
      ...(unshared && { unshared }),
    };
    return context.json(answer, 200);
  });
}

const Shape = Evaluation.pick({ situation: true, check: true, checkName: true, unshared: true }).extend({
  pull: Evaluation.shape.pull.pick({ repository: true, number: true, headSha: true }),
});

/** The part of an evaluation that an explanation reads. */
export type ExplainableEvaluation = ValueOf<typeof Shape>;

/** Accepts an answer unchanged, with its members in order, so that it prints like the stored one. */
export const ExplainableEvaluation = z.custom<ExplainableEvaluation>(
  (answer) => Shape.safeParse(answer).success,
);
