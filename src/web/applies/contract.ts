import { z } from "zod";
import { sha, type ValueOf } from "../../kernel/schemas.ts";
import { ApplyResult, Tolerance, WorkspacePlan } from "../../policy/model/apply.ts";

export const APPLIES_PATH = "/api/v1/applies";

const numbers = z.array(z.int());

/** What a job that applies asks. */
export const ApplyRequest = z.strictObject({
  repository: z
    .union([z.int().positive(), z.string().regex(/^[^/\s]{1,39}\/[^/\s]{1,100}$/)])
    .meta({ description: "`owner/name`, or GitHub's numeric id." }),
  sha: sha.meta({
    description: "The commit on the base branch that merged the pull request, or the head of an open one.",
  }),
  base: z.string().min(1).max(255).nullable().default(null).meta({
    description:
      "The base branch that is applied: a pull request into another one does not count. Null: any.",
  }),
  plan: WorkspacePlan,
  tolerance: Tolerance.nullable().default(null),
});
export type ApplyRequest = ValueOf<typeof ApplyRequest>;

/** Whether the apply does at most what was evaluated. */
export const ApplyAnswer = z.object({
  result: ApplyResult,
  pulls: numbers.meta({ description: "Pull requests whose evaluations were compared." }),
  uncounted: numbers.meta({
    description:
      "Earlier merged pull requests of this workspace that were not compared, because no apply of it was accepted yet.",
  }),
  unchecked: numbers.meta({
    description:
      "Pull requests of this workspace whose check did not pass when they were merged: they allow nothing.",
  }),
  page: z.string().nullable().meta({ description: "Page of the pull request; null: none is known." }),
});
export type ApplyAnswer = ValueOf<typeof ApplyAnswer>;
