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
  text: PersonText | undefined,
): Revocation | null {
  const end = findTextEnd({ authorId: approval.approver.id, bodyDigest }, text);
  if (end !== null) return end;
  if (text?.kind !== "review") return null;
  if (!text.isApproving) return { kind: "dismissed" };
  return text.isOverruled ? { kind: "overruled" } : null;
}

/** Returns what happened to a comment or review since it was acted on; null: it still says the same. */
export function findTextEnd(
  acted: { readonly authorId: number; readonly bodyDigest: string },
  text: PersonText | undefined,
): { readonly kind: "deleted" | "edited" | "hidden" } | null {
  if (text === undefined) return { kind: "deleted" };
  if (text.isEdited || computeDigest(text.body) !== acted.bodyDigest || text.author?.id !== acted.authorId)
    return { kind: "edited" };
  return text.isMinimised ? { kind: "hidden" } : null;
}
