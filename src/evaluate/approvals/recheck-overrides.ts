import type { PersonText } from "../../github/people/person-text.ts";
import { findOverrideEnd, getOverrideSpec } from "../../policy/approvals/give-override.ts";
import type { Override, OverrideEnd } from "../../policy/model/approval.ts";
import type { StoredOverride } from "../../store/approvals/overrides.ts";
import type { PullRun } from "../run/pull-run.ts";
import type { ApprovalBasis } from "./approval-basis.ts";
import { readStanding } from "./group-membership.ts";
import type { CommandOutcome } from "./outcome.ts";
import { buildOverrideEnding } from "./override-record.ts";
import type { ApprovalState } from "./read-state.ts";
import { findTextEnd } from "./revocation.ts";

interface RecheckedOverrides {
  readonly inForce: readonly Override[];
  readonly outcomes: readonly CommandOutcome[];
}

/**
 * Compares each override with what is there now: its comment, the head, base branch and policy, and whether its person is still named
 * and authorized. Only a definite "no" of GitHub about a person ends an override.
 *
 * @throws TollgateError `github_failed`, retryable, while GitHub asks us to wait
 */
export async function recheckOverrides(
  run: PullRun,
  basis: ApprovalBasis,
  { storedOverrides, texts, contributors }: ApprovalState,
): Promise<RecheckedOverrides> {
  const inForce: Override[] = [];
  const outcomes: CommandOutcome[] = [];
  for (const stored of storedOverrides) {
    const { override } = stored;
    const text = texts.get(stored.nodeId);
    const why =
      findOverrideTextEnd(stored, text) ??
      findOverrideEnd(override, { ...buildOverridePlace(basis), contributors }) ??
      ((await isAuthorized(run, basis, text?.author ?? override.person)) ? null : UNAUTHORIZED);
    if (why === null) inForce.push(override);
    else outcomes.push(buildOverrideEnding(run.deps.operator, basis, { override, why }));
  }
  return { inForce, outcomes };
}

const UNAUTHORIZED: OverrideEnd = { kind: "unauthorized" };

/** The head, base branch and policy that an override counts for. */
export const buildOverridePlace = ({ head: { pull }, policy }: ApprovalBasis) => ({
  headSha: pull.headSha,
  baseRef: pull.baseRef,
  policy,
});

const findOverrideTextEnd = (
  { override, bodyDigest }: StoredOverride,
  text: PersonText | undefined,
): OverrideEnd | null => findTextEnd({ authorId: override.person.id, bodyDigest }, text);

/** `person`: with the current login, because accounts are renamed. */
async function isAuthorized(
  run: PullRun,
  { head, policy }: ApprovalBasis,
  person: Override["person"],
): Promise<boolean> {
  const spec = getOverrideSpec(policy);
  if (spec === null) return false;
  const standing = await readStanding(run, { head, person, teams: spec.teams });
  if (standing.state !== "known") return standing.state === "unknown";
  return standing.isMember(spec) || standing.isUnknown(spec);
}
