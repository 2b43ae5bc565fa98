import type { Clock } from "../../kernel/clock.ts";
import type { GitHubUsers } from "./github-users.ts";
import { RIGHTS_MS } from "./rights.ts";

/** The admins that the operator's file names: numeric ids of users, and teams as `organisation/team`. */
export interface NamedAdmins {
  readonly users: readonly number[];
  readonly teams: readonly string[];
}

export interface AdminDeps {
  readonly clock: Clock;
  readonly users: Pick<GitHubUsers, "listTeamMembers">;
  readonly log: { warn(details: object, message: string): void };
}

/** Answers whether a person is an admin, by GitHub's numeric id. */
export type IsAdmin = (userId: number) => Promise<boolean>;

/** Members of teams are read at most every five minutes. A team whose members GitHub does not show has no admins. */
export function createAdminCheck({ users, teams }: NamedAdmins, deps: AdminDeps): IsAdmin {
  const named = new Set(users);
  const members = teams.map((team) => cacheMembers(team, deps));
  return async (userId) => {
    if (named.has(userId)) return true;
    const all = await Promise.all(members.map((read) => read()));
    return all.some((team) => team.has(userId));
  };
}

function cacheMembers(name: string, { clock, users, log }: AdminDeps): () => Promise<ReadonlySet<number>> {
  let known: { readonly askedMs: number; readonly members: Promise<ReadonlySet<number>> } | null = null;
  const read = async (): Promise<ReadonlySet<number>> => {
    const [organisation = "", team = ""] = name.split("/");
    const answer = await users.listTeamMembers(organisation, team);
    if (answer.ok) return answer.value;
    known = null;
    log.warn({ team: name, failure: answer.failure }, "the members of a team of admins cannot be read");
    return new Set();
  };
  return () => {
    if (known === null || clock.monotonicMs() - known.askedMs >= RIGHTS_MS)
      known = { askedMs: clock.monotonicMs(), members: read() };
    return known.members;
  };
}
