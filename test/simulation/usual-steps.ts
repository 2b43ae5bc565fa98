import type { Step } from "./step.ts";

export const OPENS = { do: "opens", files: "infra", draft: false } as const satisfies Step;
export const SETTLES: Step = { do: "settles" };

/** Planned in the workspace of the first pull request, or of another one. */
export const planned = (cost: number | null, pull = 0): Step => ({
  do: "is planned",
  pull,
  cost,
  workspace: pull === 0 ? "production" : "staging",
});

export const approves = (by: "grace" | "heidi" | "mallory", upTo: number): Step => ({
  do: "approves",
  pull: 0,
  by,
  upTo,
  head: "head",
});
