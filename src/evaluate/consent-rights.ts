import { readRights, readTeams } from "../github/people/permissions.ts";
import { isBlocking, type RuleFindings } from "../policy/approvals/lapse.ts";
import type { Approver } from "../policy/model/approval.ts";
import { listOwnApprovers } from "../policy/model/finding.ts";
import type { ApproverGroup, Rule } from "../policy/model/policy.ts";
import type { CurrentHead } from "./run/deps.ts";

/** People that a policy names, together. */
export type NamedPeople = Pick<ApproverGroup, "teams" | "users" | "permission">;

/** Whether a person is one of these, as GitHub says now. `unclear`: it did not state the members of a team. */
export type PersonRights = (people: NamedPeople) => "named" | "not_named" | "unclear";

const RANK = { write: 1, maintain: 2, admin: 3 } as const;

/**
 * Reads a person's permission on the repository, and memberships in the teams of its owner that these people include. `denied`: no write
 * access. `unknown`: GitHub did not answer.
 *
 * @throws GitHubError while GitHub asks us to wait
 */
export async function readPersonRights(
  { client, head }: Pick<CurrentHead, "client" | "head">,
  person: Approver,
  people: readonly NamedPeople[],
): Promise<PersonRights | "denied" | "unknown"> {
  const { owner, name, ownerType } = head.repository;
  const teams = ownerType === "Organization" ? listTeams(people) : [];
  const [rights, inTeams] = await Promise.all([
    readRights(client, { owner, name, person }),
    readTeams(client, { owner, name, person, teams }),
  ]);
  if (rights === "denied" || rights === "unknown") return rights;
  const login = person.login.toLowerCase();
  return ({ users, teams: named, permission }) => {
    const isNamed =
      users.includes(login) ||
      named.some((team) => inTeams.active.has(team)) ||
      (permission !== null && RANK[rights] >= RANK[permission]);
    if (isNamed) return "named";
    return named.some((team) => inTeams.unknown.has(team)) ? "unclear" : "not_named";
  };
}

export const listTeams = (people: readonly NamedPeople[]): readonly string[] => [
  ...new Set(people.flatMap(({ teams }) => teams)),
];

export const listApproverGroups = (rules: readonly Rule[]): readonly ApproverGroup[] =>
  rules.flatMap(({ approve }) => approve?.groups ?? []);

/** The groups that approve what blocks now, of one rule or of all. */
export const listNeededGroups = (
  { findings }: Pick<RuleFindings, "findings">,
  rule?: string,
): readonly ApproverGroup[] =>
  findings
    .filter((finding) => isBlocking(finding) && (rule === undefined || finding.rule === rule))
    .flatMap(listOwnApprovers);

/** The groups of a rule that a person belongs to, by index. */
export const selectOwnGroups = (rights: PersonRights, { approve }: Rule): readonly number[] =>
  (approve?.groups ?? []).flatMap((group, index) => (rights(group) === "named" ? [index] : []));

/** Returns the rules that block now; only these can be approved. */
export function selectBlockingRules({
  rules,
  findings,
}: Pick<RuleFindings, "rules" | "findings">): readonly Rule[] {
  const blocking = new Set(findings.filter(isBlocking).map(({ rule }) => rule));
  return rules.filter(({ id }) => blocking.has(id));
}
