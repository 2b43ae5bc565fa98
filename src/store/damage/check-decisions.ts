import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";
import { createDamageError } from "./damage.ts";

/** How many of the newest decisions have their content checked; `audit verify` checks all. */
const NEWEST = 1_000;

interface DecisionChain {
  readonly head_seq: number | null;
  readonly head_hash: string | null;
  readonly decisions: number;
  readonly last_hash: string | null;
  readonly unlinked: number | null;
  readonly changed: number | null;
}

/**
 * Checks the links of the decision chain from its first row to its head. Takes about 0.2 s for 100,000
 * decisions.
 *
 * @throws TollgateError `database_damaged`
 */
export async function checkDecisions(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<DecisionChain>`
    with chain as (
      select seq, previous_hash, row_number() over places as place,
        lag(hash, 1, repeat('0', 64)) over places as before
      from decisions window places as (order by seq))
    select
      (select seq from decision_head where id = 1) as head_seq,
      (select hash from decision_head where id = 1) as head_hash,
      (select hash from decisions order by seq desc limit 1) as last_hash,
      (select min(seq) from decisions where seq > (select seq from decision_head where id = 1) - ${NEWEST}
        and hash <> encode(sha256(convert_to(previous_hash || chr(10) || record, 'UTF8')), 'hex')) as changed,
      count(*) as decisions,
      min(place) filter (where seq <> place or previous_hash <> before) as unlinked
    from chain`.execute(db);
  const problem = rows[0] === undefined ? null : findChainProblem(rows[0]);
  if (problem !== null) throw createDamageError(problem);
}

function findChainProblem({
  head_seq,
  head_hash,
  decisions,
  last_hash,
  unlinked,
  changed,
}: DecisionChain): string | null {
  if (head_seq === null) return "the table decision_head, which names the newest decision, is empty";
  if (unlinked !== null)
    return `decision ${unlinked} of ${head_seq} is missing or does not follow from the one before`;
  if (decisions !== head_seq) return `${decisions} decisions are there, and decision_head counts ${head_seq}`;
  if (last_hash !== null && last_hash !== head_hash)
    return `decision ${head_seq} is not the one that decision_head names`;
  return changed === null ? null : `decision ${changed} was changed after it was recorded`;
}
