import type { Schedule } from "../../report/model/context.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { factValue } from "../../report/stages/stages.ts";
import { formatMoney } from "../format/money.ts";
import { duration, formatDay } from "../format/time.ts";
import { type Inline, name } from "../markup/escape.ts";
import { formatFactAge } from "./fact-age.ts";
import { workspaceLabels } from "./workspace-label.ts";

interface LifetimeView {
  readonly stage: Inline | null;
  readonly lives: Inline;
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

const LIFETIMES = 5;
const SCHEDULES = 5;

/** The cost of stages that are destroyed automatically, until their destruction. */
export function lifetimeViews(report: Report, figures: boolean): readonly LifetimeView[] {
  const stage = workspaceLabels(report);
  return report.lifetimes.slice(0, LIFETIMES).map(({ workspace, currency, lifetimeMs, amount }) => {
    const label = stage(workspace);
    return {
      stage: label === null ? null : name(label),
      lives: duration(lifetimeMs),
      amount: figures ? formatMoney({ amount, currency }) : null,
      age: formatFactAge(report.context.schedules),
    };
  });
}

/** The intervals of drift detection, and the lifetimes of a project's workspaces. */
export function scheduleViews(
  { stages }: Report,
  schedules: Fact<readonly Schedule[]>,
): readonly ScheduleView[] {
  const touched = (factValue(schedules) ?? []).filter(({ org, project }) =>
    stages.some((stage) => stage.org === org && stage.project === project),
  );
  return touched
    .filter(({ driftEveryMs, lifetime }) => driftEveryMs !== null || (lifetime?.onDate ?? null) !== null)
    .slice(0, SCHEDULES)
    .map(({ org, project, driftEveryMs, lifetime }) => ({
      project: name(`${org}/${project}`),
      drift: driftEveryMs === null ? null : duration(driftEveryMs),
      onDate: lifetime?.onDate == null ? null : formatDay(lifetime.onDate),
      age: formatFactAge(schedules),
    }));
}
