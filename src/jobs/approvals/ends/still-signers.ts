import type { Approval } from "../../../policy/approvals/approval.ts";
import { type Judged, lapseOf } from "../../../policy/approvals/lapse.ts";
import type { Rule } from "../../../policy/policy.ts";
import type { PullRun } from "../../lane/pull-run.ts";
import { blockingRules, readGroups, type Standing } from "../groups.ts";
import type { Signing } from "../read-signing.ts";
import type { SignAt } from "../sign-place.ts";

interface Looking {
  readonly at: SignAt;
  readonly judged: Judged;
  readonly signing: Signing;
}

/**
 * Signatures whose signer might not give them any more: no write access, or out of a group that they signed for. Asked of GitHub
 * for those alone that let something through now. Only a plain no ends one; that GitHub does not say ends none.
 *
 * @throws TollgateError `github_failed`, retryable, while GitHub asks us to wait
 */
export async function outOfRights(
  run: PullRun,
  inForce: readonly Approval[],
  { at, judged, signing }: Looking,
): Promise<readonly Approval[]> {
  const blocking = blockingRules(judged);
  const found = await Promise.all(
    inForce.map(async (approval) => {
      const rules = blocking.filter(({ id }) => approval.covered.some(({ rule }) => rule === id));
      if (rules.length === 0 || lapseOf(approval, judged) !== null) return [];
      const standing = await readGroups(run, { head: at.head, signer: nameNow(approval, signing), rules });
      return isOut(approval, rules, standing) ? [approval] : [];
    }),
  );
  return found.flat();
}

/** Accounts are renamed: GitHub is asked by the name that the signer has now. */
function nameNow({ id, signer }: Approval, { stored, written }: Signing): Approval["signer"] {
  const nodeId = stored.find(({ approval }) => approval.id === id)?.nodeId ?? "";
  return written.get(nodeId)?.author ?? signer;
}

function isOut({ covered }: Approval, rules: readonly Rule[], standing: Standing): boolean {
  if (standing.state !== "known") return standing.state === "denied";
  return rules.some((rule) => {
    const now = standing.groupsOf(rule);
    const signedFor = covered.find((own) => own.rule === rule.id)?.groups ?? [];
    return !standing.isUnsaid(rule.id) && signedFor.some((group) => !now.includes(group));
  });
}
