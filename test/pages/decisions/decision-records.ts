import type { DecisionRecord } from "../../../src/store/audit/decision-record.ts";
import { appendRecord } from "../../../src/store/audit/decisions.ts";
import { transact } from "../../../src/store/database/transaction.ts";
import type { Database } from "../../../src/wiring/database/schema.ts";

const SHA = "a".repeat(40);
const PULL = { repositoryId: 1, number: 7, headSha: SHA, baseRef: "main" };

/** A verdict on #7 of repository 1 that passed. */
export const buildVerdict = (
  change: Partial<Extract<DecisionRecord, { kind: "verdict" }>> = {},
): DecisionRecord => ({
  ...PULL,
  kind: "verdict",
  checkName: "tollgate: main",
  digest: "d",
  situation: "evaluated",
  decision: "success",
  policyBlobs: [],
  findings: [],
  ...change,
});

/** An approval of `monthly-increase` on #7 of repository 1 by grace. */
export const buildApproval = (
  change: Partial<Extract<DecisionRecord, { kind: "approval" }>> = {},
): DecisionRecord => ({
  ...PULL,
  kind: "approval",
  turn: "approved",
  approval: "comment:5",
  approver: { id: 3, login: "grace" },
  rules: ["monthly-increase"],
  upTo: null,
  reason: "agreed with finance",
  why: null,
  ...change,
});

/** The repositories that decisions are about; their readers may not see figures. */
export const REPOSITORIES = ["shop", "web", "secret"].map((name, at) => ({
  ...{ id: at + 1, name: `acme/${name}`, figures: false },
}));

/** Appends decisions a minute apart, beginning at `firstMs`. */
export async function appendAll(
  { db }: Database,
  records: readonly DecisionRecord[],
  firstMs = Date.UTC(2026, 10, 1),
): Promise<void> {
  await transact(db, async (trx) => {
    for (const [at, record] of records.entries())
      await appendRecord(trx, record, new Date(firstMs + at * 60_000));
  });
}
