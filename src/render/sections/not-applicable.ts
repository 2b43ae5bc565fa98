import { type Finding, isOrdinary, type ScopeMismatch } from "../../policy/model/finding.ts";
import { type Inline, linked, name } from "../markup/escape.ts";
import { ruleAddress } from "./addresses.ts";
import { listFindings } from "./findings.ts";
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

const RULES = 10;
/** Largest number of rules that are shown; further ones are collapsed. */
const OPEN = 3;

/**
 * The section about rules whose scope names parts that this pull request does not have. Rules for other pull
 * requests are only counted.
 */
export function notApplicableSection(subject: Subject): Section {
  const all = listFindings(subject.evaluation.situation).filter(
    ({ mismatch }) => mismatch !== undefined && !isOrdinary(mismatch),
  );
  return {
    template: "not-applicable",
    rows: Math.min(RULES, all.length),
    keep: false,
    view: (rows) => {
      if (all.length === 0) return null;
      return { ...notApplicableView(subject, all, rows), count: all.length, open: all.length <= OPEN };
    },
  };
}

/** The view of the first `rows` of these findings. */
export function notApplicableView(subject: Subject, findings: readonly Finding[], rows: number) {
  const rules = findings
    .slice(0, rows)
    .flatMap(({ rule, mismatch }) =>
      mismatch === undefined
        ? []
        : [{ ...mismatchView(mismatch), rule: linked(name(rule), ruleAddress(subject, rule)) }],
    );
  return { rules, more: findings.length - rules.length };
}

const mismatchView = ({
  member,
  patterns,
  here,
  more,
  meant,
  excluded,
}: ScopeMismatch): Omit<NotApplicableView, "rule"> => ({
  member,
  excluded: excluded === true,
  patterns: patterns.map(name),
  here: here.map(name),
  more,
  meant: meant === null ? null : name(meant),
});
