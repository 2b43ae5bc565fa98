import type { PullFacts } from "./facts.ts";
import type { Report } from "./report.ts";

/** What a team calls the stages whose workspace matches the pattern; the first match counts. */
export interface StageNaming {
  readonly workspace: string;
  readonly name: string;
}

/** Facts in, one model of what the pull request costs and changes out. Nothing is recomputed that its source states. */
export function buildReport(facts: PullFacts, _options: { readonly stages: readonly StageNaming[] }): Report {
  throw new RangeError(`not built yet: ${facts.stages.length}`);
}
