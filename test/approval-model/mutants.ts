import type { FileOwners } from "../../src/policy/approvals/code-owners.ts";
import type { RuleFindings } from "../../src/policy/approvals/lapse.ts";
import type { Approval } from "../../src/policy/model/approval.ts";
import { combineFindings } from "../../src/policy/model/finding.ts";
import { joinPolicyBlobs } from "../../src/policy/model/loaded-policy.ts";
import { CORE, type Core } from "./core.ts";

type ApprovalArguments = Parameters<Core["giveApproval"]>;
const { applyObjections, selectObjectionRules, findObjection } = CORE;
const { giveApproval, applyApprovals, decideCheck, giveOverride, findOverrideEnd, findFileOwners } = CORE;

const changeOwners =
  (change: (found: FileOwners) => Partial<FileOwners>): Core["findFileOwners"] =>
  (query) => {
    const found = findFileOwners(query);
    return found.kind === "found" ? { ...found, ...change(found) } : found;
  };

const give =
  (
    change: (request: ApprovalArguments[0], place: ApprovalArguments[1]) => ApprovalArguments,
  ): Core["giveApproval"] =>
  (request, place) =>
    giveApproval(...change(request, place));

const apply =
  (change: (approval: Approval, judged: RuleFindings) => Approval): Core["applyApprovals"] =>
  (approvals, judged) =>
    applyApprovals(
      approvals.map((approval) => change(approval, judged)),
      judged,
    );

/** Faults that somebody could make, each of which lets a merge through that nobody may allow. */
export const MUTANTS: Readonly<Record<string, Partial<Core>>> = {
  "any head can be named": {
    giveApproval: give((request, place) => [{ ...request, sha: place.headSha }, place]),
  },
  "twelve digits name a commit": {
    readCommand: (body) =>
      CORE.readCommand(body.replace(/approve ([0-9a-f]{12})(?= )/, `approve $1${"0".repeat(28)}`)),
    giveApproval: give((request, place) => [
      request.sha.endsWith("0".repeat(28)) ? { ...request, sha: place.headSha } : request,
      place,
    ]),
  },
  "what nobody could have read can be approved": {
    giveApproval: give((request, place) => [request, { ...place, evaluatedMs: 0 }]),
  },
  "whoever worked on it may sign": {
    giveApproval: give((request, place) => [
      request,
      { ...place, ground: { ...place.ground, contributors: new Set() } },
    ]),
    applyApprovals: (approvals, judged) =>
      applyApprovals(approvals, { ...judged, ground: { ...judged.ground, contributors: new Set() } }),
  },
  "who signs first and pushes afterwards still counts": {
    applyApprovals: (approvals, judged) =>
      applyApprovals(approvals, { ...judged, ground: { ...judged.ground, contributors: new Set() } }),
  },
  "the amount is for today only": {
    applyApprovals: apply((approval, { findings }) => {
      const now = findings.find(({ rule }) => rule === "increase")?.measured;
      return now?.kind === "money" && approval.upTo !== null ? { ...approval, upTo: now } : approval;
    }),
  },
  "any currency will do": {
    giveApproval: give((request, place) => [
      request.upTo === null ? request : { ...request, upTo: { ...request.upTo, currency: "USD" } },
      place,
    ]),
  },
  "new deletions slip under an old signature": {
    applyApprovals: apply((approval, { findings }) => ({
      ...approval,
      covered: approval.covered.map((own) => ({
        ...own,
        findings: own.findings.map((finding) => {
          const now = findings.find(({ rule, subject }) => rule === own.rule && subject === finding.subject);
          return now === undefined || own.rule !== "deletions"
            ? finding
            : { ...finding, items: now.items, measured: now.measured };
        }),
      })),
    })),
  },
  "what is signed for hears no objection": {
    applyObjections: (approved, objections) => {
      const isSigned = (rule: string) =>
        approved.verdict.findings.some((finding) => finding.rule === rule && finding.approved);
      return applyObjections(approved, new Map([...objections].filter(([rule]) => !isSigned(rule))));
    },
  },
  "a rule that is met hears no objection": {
    selectObjectionRules: (rules, findings) =>
      selectObjectionRules(
        rules,
        findings.filter(({ outcome }) => outcome !== "passed"),
      ),
  },
  "only an objector of the first group is heard": {
    findObjection: (rule, by, isNamed) => {
      const { approve } = rule;
      return findObjection(
        { ...rule, approve: approve && { ...approve, groups: approve.groups.slice(0, 1) } },
        by,
        isNamed,
      );
    },
  },
  "a condition that only holds was signed for, however much": {
    applyApprovals: apply((approval, { ground }) => ({ ...approval, figures: ground.figures })),
  },
  "another rule that breaks later is no matter": {
    applyApprovals: apply((approval, { rules }) => ({ ...approval, violated: rules.map(({ id }) => id) })),
  },
  "a signature goes along to another base": {
    applyApprovals: apply((approval, { ground, rules }) => ({
      ...approval,
      baseRef: ground.baseRef,
      covered: approval.covered.map((own) => withWordingOf(own, rules)),
    })),
  },
  "a changed rule was signed for, too": {
    applyApprovals: apply((approval, { rules }) => ({
      ...approval,
      covered: approval.covered.map((own) => withWordingOf(own, rules)),
    })),
  },
  "further workspaces are no matter": {
    applyApprovals: apply((approval, { ground }) => ({ ...approval, ground: ground.ground })),
  },
  "one person signs twice": {
    applyApprovals: apply((approval) => ({
      ...approval,
      approver: { ...approval.approver, id: approval.approver.id * 1_000 + approval.givenMs },
    })),
  },
  "everybody belongs to every group": {
    giveApproval: give((request, place) => [
      request,
      { ...place, getGroups: ({ approve }) => (approve?.groups ?? []).map((_, index) => index) },
    ]),
  },
  "whoever signs for one value signs for all": {
    giveApproval: give((request, place) => [
      request,
      {
        ...place,
        getGroups: (rule) => {
          const own = place.getGroups(rule);
          const isByTag = rule.perTag !== undefined && own.length > 0;
          return isByTag ? (rule.approve?.groups ?? []).map((_, index) => index) : own;
        },
      },
    ]),
  },
  "another value that is violated later is no matter": {
    applyApprovals: apply((approval, { findings }) => ({
      ...approval,
      covered: approval.covered.map((own) => ({
        ...own,
        findings: own.rule === "team" ? findings.filter(({ rule }) => rule === "team") : own.findings,
      })),
    })),
  },
  "an invalid file of code owners counts as far as it can be read": {
    findFileOwners: (query) => findFileOwners({ ...query, text: query.text.replace(/^!.*$/m, "") }),
  },
  "one of several owners is enough": {
    findFileOwners: changeOwners(({ lists }) => ({ lists: lists.slice(0, 1) })),
  },
  "a file without an owner needs nobody": { findFileOwners: changeOwners(() => ({ unowned: null })) },
  "the first pattern of code owners counts": {
    findFileOwners: (query) =>
      findFileOwners({ ...query, text: query.text.split("\n").toReversed().join("\n") }),
  },
  "other owners are signed for, too": {
    applyApprovals: apply((approval, { rules }) => ({
      ...approval,
      covered: approval.covered.map((own) => (own.rule === "owned" ? withWordingOf(own, rules) : own)),
    })),
  },
  "a signature holds after its last day": {
    applyApprovals: apply(({ untilMs: _, ...approval }) => approval),
  },
  "what must end is signed for without an end": {
    giveApproval: give((request, place) => [
      { ...request, untilMs: request.untilMs ?? Number.MAX_SAFE_INTEGER },
      place,
    ]),
  },
  "what is not known passes": {
    applyApprovals: (approvals, judged) => {
      const signed = applyApprovals(approvals, judged);
      return {
        ...signed,
        verdict: combineFindings(signed.verdict.findings.filter(({ outcome }) => outcome !== "undecided")),
      };
    },
  },
  "neutral instead of failure": {
    decideCheck: (situation, approvals, override) => {
      const decision = decideCheck(situation, approvals, override);
      const isFailure = decision.status === "completed" && decision.conclusion === "failure";
      return isFailure ? { status: "completed", conclusion: "neutral" } : decision;
    },
  },
  "any head can be overridden": {
    giveOverride: (request, place) => giveOverride({ ...request, sha: place.headSha }, place),
  },
  "whoever worked on it may override": {
    giveOverride: (request, place) => giveOverride(request, { ...place, contributors: new Set() }),
    findOverrideEnd: (override, place) => findOverrideEnd(override, { ...place, contributors: new Set() }),
  },
  "what nobody could have read is overridden": {
    giveOverride: (request, place) => giveOverride(request, { ...place, evaluatedMs: 0 }),
  },
  "an override survives its head": {
    findOverrideEnd: (override, place) => findOverrideEnd({ ...override, headSha: place.headSha }, place),
  },
  "an override goes along to another base": {
    findOverrideEnd: (override, place) =>
      findOverrideEnd(
        { ...override, baseRef: place.baseRef, policyBlobs: joinPolicyBlobs(place.policy) },
        place,
      ),
  },
  "an override goes on under another policy": {
    findOverrideEnd: (override, place) =>
      findOverrideEnd({ ...override, policyBlobs: joinPolicyBlobs(place.policy) }, place),
  },
};

function withWordingOf(
  own: Approval["covered"][number],
  rules: RuleFindings["rules"],
): Approval["covered"][number] {
  const rule = rules.find(({ id }) => id === own.rule);
  if (rule === undefined) return own;
  const { limit, per, scope, enforceIn, approve } = rule;
  return { ...own, ruleText: JSON.stringify({ limit, per, scope, enforceIn, approve }) };
}
