import type { Settings } from "../../settings/settings.ts";
import {
  buildEvaluationAddress,
  EVALUATION_TYPE,
  ExplainableEvaluation,
  type PullName,
  readEvaluation,
} from "../../web/local/evaluation.ts";
import { readAnswer } from "../process/ask-process.ts";
import { createUsageError, useStore } from "../process/use-store.ts";

export type { ExplainableEvaluation };

/**
 * Returns the newest evaluation of a pull request from the store of this machine. With the embedded database
 * it reads from the Tollgate process that uses the data directory, if there is one.
 *
 * @throws TollgateError `usage` when there is none, and what `useStore` throws
 */
export function readStoredEvaluation(settings: Settings, pull: PullName): Promise<ExplainableEvaluation> {
  return useStore(settings, {
    request: { address: buildEvaluationAddress(pull), type: EVALUATION_TYPE },
    readAnswer: (body) =>
      readAnswer(
        body,
        ExplainableEvaluation,
        "It, or its stored evaluation, is of another version: restart it with this one, then comment `/tollgate recheck` on the pull request.",
      ),
    useDatabase: async (db) => {
      const read = await readEvaluation(db, pull);
      if (read.state === "refused") throw createUsageError(read);
      return read.evaluation;
    },
  });
}
