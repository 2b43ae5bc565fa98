import type { Reaction } from "../../github/reactions/react.ts";
import type { Approval } from "../../policy/approvals/approval.ts";
import type { SignRequest } from "../../policy/approvals/give.ts";
import type { Answer } from "../../render/answers/answer.ts";
import type { Asked } from "../../store/approvals/commands.ts";
import type { Ended, StoredApproval } from "../../store/approvals/signatures.ts";
import type { ApprovalRecord } from "../../store/audit/decisions.ts";
import type { SignAt } from "./sign-place.ts";

/** What one question, or one look at a signature, comes to. Nothing of it has happened yet. */
export interface Outcome {
  readonly handled: readonly Replied[];
  readonly given: readonly StoredApproval[];
  readonly ended: readonly Ended[];
  readonly records: readonly ApprovalRecord[];
  /** Somebody asked that everything be read anew. */
  readonly recheck: boolean;
  /** More questions wait than this run read. */
  readonly more: boolean;
}

export interface Replied {
  readonly asked: Asked;
  readonly reaction: Reaction | null;
  readonly answer: Answer | null;
}

export const NOTHING: Outcome = {
  handled: [],
  given: [],
  ended: [],
  records: [],
  recheck: false,
  more: false,
};

export const together = (outcomes: readonly Outcome[]): Outcome => ({
  handled: outcomes.flatMap(({ handled }) => handled),
  given: outcomes.flatMap(({ given }) => given),
  ended: outcomes.flatMap(({ ended }) => ended),
  records: outcomes.flatMap(({ records }) => records),
  recheck: outcomes.some(({ recheck }) => recheck),
  more: outcomes.some(({ more }) => more),
});

/** The end of a signature, with its row in the chain. */
export function ending(
  at: SignAt,
  approval: Approval,
  { how, why }: { readonly how: Ended["how"]; readonly why: { readonly kind: string } },
): Outcome {
  const record = recordOf(
    at,
    { ...approval, rules: approval.covered.map(({ rule }) => rule) },
    { turn: how, why },
  );
  return { ...NOTHING, ended: [{ id: approval.id, how, why }], records: [record] };
}

type Signing = Pick<SignRequest, "id" | "signer" | "rules" | "upTo" | "reason">;

export function recordOf(
  { head, context }: SignAt,
  { id, signer, rules, upTo, reason }: Signing,
  { turn, why }: Pick<ApprovalRecord, "turn" | "why">,
): ApprovalRecord {
  return {
    kind: "approval",
    turn,
    approval: id,
    repositoryId: head.repository.id,
    number: context.number,
    headSha: head.pull.headSha,
    baseRef: head.pull.baseRef,
    signer,
    rules,
    upTo,
    reason,
    why,
  };
}
