import { Hono } from "hono";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { EvaluatedPull, Evaluation } from "../../policy/model/evaluation.ts";
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
      situation,
      check,
      checkName,
      ...(unshared && { unshared }),
    };
    return context.json(answer satisfies ExplainableShape, 200);
  });
}

/** The part of an evaluation that an explanation reads. */
export type ExplainableEvaluation = Pick<Evaluation, "situation" | "check" | "checkName" | "unshared"> & {
  readonly pull: Pick<EvaluatedPull, "repository" | "number" | "headSha">;
};

const Enforce = z.enum(["block", "warn"]);

const Limit = z.union([
  z.object({ kind: z.literal("when"), expression: z.string() }),
  z.object({ kind: z.string(), amount: z.object({ amount: z.string(), currency: z.string() }) }),
  z.object({ kind: z.literal("unit-cost"), metric: z.string(), percent: z.string() }),
  z.object({ kind: z.literal("percent"), percent: z.string() }),
  z.object({ kind: z.string(), count: z.number() }),
]);

const Measured = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("money"), amount: z.string(), currency: z.string() }),
  z.object({ kind: z.literal("percent"), percent: z.string() }),
  z.object({ kind: z.literal("increase_from_zero") }),
  z.object({ kind: z.literal("condition"), count: z.number().nullable() }),
  z.object({ kind: z.literal("count"), count: z.number() }),
]);

const Because = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("unknown"), reason: z.string() }),
  z.object({ kind: z.literal("partial") }),
  z.object({ kind: z.literal("inconsistent") }),
  z.object({ kind: z.literal("usage"), count: z.number(), names: z.array(z.string()).readonly() }),
  z.object({ kind: z.literal("condition_failed"), problem: z.string() }),
  z.object({ kind: z.literal("other_currency"), found: z.string(), expected: z.string() }),
  z.object({ kind: z.literal("scope_unknown"), members: z.array(z.string()).readonly() }),
]);

const Mismatch = z.object({
  member: z.string(),
  patterns: z.array(z.string()).readonly(),
  here: z.array(z.string()).readonly(),
  more: z.number(),
  meant: z.string().nullable(),
  elsewhere: z.literal(true).optional(),
  excluded: z.literal(true).optional(),
});

const Finding = z.object({
  rule: z.string(),
  outcome: z.enum(["passed", "violated", "undecided", "not_applicable"]),
  enforce: Enforce,
  onUnknown: Enforce,
  mandatory: z.boolean(),
  approved: z.boolean(),
  limit: Limit,
  subject: z.string().nullable(),
  others: z.number(),
  measured: Measured.nullable(),
  alreadyAbove: z.literal(true).optional(),
  because: z.array(Because).readonly(),
  mismatch: Mismatch.optional(),
  message: z.string().nullable(),
  items: z.array(z.string()).readonly(),
  waiver: z.object({ owner: z.string(), reason: z.string() }).nullable(),
});

const Verdict = z.object({
  kind: z.enum(["pass", "warn", "block", "undecided"]),
  findings: z.array(Finding).readonly(),
});

const missing = z.array(z.object({ workspace: z.string().nullable(), state: z.string() })).readonly();
const Problem = z.object({ file: z.string(), line: z.number(), column: z.number(), message: z.string() });

const LostExecution = z.object({ executionId: z.string(), reason: z.string() });

const Situation = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("evaluated"), verdict: Verdict }),
  z.object({ kind: z.literal("draft"), verdict: Verdict.nullable() }),
  z.object({ kind: z.literal("waiting"), missing }),
  z.object({ kind: z.literal("deadline_passed"), missing, oneJob: z.boolean().exactOptional() }),
  z.object({ kind: z.literal("policy_invalid"), problems: z.array(Problem).readonly() }),
  z.object({ kind: z.literal("policy_unreadable"), which: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("cost_unreadable"), workspaces: z.array(z.string()).readonly() }),
  z.object({ kind: z.literal("execution_unreadable"), executions: z.array(LostExecution).readonly() }),
  z.object({
    kind: z.literal("stack_held"),
    below: z.array(z.object({ number: z.int(), state: z.string() })).readonly(),
  }),
  z.object({ kind: z.enum(["failed", "nothing_expected", "no_policy"]) }),
]);

const Shape = z.object({
  pull: z.object({ repository: z.string(), number: z.number(), headSha: z.string() }),
  checkName: z.string(),
  unshared: z.object({ name: z.string(), because: z.string() }).exactOptional(),
  check: z.discriminatedUnion("status", [
    z.object({ status: z.literal("completed"), conclusion: z.string() }),
    z.object({ status: z.enum(["in_progress", "none"]) }),
  ]),
  situation: Situation,
});
/** The checked part of an answer. The compiler proves that every `Explainable` has it. */
export type ExplainableShape = z.input<typeof Shape>;

/**
 * Accepts an answer unchanged, with its members in order, so that it prints like the stored one. Members that a newer version
 * adds pass; a missing member or an unknown kind does not.
 */
export const ExplainableEvaluation: z.ZodType<ExplainableEvaluation> = z.custom<ExplainableEvaluation>(
  (answer) => Shape.safeParse(answer).success,
);
