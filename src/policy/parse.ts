import type { Policy, PolicyProblem } from "./policy.ts";

/** The text of a policy file; `file` names it in every problem, e.g. `acme/infra:.github/tollgate.yml`. */
export interface PolicyText {
  readonly file: string;
  readonly text: string;
}

export interface PolicyTexts {
  readonly repository: PolicyText | null;
  readonly organisation: PolicyText | null;
}

export type ParsedPolicy =
  | { readonly state: "ok"; readonly policy: Policy }
  | { readonly state: "invalid"; readonly problems: readonly PolicyProblem[] };

/** Reads both files whole: the policy in force, or every problem of both at once. */
export function parsePolicy(files: PolicyTexts): ParsedPolicy {
  throw new RangeError(`not built yet: ${files.repository?.file}`);
}
