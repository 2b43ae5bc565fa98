import type { Evaluation } from "../policy/model/evaluation.ts";
import { decideEffect, type Finding } from "../policy/model/finding.ts";
import type { CodePlace } from "../report/model/facts.ts";
import { createPlaceFinder } from "./addresses.ts";
import { formatSentence, formatVisibleName, type Inline } from "./escape.ts";
import { createMoneyStyle } from "./format.ts";
import { buildFindingView, buildTagProblemView, listFindings } from "./sections/findings.ts";
import type { SectionSource } from "./sections/section.ts";
import type { FillTemplate } from "./templates.ts";

/** A violated finding beside the line of a resource. */
export interface Annotation {
  /** From the repository's root on. */
  readonly path: string;
  readonly line: number;
  readonly level: "failure" | "warning";
  /** The rule. */
  readonly title: string;
  /** Plain text. */
  readonly message: string;
}

/** Most annotations that GitHub takes with one write of a check. */
const MAX_ANNOTATIONS = 50;
/** Most annotations of one finding, so that others have theirs too. */
const MAX_OF_FINDING = 20;

/** What stands at a line: a resource, and what a finding says of it alone. */
interface AnnotatedLine {
  readonly address: string;
  readonly place: CodePlace;
  /** Its increase per month; null: the finding is not about its cost. */
  readonly change: Inline | null;
  readonly note: Inline | null;
}

/**
 * The annotations of a verdict's violated findings that block or warn, the worst first: beside the lines of what they name, and of the
 * resources that raise the cost most. Only on files of the pull request, because GitHub shows no others.
 */
export function buildAnnotations(fill: FillTemplate, source: SectionSource): readonly Annotation[] {
  const { evaluation } = source;
  if (evaluation.check.status !== "completed") return [];
  const effects = listFindings(evaluation.situation)
    .filter(({ outcome }) => outcome === "violated")
    .map((finding) => ({ finding, effect: decideEffect(finding) }))
    .filter(({ effect }) => effect !== "pass");
  const paths = new Set(evaluation.context.paths);
  const findPlace = createPlaceFinder(evaluation.report);
  const listLines = createLineReader(evaluation, findPlace);
  const found = new Map<string, Annotation>();
  for (const { finding, effect } of effects) {
    const lines = listLines(finding).filter(({ place }) => paths.has(place.file));
    const view = lines.length === 0 ? null : buildFindingView(finding, source, findPlace);
    for (const { address, place, ...own } of lines.slice(0, MAX_OF_FINDING)) {
      const key = JSON.stringify([place.file, place.line, finding.rule]);
      if (found.has(key)) continue;
      found.set(key, {
        path: place.file,
        line: place.line,
        level: effect === "block" ? "failure" : "warning",
        title: formatVisibleName(finding.rule),
        message: toPlainText(
          fill("annotation", {
            ...{ ...view, ...own, resource: formatVisibleName(address) },
            isBlocking: effect === "block",
            approvable: finding.approve !== null,
            problems: (finding.tagProblems ?? [])
              .filter(({ item }) => item === address)
              .map((problem) => buildTagProblemView(problem)),
          }),
        ),
      });
    }
  }
  return [...found.values()].slice(0, MAX_ANNOTATIONS);
}

/** Annotations are no Markdown. Code spans stay: what they quote may contain asterisks. */
const toPlainText = (markdown: string): string =>
  markdown.replaceAll(/(`+).*?(?<!`)\1(?!`)|\*\*/g, (found, span) => (span === undefined ? "" : found));

/** Creates a function that lists the lines of what a finding names. Where figures are not shown, nothing tells which resources cost most. */
function createLineReader(
  { report, pull }: Evaluation,
  findPlace: (item: string) => CodePlace | null,
): (finding: Finding) => readonly AnnotatedLine[] {
  const notes = new Map<string, Inline>();
  for (const { workspace, estimatorFindings } of pull.figures ? report.stages : [])
    for (const { address, message } of estimatorFindings?.listed ?? [])
      if (message !== "") notes.set(`${workspace}: ${address}`, formatSentence(message));
  return ({ items, limit, drivers = [] }) => {
    const isOfEstimator = limit.kind === "finops-issues" || limit.kind === "estimator-policies";
    const named = items.flatMap((item): readonly AnnotatedLine[] => {
      const place = findPlace(item);
      const note = isOfEstimator ? (notes.get(item) ?? null) : null;
      return place === null ? [] : [{ address: item, place, change: null, note }];
    });
    const raising = drivers.map(({ address, place, change, currency }) => ({
      ...{ address, place, note: null },
      change: createMoneyStyle(currency).change(change),
    }));
    return pull.figures ? [...raising, ...named] : named;
  };
}
