import { getPerson, listRules, readRecord } from "../../../store/audit/decision-record.ts";
import type { ListedDecision } from "../../../store/audit/decisions.ts";
import type { Column } from "../../page/table.ts";
import { decideOutcome } from "./decision-view.ts";

/** The columns of decisions as CSV and JSON. */
export const DECISION_COLUMNS: readonly Column<ListedDecision>[] = [
  column("record", ({ id }) => id),
  column("at", ({ atMs }) => new Date(atMs).toISOString()),
  column("kind", ({ kind }) => kind),
  column("repository", ({ repository }) => repository),
  column("pull_request", ({ number }) => number),
  column("outcome", ({ record }) => withRecord(record, decideOutcome)),
  column("person", ({ record }) => withRecord(record, getPerson)),
  column("rules", ({ record }) => withRecord(record, (read) => listRules(read).join(" "))),
  column("up_to", (decision) => readLimit(decision)?.amount ?? null),
  column("currency", (decision) => readLimit(decision)?.currency ?? null),
  column("reason", ({ record }) => withRecord(record, (read) => ("reason" in read ? read.reason : null))),
  column("why", ({ record }) =>
    withRecord(record, (read) => ("why" in read ? (read.why?.kind ?? null) : null)),
  ),
  column("base", ({ record }) => withRecord(record, ({ baseRef }) => baseRef)),
  column("head_sha", ({ headSha }) => headSha),
  column("hash", ({ hash }) => hash),
];

function column(key: string, value: Column<ListedDecision>["value"]): Column<ListedDecision> {
  return { key, label: key, value, cell: (row) => ({ text: String(value(row) ?? "") }) };
}

function withRecord<T>(
  text: string,
  choose: (record: NonNullable<ReturnType<typeof readRecord>>) => T,
): T | null {
  const record = readRecord(text);
  return record === null ? null : choose(record);
}

/** The amount up to which an approval holds; null: none, or none that readers may see. */
function readLimit({ record, figures }: ListedDecision) {
  return figures ? withRecord(record, (read) => (read.kind === "approval" ? read.upTo : null)) : null;
}
