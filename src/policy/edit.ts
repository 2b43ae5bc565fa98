import type { Report } from "../report/report.ts";
import type { PolicyEdit } from "./evaluation.ts";
import type { PolicyText } from "./parse.ts";
import type { Policy } from "./policy.ts";

/** What is needed to tell what a pull request's own edit of the repository's policy file would change. */
export interface EditInput {
  /** The policy in force, from the base branch. */
  readonly base: Policy;
  /** The file as the head has it; null: the head deletes it. */
  readonly headText: PolicyText | null;
  readonly organisation: PolicyText | null;
  readonly report: Report;
}

/** Information for the reader, never a judgement. */
export function describePolicyEdit(input: EditInput): PolicyEdit {
  throw new RangeError(`not built yet: ${input.base.rules.length}`);
}
