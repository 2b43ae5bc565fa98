import { type Kysely, sql } from "kysely";
import type { ShownPolicy } from "../../policy/model/policy.ts";
import { storedPolicy } from "../json/stored-values.ts";
import type { Tables } from "../tables/tables.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

/** The policy that decides pull requests into one base branch. */
export interface PolicyInForce {
  readonly repositoryId: number;
  /** `owner/name`, for display and addresses. */
  readonly repository: string;
  readonly baseRef: string;
  /** Whether readers of the repository may see figures. */
  readonly figures: boolean;
  readonly policy: ShownPolicy;
}

/**
 * The policies of these repositories as their newest evaluations used them: of each base branch with an open pull request, and of
 * the branch that was evaluated last. A policy that no evaluation used yet is not there.
 */
export async function listPoliciesInForce(
  db: Kysely<Tables>,
  repositoryIds: RepositoryIds,
): Promise<readonly PolicyInForce[]> {
  const { rows } = await sql<StoredPolicyInForce>`
    with seen as (
      select evaluations.repository_id, evaluations.base_ref, evaluations.policy_blobs, evaluations.created_at,
        pulls.state = 'open' as is_open
      from evaluations join pulls on pulls.repository_id = evaluations.repository_id and pulls.number = evaluations.number
      where ${isReadable("evaluations.repository_id", repositoryIds)} and evaluations.policy_blobs <> ''
    ), used as (
      (select distinct on (repository_id) * from seen order by repository_id, created_at desc)
      union
      (select distinct on (repository_id, base_ref) * from seen where is_open
        order by repository_id, base_ref, created_at desc)
    ), newest as (
      select distinct on (repository_id, base_ref) repository_id, base_ref, policy_blobs from used
      order by repository_id, base_ref, created_at desc
    )
    select newest.repository_id as "repositoryId", repositories.owner_login || '/' || repositories.name as repository,
      newest.base_ref as "baseRef", coalesce(repositories.figures, false) as figures, newest.policy_blobs as blobs
    from newest join repositories on repositories.repository_id = newest.repository_id
    order by repository, "baseRef"`.execute(db);
  const policies = await readPolicies(db, new Set(rows.map(({ blobs }) => blobs)));
  return rows.flatMap(({ blobs, ...place }) => {
    const policy = policies.get(blobs);
    return policy === undefined ? [] : [{ ...place, policy }];
  });
}

type StoredPolicyInForce = Omit<PolicyInForce, "policy"> & { readonly blobs: string };

/** Policies by the blobs of their files, without those that cannot be read: the next evaluation stores them again. */
async function readPolicies(
  db: Kysely<Tables>,
  blobs: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ShownPolicy>> {
  if (blobs.size === 0) return new Map();
  const rows = await db
    .selectFrom("policies")
    .select(["policy_blobs", "policy"])
    .where("policy_blobs", "in", [...blobs])
    .execute();
  return new Map(
    rows.flatMap((row): readonly [string, ShownPolicy][] => {
      const read = storedPolicy.read(row.policy);
      return read.state === "read" ? [[row.policy_blobs, read.value]] : [];
    }),
  );
}
