import type { OverrideCommand } from "../../github/commands/command.ts";
import { findMissingTeam } from "../../github/people/permissions.ts";
import type { PersonText } from "../../github/people/person-text.ts";
import { shorten } from "../../kernel/shorten.ts";
import { toStorableText } from "../../kernel/storable.ts";
import { applyApprovals } from "../../policy/approvals/apply-approvals.ts";
import {
  getOverrideSpec,
  giveOverride,
  type OverrideSubmission,
} from "../../policy/approvals/give-override.ts";
import { type CheckHold, determineHold } from "../../policy/check/decide-check.ts";
import type { OverrideRefusal } from "../../policy/model/approval.ts";
import { type Approver, NO_APPROVALS } from "../../policy/model/approval.ts";
import type { CommandSource } from "../../store/approvals/commands.ts";
import { computeDigest } from "../publish/digest.ts";
import type { PullRun } from "../run/pull-run.ts";
import { getVerdict, withVerdict } from "./approval-basis.ts";
import { findLateRefusal } from "./find-late-refusal.ts";
import { readStanding } from "./group-membership.ts";
import { type CommandOutcome, NO_OUTCOME } from "./outcome.ts";
import { buildOverrideRecord } from "./override-record.ts";
import { buildOverridePlace } from "./recheck-overrides.ts";
import { type ApprovalContext, MAX_REASON } from "./submit-approval.ts";

/** A person's override command, as written. */
interface OverrideIntent {
  readonly commandSource: CommandSource;
  readonly text: PersonText;
  readonly approver: Approver;
  readonly command: OverrideCommand;
}

/** Accepts an override, or refuses it with the reason. */
export async function submitOverride(
  run: PullRun,
  intent: OverrideIntent,
  approving: ApprovalContext,
): Promise<CommandOutcome> {
  const { basis } = approving;
  const { commandSource, text, approver: person, command } = intent;
  const request: OverrideSubmission = {
    id: `comment:${commandSource.sourceId}`,
    person,
    sha: command.sha,
    reason: toStorableText(shorten(command.reason, MAX_REASON)),
    createdMs: text.createdMs,
    givenMs: run.deps.clock.now(),
  };
  const refuse = (why: OverrideRefusal) => refuseOverride(run, intent, { approving, request, why });
  if (run.deps.isOneShot) return refuse({ kind: "ci_job" });
  const late = findLateRefusal(intent, approving.comments, request.givenMs);
  if (late !== null) return refuse({ kind: late });
  const named = await readNaming(run, approving, person);
  if (named !== "named" && named !== "not_named") return refuse({ kind: named });
  const outcome = giveOverride(request, {
    ...buildOverridePlace(basis),
    contributors: approving.contributors,
    evaluatedMs: basis.evaluatedSince,
    hold: findHold(approving),
    isNamed: named === "named",
  });
  if (outcome.state === "refused") {
    const teams = outcome.why.kind === "not_named" ? (getOverrideSpec(basis.policy)?.teams ?? []) : [];
    const team = await findMissingTeam(run.client, { owner: basis.head.repository.owner, teams });
    return refuse(team === null ? outcome.why : { kind: "team_missing", team });
  }
  const { override } = outcome;
  return {
    ...NO_OUTCOME,
    replies: [{ commandSource, reaction: "+1", answer: null }],
    overrides: [{ override, nodeId: commandSource.nodeId, bodyDigest: computeDigest(text.body) }],
    records: [buildOverrideRecord(run.deps.operator, basis, { ...request, turn: "given", why: null })],
  };
}

/** Whether the policy names the person now, and the person may write to the repository. */
async function readNaming(
  run: PullRun,
  { basis: { head, policy } }: ApprovalContext,
  person: Approver,
): Promise<"named" | "not_named" | "no_permission" | "membership_unknown"> {
  const spec = getOverrideSpec(policy);
  if (spec === null) return "not_named";
  const standing = await readStanding(run, { head, person, teams: spec.teams });
  if (standing.state !== "known") return "no_permission";
  if (standing.isMember(spec)) return "named";
  return standing.isUnknown(spec) ? "membership_unknown" : "not_named";
}

/** Whether the check would be held back without this override. One override in force is enough. */
function findHold({ basis, findings, inForce, overridesInForce }: ApprovalContext): CheckHold {
  if (overridesInForce.length > 0) return "not_held";
  if (findings === null || getVerdict(basis) === null) return determineHold(basis.situation, NO_APPROVALS);
  const { verdict, approvals } = applyApprovals(inForce, findings);
  return determineHold(withVerdict(basis.situation, verdict), approvals);
}

function refuseOverride(
  run: PullRun,
  { commandSource }: OverrideIntent,
  refusal: {
    readonly approving: ApprovalContext;
    readonly request: OverrideSubmission;
    readonly why: OverrideRefusal;
  },
): CommandOutcome {
  const { approving, request, why } = refusal;
  return {
    ...NO_OUTCOME,
    replies: [{ commandSource, reaction: "-1", answer: { kind: "override_refused", why } }],
    records: [buildOverrideRecord(run.deps.operator, approving.basis, { ...request, turn: "refused", why })],
  };
}
