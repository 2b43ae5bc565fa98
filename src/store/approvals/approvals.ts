import { sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { type Approval, Lapse } from "../../policy/model/approval.ts";
import type { ApprovalRecord, OverrideRecord } from "../audit/decision-record.ts";
import { appendRecord } from "../audit/decisions.ts";
import { type Fence, lockFence } from "../database/lanes.ts";
import { has, insertNew, isOf, updateRows } from "../database/statements.ts";
import { transact } from "../database/transaction.ts";
import { storedApproval, storedLapse } from "../json/stored-values.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db, Trx } from "../tables/tables.ts";
import { type CommandSource, IS_IN_FORCE } from "./commands.ts";
import { type OverrideChanges, saveOverrideChanges } from "./overrides.ts";

/** An approval in force, with what it was written in. */
export interface StoredApproval {
  readonly approval: Approval;
  readonly nodeId: string;
  /** Digest of the comment's text when the approval was given. */
  readonly bodyDigest: string;
}

/**
 * The approvals of a pull request that nothing has ended, oldest first.
 *
 * @throws TollgateError `stored_value_unreadable`
 */
export async function listApprovalsInForce(db: Db, pull: PullKey): Promise<readonly StoredApproval[]> {
  const rows = await db
    .selectFrom("approvals")
    .select(["approval_id as id", "approval", "node_id as nodeId", "body_digest as bodyDigest"])
    .where(isOf(pull))
    .where(IS_IN_FORCE)
    .orderBy("given_at")
    .orderBy("approval_id")
    .execute();
  return rows.map(({ id, approval, ...text }) => ({
    approval: storedApproval.require(approval, `${id} of #${pull.number} in repository ${pull.repositoryId}`),
    ...text,
  }));
}

export interface HandledCommand {
  readonly commandSource: CommandSource;
  /** As GitHub names reactions; null: none. */
  readonly reaction: string | null;
  /** Markdown; null: no answer is needed. */
  readonly answer: string | null;
}

export interface ApprovalChanges extends OverrideChanges {
  readonly replies: readonly HandledCommand[];
  readonly approvals: readonly StoredApproval[];
  readonly endings: readonly EndedApproval[];
  readonly records: readonly (ApprovalRecord | OverrideRecord)[];
}

export type EndedApproval = { readonly id: string } & ApprovalEnd;

export type ApprovalEnd =
  | { readonly how: "revoked"; readonly why: { readonly kind: string } }
  | { readonly how: "lapsed"; readonly why: Lapse };

/** Whether there is anything to save: whatever is given or ended has a record. */
export const hasChanges = ({ replies, records }: Pick<ApprovalChanges, "replies" | "records">): boolean =>
  replies.length + records.length > 0;

/**
 * Saves all changes and appends them to the decision chain in one transaction. False: a later run of the lane
 * has begun, and nothing was saved.
 */
export function saveApprovalChanges(
  db: Db,
  changes: ApprovalChanges & { readonly pull: PullKey },
  { fence, now }: { readonly fence: Fence; readonly now: Date },
): Promise<boolean> {
  return transact(db, async (trx) => {
    if (!(await lockFence(trx, fence))) return false;
    for (const stored of changes.approvals) await insertApproval(trx, changes.pull, stored);
    for (const ended of changes.endings) await endApproval(trx, changes.pull, { ...ended, now });
    await saveOverrideChanges(trx, changes, now);
    for (const handled of changes.replies) await settleCommand(trx, handled);
    for (const record of changes.records) await appendRecord(trx, record, now);
    return true;
  });
}

const insertApproval = (
  trx: Trx,
  pull: PullKey,
  { approval, nodeId, bodyDigest }: StoredApproval,
): Promise<unknown> =>
  insertNew(trx, "approvals", {
    ...toPullColumns(pull),
    approval_id: approval.id,
    node_id: nodeId,
    body_digest: bodyDigest,
    approver_id: approval.approver.id,
    approval: storedApproval.write(approval),
    given_at: new Date(approval.givenMs),
  });

async function endApproval(
  trx: Trx,
  { repositoryId }: PullKey,
  { now, ...ended }: EndedApproval & { readonly now: Date },
): Promise<void> {
  const why = Lapse.safeParse(ended.why).data ?? null; // of a revocation by the approver nothing is shown
  await trx
    .updateTable("approvals")
    .set({ [ended.how === "revoked" ? "revoked_at" : "lapsed_at"]: now, why: why && storedLapse.write(why) })
    .where(has({ repository_id: repositoryId, approval_id: ended.id }))
    .where(IS_IN_FORCE)
    .execute();
}

async function settleCommand(trx: Trx, { commandSource, reaction, answer }: HandledCommand): Promise<void> {
  const { repositoryId, source, sourceId } = commandSource;
  await updateRows(
    trx,
    "commands",
    { repository_id: repositoryId, source, source_id: sourceId, state: "waiting" },
    { state: "handled", reaction, answer, reply: reaction === null && answer === null ? "none" : "due" },
  );
}

/** Approvals shown at most. */
const MAX_SHOWN = 5;

/** Approvals that a change of the pull request ended, the newest first: shown, and never in force again. Unreadable ones are not shown. */
export async function listLapsedApprovals(
  db: Db,
  pull: PullKey,
): Promise<readonly { readonly approval: Approval; readonly why: Lapse }[]> {
  const rows = await db
    .selectFrom("approvals")
    .select(["approval", "why"])
    .where(isOf(pull))
    .where("why", "is not", null)
    .orderBy(sql`coalesce(lapsed_at, revoked_at)`, "desc")
    .orderBy("approval_id")
    .limit(MAX_SHOWN)
    .execute();
  return rows.flatMap((row) => {
    const [approval, why] = [storedApproval.read(row.approval), storedLapse.read(row.why)];
    const isRead = approval.state === "read" && why.state === "read";
    return isRead ? [{ approval: approval.value, why: why.value }] : [];
  });
}
