import type { RepositoryState } from "../../github/head/head-state.ts";
import type { OperatorRules } from "./operator-rules.ts";

/** Whether the readers of a repository may see figures. */
export const canShowFigures = (
  { publicFigures }: Pick<OperatorRules, "publicFigures">,
  { visibility }: Pick<RepositoryState, "visibility">,
): boolean => visibility !== "public" || publicFigures;
