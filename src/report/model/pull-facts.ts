import type { ContextFacts } from "./context.ts";
import type { RefusedExecution, StageFacts } from "./facts.ts";

/** All facts about what one pull request costs and changes. */
export interface PullFacts {
  readonly stages: readonly StageFacts[];
  readonly refused: readonly RefusedExecution[];
  readonly context: ContextFacts;
}
