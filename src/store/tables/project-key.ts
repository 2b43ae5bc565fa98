/**
 * Key of a project of the platform. It begins with the account, because two accounts may use the same names.
 */
export interface ProjectKey {
  readonly account: string;
  readonly org: string;
  readonly project: string;
}

/** Returns the key without other members of the object: for conditions that name each column. */
export const toProjectKey = ({ account, org, project }: ProjectKey): ProjectKey => ({
  account,
  org,
  project,
});
