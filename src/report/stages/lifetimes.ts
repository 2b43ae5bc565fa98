import { type Decimal, decimal, times } from "../../kernel/money.ts";
import type { Lifetime, Schedule } from "../model/context.ts";
import type { LifetimeCost, Report, StageReport } from "../model/report.ts";
import { buildStageKey } from "../model/stage-label.ts";
import { getFactValue } from "./stages.ts";

/** A month in ms: 730 hours, as in monthly prices. */
const MONTH_MS = 730 * 3_600_000;

/**
 * The cost of stages until their automatic destruction: the monthly cost times the lifetime. Omits projects
 * whose provisioners have different lifetimes, because it is unknown which one created a workspace, and
 * lifetimes with only a day, because the time of creation is unknown.
 */
export function computeLifetimeCosts({
  stages,
  context,
}: Pick<Report, "stages" | "context">): readonly LifetimeCost[] {
  const schedules = getFactValue(context.schedules) ?? [];
  return stages.flatMap((stage) => {
    const lifetimeMs = findLifetime(stage, schedules);
    const { currency, after, state } = stage;
    if (lifetimeMs === null || currency === null || after === null || state !== "known") return [];
    const amount = computeCostFor(after, lifetimeMs);
    return [{ stage: buildStageKey(stage), workspace: stage.workspace, currency, lifetimeMs, amount }];
  });
}

function findLifetime({ org, project }: StageReport, schedules: readonly Schedule[]): number | null {
  const lifetimes = schedules
    .filter((schedule) => schedule.org === org && schedule.project === project)
    .flatMap(({ lifetime }) => (lifetime === null ? [] : [readDelay(lifetime)]));
  const [first = null, ...others] = lifetimes;
  return others.every((other) => other === first) ? first : null;
}

/**
 * The delay of a lifetime, in ms; null where a day is given too, because the delay is then only an upper
 * bound.
 */
const readDelay = ({ ms, onDate }: Lifetime): number | null => (onDate === null ? ms : null);

/** Exact to a millionth of a month (about three seconds). */
const computeCostFor = (monthly: Decimal, ms: number): Decimal =>
  times(monthly, decimal((ms / MONTH_MS).toFixed(6).replace(/\.?0+$/, "")));
