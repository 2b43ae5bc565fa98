import { type Finding, isOrdinary } from "../../policy/model/finding.ts";
import { findRuleAddress } from "../addresses.ts";
import { formatLink, formatName } from "../escape.ts";
import { listFindings } from "./findings.ts";
import type { Section, SectionSource } from "./section.ts";

const MAX_RULES = 10;
/** Largest number of rules that are shown; further ones are collapsed. */
const MAX_OPEN_RULES = 3;

/**
 * The section about rules whose scope names parts that this pull request does not have. Rules for other pull
 * requests are only counted.
 */
export function buildNotApplicableSection(source: SectionSource): Section {
  const all = listFindings(source.evaluation.situation).filter(
    ({ mismatch }) => mismatch !== undefined && !isOrdinary(mismatch),
  );
  const count = all.length;
  return {
    template: "not-applicable",
    rows: Math.min(MAX_RULES, count),
    view: (rows) =>
      count === 0
        ? null
        : { ...buildNotApplicableView(source, all, rows), count, open: count <= MAX_OPEN_RULES },
  };
}

/** The view of the first `rows` of these findings: rules whose scope matches nothing here, perhaps because of a misspelling. */
export function buildNotApplicableView(
  { evaluation, links }: SectionSource,
  findings: readonly Finding[],
  rows: number,
) {
  const rules = findings.slice(0, rows).flatMap(({ rule, mismatch }) => {
    if (mismatch === undefined) return [];
    const { member, key = null, patterns, here, more, meant, excluded } = mismatch;
    return [
      {
        rule: formatLink(formatName(rule), findRuleAddress(evaluation, links, rule)),
        member,
        key: key === null ? null : formatName(key),
        excluded: excluded === true, // the patterns are those of the scope's `not`
        patterns: patterns.map(formatName),
        here: here.map(formatName),
        more,
        meant: meant === null ? null : formatName(meant),
      },
    ];
  });
  return { rules, more: findings.length - rules.length };
}
