import { NO_CONTEXT } from "./model/context.ts";
import type { PullFacts } from "./model/pull-facts.ts";

/** The facts of a pull request of which nothing was read. */
export const NO_FACTS: PullFacts = { stages: [], refused: [], context: NO_CONTEXT };
