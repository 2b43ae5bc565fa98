import type { PersonText } from "../../github/people/person-text.ts";
import type { StoredApproval } from "../../store/approvals/approvals.ts";
import { digestOf } from "../publish/digest.ts";

/** How a signer, or whoever could, took a signature back. */
export type Revocation = {
  readonly kind:
    | "deleted"
    | "edited"
    | "hidden"
    | "dismissed"
    /** Its signer has asked for changes in a later review. */
    | "overruled"
    | "command"
    | "replaced";
};

/** Why what was signed with does not stand any more as it was; null: it does. */
export function revocationOf(
  { approval, bodyDigest }: StoredApproval,
  written: PersonText | undefined,
): Revocation | null {
  if (written === undefined) return { kind: "deleted" };
  if (written.edited || digestOf(written.body) !== bodyDigest || written.author?.id !== approval.signer.id)
    return { kind: "edited" };
  if (written.minimised) return { kind: "hidden" };
  if (written.kind !== "review") return null;
  if (!written.approves) return { kind: "dismissed" };
  return written.overruled ? { kind: "overruled" } : null;
}
