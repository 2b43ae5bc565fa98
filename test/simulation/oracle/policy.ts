import { REPOSITORY } from "../places.ts";
import { POLICIES, type PolicyName } from "../policies.ts";
import type { Story } from "../story.ts";

/** A limit on the monthly increase, in dollars, and what exceeding it does; `approve`: it blocks until finance approves. */
export interface ExpectedRule {
  readonly limit: number;
  readonly effect: "block" | "approve" | "warn";
}

/** What the policy of a base branch asks for. */
export type ExpectedPolicy = "none" | "invalid" | { readonly rules: readonly ExpectedRule[] };

const RULES: Readonly<Record<Exclude<PolicyName, "none" | "invalid">, ExpectedRule>> = {
  strict: { limit: 100, effect: "block" },
  approvable: { limit: 100, effect: "approve" },
  warning: { limit: 100, effect: "warn" },
  lax: { limit: 1_000, effect: "block" },
};

export function policyOf(story: Story, ref: string): ExpectedPolicy {
  const text = story.github.verbs.fileText({ repository: REPOSITORY, ref, path: ".github/tollgate.yml" });
  const found = Object.entries(POLICIES).find(([, content]) => content === text);
  if (found === undefined) throw new Error("the branch has a policy that no story writes");
  const name = found[0] as PolicyName; // its own keys
  return name === "none" || name === "invalid" ? name : { rules: [RULES[name]] };
}
