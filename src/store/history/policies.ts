import type { Kysely } from "kysely";
import type { Policy } from "../../policy/model/policy.ts";
import { storedPolicy } from "../json/stored-values.ts";
import type { Tables } from "../tables/tables.ts";

/** Counted up when `savePolicy` stores more of a policy than before: then each policy in force is stored again. */
export const POLICY_VERSION = 1;

/** Saves the parts of a policy that pages show, by the joined blobs of its files. */
export async function savePolicy(
  db: Kysely<Tables>,
  { policyBlobs, policy }: { readonly policyBlobs: string; readonly policy: Policy },
  now: Date,
): Promise<void> {
  const { waivers, stages, organisationStages } = policy;
  const rules = policy.rules.map(({ id, limit, per, scope, enforce, mandatory }) => {
    return { id, limit, per, scope, enforce, mandatory };
  });
  const row = {
    policy_blobs: policyBlobs,
    version: POLICY_VERSION,
    policy: storedPolicy.write({ rules, waivers, stages, organisationStages }),
    saved_at: now,
  };
  await db
    .insertInto("policies")
    .values(row)
    .onConflict((conflict) => conflict.column("policy_blobs").doUpdateSet(row))
    .execute();
}
