import type { Approval, Approvals, Lapse, MissingApproval } from "../../policy/approvals/approval.ts";
import type { Evaluation } from "../../policy/evaluation.ts";
import type { Finding } from "../../policy/finding.ts";
import type { ApproverGroup } from "../../policy/policy.ts";
import { type Inline, name, sentence } from "../escape.ts";
import { moneyOf } from "../format/money.ts";
import { utcTime } from "../format/time.ts";
import { findingsOf } from "./findings.ts";
import type { Section, Subject } from "./section.ts";

interface SignatureView {
  readonly signer: Inline;
  readonly rules: readonly { readonly rule: Inline }[];
  /** Null: no money is judged, or it is not for this repository's readers. */
  readonly upTo: Inline | null;
  readonly given: Inline;
  readonly reason: Inline | null;
  readonly lapse: Lapse["kind"] | null;
  /** Of a lapse: the rule that it is about. */
  readonly about: Inline | null;
  /** It is the one rule that was signed for. */
  readonly own: boolean;
}

interface MissingView {
  readonly rule: Inline;
  readonly groups: readonly {
    readonly lacks: number;
    readonly who: readonly Inline[];
    readonly permission: ApproverGroup["permission"];
  }[];
}

const SIGNATURES = 12;

/** Who signed for what, whose signature no longer holds, and whose is still missing. */
export function approvalsSection({ evaluation }: Subject): Section {
  const { live, lapsed, missing } = evaluation.approvals;
  const all = missing.length + live.length + lapsed.length;
  return {
    template: "approvals",
    rows: Math.min(SIGNATURES, all),
    keep: false,
    view: (rows) => (all === 0 ? null : view(evaluation, Math.max(0, rows))),
  };
}

function view({ approvals, situation, pull }: Evaluation, rows: number): object {
  const findings = findingsOf(situation);
  const signatures = signaturesOf(approvals, pull.figures);
  const missing = approvals.missing.slice(0, rows).map((one) => missingView(one, findings));
  const shown = signatures.slice(0, rows - missing.length);
  return {
    missing,
    live: shown.filter(({ lapse }) => lapse === null),
    lapsed: shown.filter(({ lapse }) => lapse !== null),
    more: approvals.missing.length + signatures.length - missing.length - shown.length,
  };
}

const signaturesOf = ({ live, lapsed }: Approvals, figures: boolean): readonly SignatureView[] => [
  ...live.map((approval) => signatureView(approval, null, figures)),
  ...lapsed.map(({ approval, why }) => signatureView(approval, why, figures)),
];

function signatureView(approval: Approval, why: Lapse | null, figures: boolean): SignatureView {
  const { signer, covered, upTo, givenMs, reason } = approval;
  return {
    signer: name(signer.login),
    rules: covered.map(({ rule }) => ({ rule: name(rule) })),
    upTo: upTo === null || !figures ? null : moneyOf(upTo),
    given: utcTime(givenMs),
    reason: reason === "" ? null : sentence(reason),
    lapse: why?.kind ?? null,
    about: why !== null && "rule" in why ? name(why.rule) : null,
    own: why !== null && "rule" in why && covered.every(({ rule }) => rule === why.rule),
  };
}

function missingView({ rule, groups }: MissingApproval, findings: readonly Finding[]): MissingView {
  const approve = findings.find((finding) => finding.rule === rule)?.approve;
  return {
    rule: name(rule),
    groups: groups.map(({ group, lacks }) => {
      const { teams = [], users = [], permission = null } = approve?.groups[group] ?? {};
      return { lacks, who: [...teams, ...users].map(name), permission };
    }),
  };
}
