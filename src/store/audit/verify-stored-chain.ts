import type { Kysely } from "kysely";
import type { Tables } from "../tables/tables.ts";
import { readDecisionHead, selectRowsAfter } from "./audit-export.ts";
import { type AuditProblem, findLineProblem, GENESIS } from "./audit-verify.ts";

/** A decision whose hash was verified; 0: none yet. */
export interface VerifiedPosition {
  readonly seq: number;
  readonly hash: string;
}

export const CHAIN_START: VerifiedPosition = { seq: 0, hash: GENESIS };

/** The result for one part of the stored chain. `head`: number of the newest decision. */
export type VerifiedPart =
  | { readonly state: "whole"; readonly position: VerifiedPosition; readonly head: number }
  | { readonly state: "broken"; readonly seq: number; readonly problem: AuditProblem; readonly head: number };

/**
 * Verifies the decisions that follow a verified one, a few hundred at most. When `position.seq` reaches `head`, the whole chain is
 * verified up to the decision that the database names as its newest.
 */
export async function verifyNextPart(db: Kysely<Tables>, from: VerifiedPosition): Promise<VerifiedPart> {
  const head = await readDecisionHead(db);
  const broken = (seq: number, problem: AuditProblem): VerifiedPart => ({
    state: "broken",
    seq,
    problem,
    head: head.seq,
  });
  const rows = from.seq < head.seq ? await selectRowsAfter(db, from.seq, head.seq) : [];
  let position = from;
  for (const { seq, previous_hash: previous, hash, record } of rows) {
    const problem = findLineProblem({ seq, previous, hash, record }, position);
    if (problem !== null) return broken(position.seq + 1, problem);
    position = { seq, hash };
  }
  if (rows.length === 0 && position.seq < head.seq) return broken(position.seq + 1, "gap");
  const isEnd = position.seq >= head.seq;
  if (isEnd && findLineProblem({ head }, position) !== null) return broken(head.seq, "other_head");
  return { state: "whole", position, head: head.seq };
}
