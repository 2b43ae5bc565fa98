import type { PersonText } from "../../github/people/person-text.ts";
import type { StoredApproval } from "../../store/approvals/approvals.ts";
import { computeDigest } from "../publish/digest.ts";

/** How an approval was revoked, by its approver or by somebody else who could. */
export type Revocation = {
  readonly kind:
    | "deleted"
    | "edited"
    | "hidden"
    | "dismissed"
    /** The approver requested changes in a later review. */
    | "overruled"
    | "command"
    | "replaced";
};

/** Returns why the comment or review of an approval no longer supports it; null: it does. */
export function findRevocation(
  { approval, bodyDigest }: StoredApproval,
  written: PersonText | undefined,
): Revocation | null {
  if (written === undefined) return { kind: "deleted" };
  if (
    written.isEdited ||
    computeDigest(written.body) !== bodyDigest ||
    written.author?.id !== approval.approver.id
  )
    return { kind: "edited" };
  if (written.isMinimised) return { kind: "hidden" };
  if (written.kind !== "review") return null;
  if (!written.isApproving) return { kind: "dismissed" };
  return written.isOverruled ? { kind: "overruled" } : null;
}
