import { NO_CONTEXT } from "./model/context.ts";
import type { PullFacts } from "./model/pull-facts.ts";

/** Nothing was read about a pull request. */
export const NO_FACTS: PullFacts = { stages: [], refused: [], context: NO_CONTEXT };
