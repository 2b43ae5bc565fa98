import { applyApprovals } from "../../policy/approvals/apply.ts";
import { type Approval, type Approvals, NO_APPROVALS } from "../../policy/approvals/approval.ts";
import type { Situation } from "../../policy/situation.ts";
import type { PullRun } from "../lane/pull-run.ts";
import { answerAsked } from "./answer-asked.ts";
import { revocationOf } from "./ends/revoked.ts";
import { outOfRights } from "./ends/still-signers.ts";
import { ending, NOTHING, type Outcome, together } from "./outcome.ts";
import type { Signing } from "./read-signing.ts";
import { judgedAt, type SignAt, verdictAt } from "./sign-place.ts";

/** Where a head stands with its signatures, and what came of those that were given, asked for or taken back. */
export interface Signed {
  readonly situation: Situation;
  readonly approvals: Approvals;
  readonly outcome: Outcome;
}

/** Looks at every signature and answers every question that waits, in their order. Writes nothing. */
export async function sign(run: PullRun, at: SignAt, signing: Signing): Promise<Signed> {
  const judged = await judgedAt(run.deps, at, signing.contributors);
  const looked = lookAgain(at, signing);
  const out = judged === null ? [] : await outOfRights(run, looked.inForce, { at, judged, signing });
  const outgoing = out.map((approval) => ({ approval, why: { kind: "signer_out" } as const }));
  let inForce = looked.inForce.filter((approval) => !out.includes(approval));
  const outcomes: Outcome[] = [looked.outcome, { ...NOTHING, more: signing.more }, ...endings(at, outgoing)];
  for (const asked of signing.asked) {
    const question = { asked, written: signing.written.get(asked.nodeId) };
    const outcome = await answerAsked(run, question, { at, judged, inForce, said: signing.said });
    const over = new Set(outcome.ended.map(({ id }) => id));
    inForce = [
      ...inForce.filter(({ id }) => !over.has(id)),
      ...outcome.given.map(({ approval }) => approval),
    ];
    outcomes.push(outcome);
  }
  if (judged === null)
    return { situation: at.situation, approvals: NO_APPROVALS, outcome: together(outcomes) };
  const { verdict, approvals } = applyApprovals(inForce, judged);
  const { offer: _, ...held } = approvals; // without a verdict nothing can be approved
  const lapses = endings(at, approvals.lapsed);
  const lapsed = [...approvals.lapsed, ...outgoing, ...signing.lapsed].filter((one) =>
    isWorthTelling(one.approval, approvals),
  );
  const signed = { outcome: together([...outcomes, ...lapses]) };
  if (verdictAt(at) === null) return { ...signed, situation: at.situation, approvals: { ...held, lapsed } };
  return {
    ...signed,
    situation: withVerdict(at.situation, verdict),
    approvals: { ...approvals, lapsed },
  };
}

const endings = (at: SignAt, lapsed: Approvals["lapsed"]): readonly Outcome[] =>
  lapsed.map(({ approval, why }) => ending(at, approval, { how: "lapsed", why }));

const withVerdict = (
  situation: Situation,
  verdict: ReturnType<typeof applyApprovals>["verdict"],
): Situation => ("verdict" in situation ? { ...situation, verdict } : situation);

/** What was signed with is held against what GitHub shows of it now. */
function lookAgain(
  at: SignAt,
  { stored, written }: Signing,
): { readonly inForce: readonly Approval[]; readonly outcome: Outcome } {
  const looked = stored.map((one) => ({
    approval: one.approval,
    why: revocationOf(one, written.get(one.nodeId)),
  }));
  const revoked = looked.flatMap(({ approval, why }) =>
    why === null ? [] : [ending(at, approval, { how: "revoked", why })],
  );
  return {
    inForce: looked.flatMap(({ approval, why }) => (why === null ? [approval] : [])),
    outcome: revoked.length === 0 ? NOTHING : together(revoked),
  };
}

/** An old signature is told of while its rules still lack one, and its signer has not signed anew. */
const isWorthTelling = ({ signer, covered }: Approval, { live, missing }: Approvals): boolean =>
  !live.some((other) => other.signer.id === signer.id) &&
  covered.some(({ rule }) => missing.some((own) => own.rule === rule));
