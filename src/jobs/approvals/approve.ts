import type { Said, Written } from "../../github/people/written.ts";
import { storableText } from "../../kernel/storable.ts";
import type { Approval, Signer } from "../../policy/approvals/approval.ts";
import { giveApproval, type SignRequest } from "../../policy/approvals/give.ts";
import type { Judged } from "../../policy/approvals/lapse.ts";
import type { Refusal } from "../../policy/approvals/refusal.ts";
import type { Asked } from "../../store/approvals/commands.ts";
import type { PullRun } from "../lane/pull-run.ts";
import { digestOf } from "../publish/digest.ts";
import { tooLate } from "./ends/too-late.ts";
import { blockingRules, type Groups, readGroups } from "./groups.ts";
import { ending, NOTHING, type Outcome, recordOf, together } from "./outcome.ts";
import { type SignAt, verdictAt } from "./sign-place.ts";

/** Longer reasons are cut, in characters. */
const MAX_REASON = 500;

/** A person's wish to sign, as they wrote it. */
export interface Wish {
  readonly asked: Asked;
  readonly written: Written;
  readonly signer: Signer;
  readonly sha: string;
  readonly rules: readonly string[];
  readonly upTo: SignRequest["upTo"];
  readonly reason: string;
}

export interface Approving {
  readonly at: SignAt;
  /** Null: nothing is judged now. */
  readonly judged: Judged | null;
  /** In force before this wish. */
  readonly inForce: readonly Approval[];
  /** The newest comments. */
  readonly said: readonly Said[];
}

/** Takes a signature, or refuses it with the reason. A review that does not count is nobody's question and gets no answer. */
export async function approve(run: PullRun, wish: Wish, approving: Approving): Promise<Outcome> {
  const { at, judged, inForce } = approving;
  const { asked, signer, sha, rules, upTo } = wish;
  const reason = storableText(wish.reason.slice(0, MAX_REASON)); // half a character may be left
  const id = `${asked.source}:${asked.sourceId}`;
  const givenMs = run.deps.clock.now();
  const writtenMs = wish.written.createdMs;
  const request = { id, source: asked.source, signer, sha, rules, upTo, reason, writtenMs, givenMs };
  const late = tooLate(wish, approving.said, givenMs);
  if (late !== null) return refuse(at, wish, { request, why: late });
  if (judged === null || verdictAt(at) === null)
    return refuse(at, wish, { request, why: { kind: "not_judged" } });
  const groups = await readGroups(run, { head: at.head, signer, rules: blockingRules(judged) });
  if (groups.state !== "known") return refuse(at, wish, { request, why: { kind: "no_permission" } });
  const { groupsOf } = groups;
  const { evaluatedMs } = at;
  const { headSha } = at.head.pull;
  const given = giveApproval(request, { ...judged, headSha, evaluatedMs, groupsOf });
  if (given.state === "refused") return refuse(at, wish, { request, why: asRead(given.why, groups) });
  const { approval } = given;
  const signed = approval.covered.map(({ rule }) => rule);
  return together([
    ...replacedBy(approval, inForce).map((old) =>
      ending(at, old, { how: "revoked", why: { kind: "replaced" } }),
    ),
    {
      ...NOTHING,
      handled: [{ asked, reaction: asked.source === "comment" ? "+1" : null, answer: null }],
      given: [{ approval, nodeId: asked.nodeId, bodyDigest: digestOf(wish.written.body) }],
      records: [recordOf(at, { ...request, rules: signed }, { turn: "approved", why: null })],
    },
  ]);
}

/** Nobody is told that others have to sign where GitHub did not say who belongs to them. */
const asRead = (why: Refusal, { isUnsaid }: Groups): Refusal =>
  why.kind === "not_a_signer" && isUnsaid(why.rule) ? { kind: "groups_unknown", rule: why.rule } : why;

/** Whoever signs for a rule again means the new amount, not both. */
function replacedBy({ signer, covered }: Approval, inForce: readonly Approval[]): readonly Approval[] {
  const rules = new Set(covered.map(({ rule }) => rule));
  return inForce.filter(
    (old) => old.signer.id === signer.id && old.covered.some(({ rule }) => rules.has(rule)),
  );
}

function refuse(
  at: SignAt,
  { asked }: Wish,
  { request, why }: { readonly request: SignRequest; readonly why: Refusal },
): Outcome {
  const isComment = asked.source === "comment";
  return {
    ...NOTHING,
    handled: [
      { asked, reaction: isComment ? "-1" : null, answer: isComment ? { kind: "refused", why } : null },
    ],
    records: [recordOf(at, request, { turn: "refused", why })],
  };
}
