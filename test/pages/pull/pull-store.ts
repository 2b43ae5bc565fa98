import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import { enterLane } from "../../../src/store/database/lanes.ts";
import { saveEvaluation } from "../../../src/store/evaluations.ts";
import { savePull } from "../../../src/store/pulls.ts";
import type { Database } from "../../../src/wiring/database/schema.ts";
import { usualEngine } from "../../world/engines.ts";
import { installRepository, openStoreWith } from "../stored-pulls.ts";

const PAYMENTS = { id: 1, name: "acme/payments" };

/** A store of this test alone with the repository acme/payments, which has the id 1. */
export const openPullStore = (): Promise<Database> => openStoreWith(PAYMENTS);

/** The same for several tests; the caller closes it. */
export async function createPullStore(): Promise<Database> {
  const database = await usualEngine().open();
  await installRepository(database.db, PAYMENTS);
  return database;
}

/** Saves an evaluation as an evaluation of its pull request does; `digest` tells evaluations apart. */
export async function evaluates(
  { db }: Database,
  evaluation: Evaluation,
  { digest = "d", now = new Date() }: { readonly digest?: string; readonly now?: Date } = {},
): Promise<void> {
  const { repositoryId, number, headSha, baseRef } = evaluation.pull;
  await savePull(db, { repositoryId, number, headSha, baseRef, mergeSha: null, state: "open" }, now);
  const fence = await enterLane(db, `pull/${repositoryId}/${number}`, now);
  await saveEvaluation(db, { evaluation, digest, policyBlobs: "" }, { fence, now });
}
