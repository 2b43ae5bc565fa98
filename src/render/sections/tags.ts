import { ZERO } from "../../kernel/money.ts";
import type { Report, TagReport } from "../../report/model/report.ts";
import { sumDeltas } from "../../report/totals.ts";
import { formatCellName, formatCellWords } from "../escape.ts";
import { type CurrencyFigures, listCurrencyFigures } from "../format.ts";
import type { Section, SectionSource } from "./section.ts";
import { buildFiguresView, isRounded, toAmountLine } from "./stages.ts";

/** Largest number of lines; the others are summed. */
const MAX_LINES = 8;

/** The section with the cost by the tag that the policy chooses, where any of it changes. */
export function buildTagsSection({ evaluation: { report, pull } }: SectionSource): Section {
  const { key, lines } = (pull.figures ? report.byTag : undefined) ?? { key: "", lines: [] };
  const isChanged = lines.some(({ change }) => change !== ZERO);
  return {
    template: "tags",
    rows: isChanged ? Math.min(MAX_LINES, lines.length) : 0,
    view: (rows) => (isChanged ? buildTagsView(report, { key, lines }, rows) : null),
  };
}

function buildTagsView(report: Report, { key, lines }: NonNullable<Report["byTag"]>, rows: number) {
  const shown = selectShownLines(lines, rows);
  const groups = listCurrencyFigures(report).flatMap((figures) => {
    const own = lines.filter(({ currency }) => currency === figures.currency);
    return own.length === 0 ? [] : [buildTagGroupView(figures, own, shown)];
  });
  return { key: formatCellWords(key), groups, rounded: groups.some(({ rounded }) => rounded) };
}

/** The largest changes; lines without a value are never among the others, because they are to be looked into. */
function selectShownLines(lines: readonly TagReport[], rows: number): ReadonlySet<TagReport> {
  const order = lines.toSorted((a, b) => Number(a.kind === "value") - Number(b.kind === "value"));
  return new Set(lines.length <= rows ? lines : order.slice(0, rows));
}

function buildTagGroupView(
  figures: CurrencyFigures,
  lines: readonly TagReport[],
  visible: ReadonlySet<TagReport>,
) {
  const [shown, folded] = [
    lines.filter((line) => visible.has(line)),
    lines.filter((line) => !visible.has(line)),
  ];
  const others = folded.length === 0 ? [] : [toAmountLine(sumDeltas(folded), folded)];
  return {
    lines: [
      ...shown.map(({ kind, value, ...line }) => ({
        ...buildFiguresView(figures, toAmountLine(line, [line])),
        ...{ kind, label: value === null ? null : formatCellName(value) },
      })),
      ...others.map((line) => ({ ...buildFiguresView(figures, line), count: folded.length })),
    ],
    rounded: isRounded(figures, [...shown, ...others], figures.total),
  };
}
