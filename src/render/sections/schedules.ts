import type { Schedule } from "../../report/model/context.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { getFactValue } from "../../report/stages/stages.ts";
import { formatMoney } from "../format/money.ts";
import { formatDay, formatDuration } from "../format/time.ts";
import { formatName, type Inline } from "../markup/escape.ts";
import { formatFactAge } from "./fact-age.ts";
import { createWorkspaceLabels } from "./workspace-label.ts";

interface LifetimeView {
  readonly stage: Inline | null;
  readonly lifetime: Inline;
  readonly amount: Inline | null;
  readonly age: Inline | null;
}

interface ScheduleView {
  readonly project: Inline;
  readonly drift: Inline | null;
  /** The day on which created resources are destroyed. */
  readonly onDate: Inline | null;
  readonly age: Inline | null;
}

const MAX_LIFETIMES = 5;
const MAX_SCHEDULES = 5;

/** The cost of stages that are destroyed automatically, until their destruction. */
export function buildLifetimeViews(report: Report, figures: boolean): readonly LifetimeView[] {
  const stage = createWorkspaceLabels(report);
  return report.lifetimes.slice(0, MAX_LIFETIMES).map(({ workspace, currency, lifetimeMs, amount }) => {
    const label = stage(workspace);
    return {
      stage: label === null ? null : formatName(label),
      lifetime: formatDuration(lifetimeMs),
      amount: figures ? formatMoney({ amount, currency }) : null,
      age: formatFactAge(report.context.schedules),
    };
  });
}

/** The intervals of drift detection, and the lifetimes of a project's workspaces. */
export function buildScheduleViews(
  { stages }: Report,
  schedules: Fact<readonly Schedule[]>,
): readonly ScheduleView[] {
  const touched = (getFactValue(schedules) ?? []).filter(({ org, project }) =>
    stages.some((stage) => stage.org === org && stage.project === project),
  );
  return touched
    .filter(({ driftEveryMs, lifetime }) => driftEveryMs !== null || (lifetime?.onDate ?? null) !== null)
    .slice(0, MAX_SCHEDULES)
    .map(({ org, project, driftEveryMs, lifetime }) => ({
      project: formatName(`${org}/${project}`),
      drift: driftEveryMs === null ? null : formatDuration(driftEveryMs),
      onDate: lifetime?.onDate == null ? null : formatDay(lifetime.onDate),
      age: formatFactAge(schedules),
    }));
}
