import type { AttributeValue } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { formatCellName, formatName, formatSentence } from "../escape.ts";
import { formatCount } from "../format.ts";
import { createWorkspaceLabels, type Section, type SectionSource } from "./section.ts";

/** Largest number of deferred changes, of invocations, of outputs, and of failed checks that are shown. */
const MAX_SHOWN = 10;

/** The section about what plans state beside their changes, where the changes have no section. */
export const buildPlanNotesSection = ({ evaluation: { report, pull } }: SectionSource): Section => ({
  template: "plan-notes",
  view: () => buildPlanNotesView(report, pull.figures),
});

/**
 * What plans state beside the changes of resources: what they leave out, actions that they invoke, outputs that change, and failed checks.
 * With `values` false, values of outputs are omitted, and the messages of checks, because they may contain some.
 */
export function buildPlanNotesView(report: Report, values: boolean) {
  const label = createWorkspaceLabels(report, formatName);
  const noted = report.stages.flatMap(({ planNotes, workspace }) =>
    planNotes === undefined ? [] : [{ ...planNotes, stage: label(workspace) }],
  );
  const deferred = noted.flatMap(({ incomplete, stage }) =>
    (incomplete?.deferred ?? []).map(({ address, change: action }) => ({
      ...{ action, resource: formatName(address), stage },
    })),
  );
  const invocations = noted.flatMap(({ invocations: { listed }, stage }) =>
    listed.map(({ address, resource, event }) => ({
      action: formatName(address),
      ...{ resource: resource && formatName(resource), event: event && formatName(event), stage },
    })),
  );
  const outputs = report.stages.flatMap(({ outputs: changed, workspace }) =>
    (changed?.listed ?? []).map(({ name, change: action, value }) => ({
      ...{ action, output: formatName(name), stage: label(workspace) },
      value: values && action !== "deleted" ? buildValueView(value) : null,
    })),
  );
  const failedChecks = noted.flatMap(({ failedChecks: { listed }, stage }) =>
    listed.map(({ address, problems }) => ({
      ...{ check: formatName(address), problems: values ? problems.map(formatSentence) : [], stage },
    })),
  );
  const countMore = (read: (one: (typeof noted)[number]) => number, all: readonly object[]) =>
    noted.reduce((sum, one) => sum + read(one), Math.max(0, all.length - MAX_SHOWN));
  return {
    deferred: deferred.slice(0, MAX_SHOWN),
    moreDeferred: countMore(({ incomplete }) => incomplete?.more ?? 0, deferred),
    partial: noted.some(
      ({ incomplete }) => incomplete !== null && incomplete.deferred.length + incomplete.more === 0,
    ),
    invocations: invocations.slice(0, MAX_SHOWN),
    moreInvocations: countMore(({ invocations: { more } }) => more, invocations),
    outputs: outputs.slice(0, MAX_SHOWN),
    moreOutputs: Math.max(0, outputs.length - MAX_SHOWN),
    areOutputsCut: report.stages.some((stage) => stage.outputs?.isWhole === false),
    failedChecks: failedChecks.slice(0, MAX_SHOWN),
    moreChecks: countMore(({ failedChecks: { more } }) => more, failedChecks),
  };
}

export const buildValueView = (value: AttributeValue) => ({
  kind: value.kind,
  text: "text" in value ? formatCellName(value.text) : null,
  count: "count" in value ? formatCount(value.count) : null,
  isOne: "count" in value && value.count === 1,
});
