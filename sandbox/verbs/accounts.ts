import type { Account, Permission, Team } from "../state/accounts.ts";

export interface NewOwner {
  readonly login: string;
  readonly type: "user" | "organisation";
  readonly name?: string;
  /** Login of an organisation's first admin, created when missing; default `<login>-admin`. */
  readonly admin?: string;
}

/** People and organisations. Logins are unique, case-insensitively. None of these verbs sends a delivery. */
export interface AccountVerbs {
  createOwner(spec: NewOwner): Account;
  /** A bot account that is no App of this sandbox, e.g. "dependabot"; its login gets the suffix "[bot]". */
  createBot(name: string): Account;
  /** Deletes the account; its comments and commits then show GitHub's "ghost". */
  deleteUser(login: string): void;
  createTeam(spec: { organisation: string; slug: string; members: readonly string[] }): Team;
  addMember(spec: { organisation: string; login: string; role?: "admin" | "member" }): void;
  removeTeamMember(spec: { organisation: string; slug: string; login: string }): void;
  setCollaborator(spec: { repository: string; login: string; permission: Permission }): void;
}
