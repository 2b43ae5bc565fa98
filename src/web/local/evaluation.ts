import { z } from "zod";
import type { ValueOf } from "../../kernel/schemas.ts";
import { Evaluation } from "../../policy/model/evaluation.ts";
import { listDeferred } from "../../report/model/report.ts";
import { findEvaluation } from "../../store/evaluations.ts";
import { LOCAL_PATH, type LocalOperation } from "./operation.ts";
import { resolveRepositoryId } from "./repository-id.ts";

const PullName = z.strictObject({
  /** `owner/name`, or GitHub's numeric id. */
  repository: z.string(),
  number: z.int().positive(),
});
export type PullName = Readonly<z.infer<typeof PullName>>;

const Shape = Evaluation.pick({ situation: true, check: true, checkName: true, unshared: true }).extend({
  pull: Evaluation.shape.pull.pick({ repository: true, number: true, headSha: true }),
  /** Addresses that its plans leave to a later one. */
  deferred: z.array(z.string()),
});

/** The part of an evaluation that an explanation reads. */
export type ExplainableEvaluation = ValueOf<typeof Shape>;

/** Returns the newest evaluation of a pull request. */
export const READ_EVALUATION: LocalOperation<PullName, ExplainableEvaluation> = {
  path: `${LOCAL_PATH}/read-evaluation`,
  input: PullName,
  /** Accepts an answer unchanged, with its members in order, so that it prints like the stored one. */
  output: z.custom<ExplainableEvaluation>((answer) => Shape.safeParse(answer).success),
  perform: async ({ db }, { repository, number }) => {
    const repositoryId = await resolveRepositoryId(db, repository);
    const stored = repositoryId === undefined ? null : await findEvaluation(db, { repositoryId, number });
    if (stored === null) {
      const what =
        repositoryId === undefined ? `the repository ${repository}` : `#${number} of ${repository}`;
      return {
        state: "refused",
        message: `No evaluation of ${what} is stored here`,
        hint: "Name a pull request that Tollgate has evaluated, and run this where its database is.",
      };
    }
    const { pull, situation, check, checkName, unshared, report } = stored.evaluation;
    return {
      pull: { repository: pull.repository, number: pull.number, headSha: pull.headSha },
      ...{ situation, check, checkName, deferred: listDeferred(report) },
      ...(unshared && { unshared }),
    };
  },
};
