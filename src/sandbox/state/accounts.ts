/** What a member or collaborator may do in a repository, from nothing to everything. */
export type Permission = "none" | "read" | "triage" | "write" | "maintain" | "admin";

/** A user, an organisation or an app's bot. Times everywhere in the sandbox are milliseconds since 1970-01-01 UTC. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Organization" | "Bot";
  readonly name: string | null;
  readonly createdAt: number;
  /** A deleted account is shown as GitHub's "ghost". */
  readonly deleted: boolean;
}

export interface Team {
  readonly id: number;
  readonly organisationId: number;
  readonly slug: string;
  readonly name: string;
  readonly memberIds: readonly number[];
}

/** Whether a user belongs to an organisation, and as what. */
export interface Membership {
  readonly id: number;
  readonly organisationId: number;
  readonly userId: number;
  readonly role: "admin" | "member";
}
