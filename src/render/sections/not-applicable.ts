import { type Finding, isOrdinary, type ScopeMismatch } from "../../policy/model/finding.ts";
import { formatLink, formatName, type Inline } from "../escape.ts";
import { listFindings } from "./findings.ts";
import { findRuleAddress } from "./resources.ts";
import type { Section, Subject } from "./section.ts";

/** A rule whose scope matches nothing here, perhaps because of a misspelling. */
interface NotApplicableView {
  readonly rule: Inline;
  readonly member: ScopeMismatch["member"];
  /** True: the patterns are those of the scope's `not`. */
  readonly excluded: boolean;
  readonly patterns: readonly Inline[];
  readonly here: readonly Inline[];
  readonly more: number;
  readonly meant: Inline | null;
}

const MAX_RULES = 10;
/** Largest number of rules that are shown; further ones are collapsed. */
const MAX_OPEN_RULES = 3;

/**
 * The section about rules whose scope names parts that this pull request does not have. Rules for other pull
 * requests are only counted.
 */
export function buildNotApplicableSection(subject: Subject): Section {
  const all = listFindings(subject.evaluation.situation).filter(
    ({ mismatch }) => mismatch !== undefined && !isOrdinary(mismatch),
  );
  return {
    template: "not-applicable",
    rows: Math.min(MAX_RULES, all.length),
    isRequired: false,
    view: (rows) => {
      if (all.length === 0) return null;
      return {
        ...buildNotApplicableView(subject, all, rows),
        count: all.length,
        open: all.length <= MAX_OPEN_RULES,
      };
    },
  };
}

/** The view of the first `rows` of these findings. */
export function buildNotApplicableView(subject: Subject, findings: readonly Finding[], rows: number) {
  const rules = findings.slice(0, rows).flatMap(({ rule, mismatch }) =>
    mismatch === undefined
      ? []
      : [
          {
            ...buildMismatchView(mismatch),
            rule: formatLink(formatName(rule), findRuleAddress(subject, rule)),
          },
        ],
  );
  return { rules, more: findings.length - rules.length };
}

const buildMismatchView = ({
  member,
  patterns,
  here,
  more,
  meant,
  excluded,
}: ScopeMismatch): Omit<NotApplicableView, "rule"> => ({
  member,
  excluded: excluded === true,
  patterns: patterns.map(formatName),
  here: here.map(formatName),
  more,
  meant: meant === null ? null : formatName(meant),
});
