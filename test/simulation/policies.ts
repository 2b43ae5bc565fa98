/** The policy files that stories use, by a name that says what they ask for. */
const RULE = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 100 USD }";
export const POLICIES = {
  strict: `${RULE} }\n`,
  approvable: `${RULE}, approve: { teams: [finops] } }\n`,
  lax: `${RULE.replace("100 USD", "1000 USD")} }\n`,
  warning: `${RULE}, enforce: warn }\n`,
  invalid: "version: 1\nrules: everything is allowed\n",
  none: null,
} as const;
export type PolicyName = keyof typeof POLICIES;
