import { assembleReport } from "./build.ts";
import { joinContexts } from "./join-context.ts";
import type { Report } from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";
import { isTouched } from "./resources/touched-stage.ts";

/**
 * Joins several pull requests into one report with every stage once. A stage in several reports is taken from
 * the report that touches it, else from the last. No stage may be touched twice: no plan states the joint
 * effect of two plans of one workspace.
 */
export function joinReports(reports: readonly Report[]): Report {
  const owners = new Map<string, number>();
  for (const [index, { stages }] of reports.entries()) {
    for (const stage of stages) {
      const key = buildStageKey(stage);
      if (isTouched(stage) || !isHeldTouched(reports, owners.get(key), key)) owners.set(key, index);
    }
  }
  const own = (index: number, key: string): boolean => owners.get(key) === index;
  return assembleReport({
    stages: reports.flatMap(({ stages }, index) =>
      stages.filter((stage) => own(index, buildStageKey(stage))),
    ),
    resources: reports.flatMap(({ resources }, index) => resources.filter(({ stage }) => own(index, stage))),
    rows: reports.flatMap(({ rows }, index) => rows.filter(({ stage }) => own(index, stage))),
    refused: reports.flatMap(({ refused }) => refused),
    context: joinContexts(reports.map(({ context }) => context)),
  });
}

const isHeldTouched = (reports: readonly Report[], index: number | undefined, key: string): boolean =>
  index !== undefined &&
  (reports[index]?.stages ?? []).some((stage) => buildStageKey(stage) === key && isTouched(stage));
