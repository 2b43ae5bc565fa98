import type { EstimatorResults } from "../../report/model/facts.ts";
import { findPlaceAddress } from "../addresses.ts";
import { formatLink, formatName, formatSentence, type Inline } from "../escape.ts";
import { createMoneyStyle } from "../format.ts";
import { createWorkspaceLabels, type Section, type SectionSource } from "./section.ts";

type Finding = EstimatorResults["listed"][number];

const MAX_ITEMS = 10;

/**
 * The section about what the estimator's own policies say: issues with what they would save, tags, guardrails and
 * budgets. Empty where figures are not shown, because messages may contain some.
 */
export function buildEstimatorSection({ evaluation, links }: SectionSource): Section {
  const { report, pull } = evaluation;
  const label = createWorkspaceLabels(report, formatName);
  const stages = pull.figures ? report.stages : [];
  const items = stages.flatMap(({ estimatorFindings: findings, currency, workspace }) =>
    (findings?.listed ?? []).map((one) => ({
      ...buildFindingView(one, findPlaceAddress(evaluation, links, toPlace(one))),
      saving: one.saving && createMoneyStyle(currency ?? "").amount(one.saving),
      stage: label(workspace),
    })),
  );
  const more = stages.reduce((sum, { estimatorFindings }) => sum + (estimatorFindings?.more ?? 0), 0);
  return {
    template: "estimator",
    rows: Math.min(MAX_ITEMS, items.length),
    view: (rows) => {
      if (items.length === 0) return null;
      const shown = items.slice(0, Math.max(0, rows));
      return { items: shown, more: items.length - shown.length + more };
    },
  };
}

const toPlace = ({ file, line }: Finding) => (file === null || line === null ? null : { file, line });

const buildFindingView = (
  { kind, policy, address, attribute, message, file, line }: Finding,
  target: Inline | null,
) => ({
  kind,
  policy: formatName(policy),
  resource: address && formatName(address),
  attribute: attribute && formatName(attribute),
  message: message && formatSentence(message),
  place: file && formatLink(formatName(line === null ? file : `${file}:${line}`), target),
});
