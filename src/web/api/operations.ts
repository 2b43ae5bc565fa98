import { getEvaluation, listEvaluations } from "./evaluations.ts";
import { listDecided, listPulls, listRepositories, listRuleOutcomes } from "./lists.ts";
import type { Operation } from "./operation.ts";

/** All operations of the API: routes and document have no others. */
export const OPERATIONS: readonly Operation[] = [
  listRepositories,
  listPulls,
  listEvaluations,
  getEvaluation,
  listRuleOutcomes,
  listDecided,
];
