import type { EstimateHead, Project } from "./estimate-parts.ts";

/**
 * What a project is compared with. `nothing`: it is estimated once, and what it repeats as its past is the
 * same estimate again. `unsaid`: the file does not say by which command it was made, so its past is taken as
 * stated.
 */
export type Comparison = "past" | "nothing" | "unsaid";

/** Types of a project whose own input has a state before: a plan. All other types are code or a state. */
const PLANNED_TYPES: ReadonlySet<string> = new Set([
  "terraform_plan_json",
  "terraform_plan_binary",
  "terraform_cli",
  "terragrunt_cli",
]);

/**
 * Returns what a project of Infracost 0.10 is compared with, by the command and the project's type. `diff`
 * always compares, also when both sides are equal. `breakdown` of a directory writes its one estimate on both
 * sides; `breakdown` of a plan has the plan's own past.
 */
export function findComparison(head: EstimateHead, project: Project): Comparison {
  const { breakdown, pastBreakdown, diff, metadata } = project;
  if (breakdown != null && pastBreakdown == null && diff == null) return "nothing";
  const command = metadata?.infracostCommand ?? head.command;
  if (command === "diff" || PLANNED_TYPES.has(metadata?.type ?? "")) return "past";
  if (command === "breakdown") return "nothing";
  // `output` joins files of both commands and does not say which: two sides that are equal may be one.
  return command === "output" && isEqualSide(breakdown, pastBreakdown) ? "nothing" : "unsaid";
}

const isEqualSide = (a: Project["breakdown"], b: Project["pastBreakdown"]): boolean =>
  JSON.stringify(a?.resources) === JSON.stringify(b?.resources);

/** Removes what a project states about a past that it is not compared with. */
export const withoutPast = (project: Project): Project => ({ ...project, pastBreakdown: null, diff: null });
