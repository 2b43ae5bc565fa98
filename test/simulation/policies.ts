/** The policy files that stories use, by a name that says what they ask for. */
const RULE = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 100 USD }";
/** Other names of the checks than the usual ones. */
const OTHER_NAMES = `check_names:
  - { branch: main, name: cost of main }
  - { branch: release, name: cost of release }
`;
const WAIVER = "up_to: 600 USD, until: 2026-03-02, reason: load test, owner: finops";
export const POLICIES = {
  strict: `${RULE} }\n`,
  approvable: `${RULE}, approve: { teams: [finops] } }\n`,
  owned: `${RULE}, approve: { codeowners: true } }\n`,
  /** The same, while the file of code owners is invalid. */
  disowned: `${RULE}, approve: { codeowners: true } }\n`,
  temporary: `${RULE}, approve: { teams: [finops], until: required } }\n`,
  lax: `${RULE.replace("100 USD", "1000 USD")} }\n`,
  objectable: `${RULE}, approve: { teams: [finops], objections: block } }\n`,
  reviewable: `${RULE}, approve: { teams: [finops], reviews: true } }\n`,
  overridable: `${RULE} }\noverride: { teams: [finops] }\n`,
  warning: `${RULE}, enforce: warn }\n`,
  waived: `${RULE} }\nwaivers:\n  - { rule: monthly-increase, ${WAIVER} }\n`,
  careless: `${RULE.replace("100 USD", "1000 USD")} }\nexpect: []\n`,
  budget: "version: 1\nbudgets:\n  - { id: team, amount: 1550 USD, scope: { workspaces: [production] } }\n",
  invalid: "version: 1\nrules: everything is allowed\n",
  renamed: `${RULE} }\n${OTHER_NAMES}`,
  none: null,
} as const;
export type PolicyName = keyof typeof POLICIES;
/** The file of code owners beside each policy. */
export const getCodeOwners = (policy: PolicyName): string =>
  policy === "disowned" ? DISOWNED : DISOWNED.replace("!", "");
export const DISOWNED = "!* @acme/finops\n";

const ORGANISATION_RULE = "version: 1\nrules:\n  - { id: company-increase, limit: { increase: 50 USD }";
/** The organisation's files. `fixed`: its mandatory rule has the id that the rules of repositories have. */
export const ORGANISATION_POLICIES = {
  default: `${ORGANISATION_RULE.replace("company", "monthly")} }\n`,
  mandatory: `${ORGANISATION_RULE}, mandatory: true }\n`,
  fixed: `${ORGANISATION_RULE.replace("company", "monthly")}, mandatory: true }\n`,
  waived: `${ORGANISATION_RULE}, mandatory: true }\nwaivers:\n  - { rule: company-increase, ${WAIVER} }\n`,
  renamed: `${ORGANISATION_RULE}, mandatory: true }\n${OTHER_NAMES}`,
  invalid: "version: 1\nrules: nothing is allowed\n",
  none: null,
} as const;
export type OrganisationPolicyName = keyof typeof ORGANISATION_POLICIES;
