/** The access of a member or collaborator to a repository, in ascending order. */
export type Permission = "none" | "read" | "triage" | "write" | "maintain" | "admin";

/** A user, an organisation or an app's bot. Times everywhere in the sandbox are milliseconds since 1970-01-01 UTC. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Organization" | "Bot";
  readonly name: string | null;
  readonly createdAt: number;
  /** A deleted account appears as GitHub's "ghost". */
  readonly deleted: boolean;
}

export interface Team {
  readonly id: number;
  readonly organisationId: number;
  readonly slug: string;
  readonly name: string;
  readonly memberIds: readonly number[];
}

/** A user's membership in an organisation, with the role. */
export interface Membership {
  readonly id: number;
  readonly organisationId: number;
  readonly userId: number;
  readonly role: "admin" | "member";
}
