import type { Generated } from "kysely";
import type { Time } from "./columns.ts";

interface DecisionsTable {
  seq: number;
  at: Time;
  repository_id: number;
  number: number;
  head_sha: string;
  /** Kind of the record, for queries; rows from before this column are verdicts. */
  kind: Generated<string>;
  /** The exact JSON text that was hashed. */
  record: string;
  previous_hash: string;
  hash: string;
}

interface DecisionHeadTable {
  id: number;
  seq: number;
  hash: string;
}

export interface DecisionTables {
  decisions: DecisionsTable;
  decision_head: DecisionHeadTable;
}
