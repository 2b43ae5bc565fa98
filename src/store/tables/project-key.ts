/** Where something of the platform lives. Account first in every key: two accounts may use the same names. */
export interface ProjectKey {
  readonly account: string;
  readonly org: string;
  readonly project: string;
}

/** The key alone, whatever else the object holds: for conditions that name each column. */
export const toProjectKey = ({ account, org, project }: ProjectKey): ProjectKey => ({
  account,
  org,
  project,
});
