import { readCommand } from "../../github/commands/read-command.ts";
import type { HeadState } from "../../github/head/head-state.ts";
import type { PersonComment, PersonText } from "../../github/people/permissions.ts";
import { type RepositoryPermission, readRights, readTeams } from "../../github/people/permissions.ts";
import { HOUR_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { isBlocking, type RuleFindings } from "../../policy/approvals/lapse.ts";
import type { Approver } from "../../policy/model/approval.ts";
import type { ApproverGroup, Rule } from "../../policy/model/policy.ts";
import type { CommandSource } from "../../store/approvals/commands.ts";
import type { PullRun } from "../run/deps.ts";

/** The groups of a rule that a person belongs to, by index. */
type GroupLookup = (rule: Rule) => readonly number[];

export interface GroupMembership {
  readonly getGroups: GroupLookup;
  /** Whether GitHub did not state if the person is in one of a rule's teams. */
  readonly isUnknown: (rule: string) => boolean;
}

interface MembershipQuery {
  readonly head: HeadState;
  readonly approver: Approver;
  /** The rules to check; other rules stay unknown. */
  readonly rules: readonly Rule[];
}

export type MembershipResult =
  | (GroupMembership & { readonly state: "known" })
  /** The person has no write access. */
  | { readonly state: "denied" }
  /** GitHub did not answer. */
  | { readonly state: "unknown" };

/**
 * Reads from GitHub which rules a person may approve now.
 *
 * @throws TollgateError `github_failed`, retryable, while GitHub asks us to wait
 */
export async function readGroups(run: PullRun, query: MembershipQuery): Promise<MembershipResult> {
  const { head, approver: person, rules } = query;
  const standing = await readStanding(run, { head, person, teams: listTeams(rules) });
  if (standing.state !== "known") return standing;
  const { isMember, isUnknown } = standing;
  return {
    state: "known",
    getGroups: ({ approve }) =>
      (approve?.groups ?? []).flatMap((group, index) => (isMember(group) ? [index] : [])),
    isUnknown: (rule) => rules.some(({ id, approve }) => id === rule && approve?.groups.some(isUnknown)),
  };
}

/** People that a policy names, together. */
type NamedPeople = Pick<ApproverGroup, "teams" | "users" | "permission">;

type PersonStanding =
  | {
      readonly state: "known";
      readonly isMember: (of: NamedPeople) => boolean;
      /** Whether GitHub did not state if the person is in one of the teams. */
      readonly isUnknown: (of: NamedPeople) => boolean;
    }
  | Exclude<MembershipResult, { state: "known" }>;

/**
 * Reads a person's permission on the repository and memberships in these teams of its owner.
 *
 * @throws TollgateError `github_failed`, retryable, while GitHub asks us to wait
 */
export async function readStanding(
  run: PullRun,
  query: { readonly head: HeadState; readonly person: Approver; readonly teams: readonly string[] },
): Promise<PersonStanding> {
  const { owner, name, ownerType } = query.head.repository;
  const at = { owner, name, person: query.person };
  const teams = ownerType === "Organization" ? query.teams : [];
  const [rights, inTeams] = await Promise.all([
    readRights(run.client, at),
    readTeams(run.client, { ...at, teams }),
  ]);
  if (rights.state === "later" || inTeams === null)
    throw new TollgateError("github_failed", "GitHub did not say what an approver may do", {
      retryable: true,
    });
  if (rights.state !== "known") return { state: rights.state };
  const login = query.person.login.toLowerCase();
  return {
    state: "known",
    isMember: (of) =>
      of.users.includes(login) ||
      of.teams.some((team) => inTeams.active.has(team)) ||
      (of.permission !== null && RANK[rights.permission] >= RANK[of.permission]),
    isUnknown: (of) => of.teams.some((team) => inTeams.unknown.has(team)),
  };
}

/** Returns the rules that block now; only these can be approved. */
export function selectBlockingRules({
  rules,
  findings,
}: Pick<RuleFindings, "rules" | "findings">): readonly Rule[] {
  const blocking = new Set(findings.filter(isBlocking).map(({ rule }) => rule));
  return rules.filter(({ id }) => blocking.has(id));
}

type Permission = Extract<RepositoryPermission, { state: "known" }>["permission"];
const RANK: Readonly<Record<Permission, number>> = { write: 1, maintain: 2, admin: 3 };

export const listTeams = (rules: readonly Rule[]): readonly string[] => [
  ...new Set(rules.flatMap(({ approve }) => approve?.groups ?? []).flatMap(({ teams }) => teams)),
];

/** Age in ms from which an approve or override command refers to an earlier state of the pull request. */
const LATE_MS = HOUR_MS;

interface PersonCommand {
  readonly commandSource: CommandSource;
  readonly text: PersonText;
  readonly approver: { readonly id: number };
}

/**
 * Returns why an approve or override command is too late; null: it is not. It may have waited because the pull request
 * was closed or deliveries were late. Deliveries also come in any order: a command that its author revoked
 * later has no effect.
 */
export function findLateRefusal(
  command: PersonCommand,
  comments: readonly PersonComment[],
  nowMs: number,
): "late" | "taken_back" | null {
  const { createdMs } = command.text;
  if (createdMs !== null && nowMs - createdMs > LATE_MS) return "late";
  return comments.some((one) => isRevocation(one, command.approver.id) && isAfter(one, command))
    ? "taken_back"
    : null;
}

/** Whether the comment revokes its author's approvals. */
export function isRevocation({ author, body }: PersonComment, approverId: number): boolean {
  if (author?.id !== approverId) return false;
  const read = readCommand(body);
  return read.state === "command" && read.command.verb === "revoke";
}

/**
 * Whether a comment is later than the command. Ids order comments; a comment and a review can only be ordered
 * by GitHub's whole seconds.
 */
function isAfter(one: PersonComment, { commandSource, text }: PersonCommand): boolean {
  if (commandSource.source === "comment") return one.id > commandSource.sourceId;
  return one.createdMs !== null && one.createdMs >= (text.createdMs ?? 0);
}
