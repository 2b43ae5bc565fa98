import { type Decimal, decimal, times } from "../../kernel/money.ts";
import type { Lifetime, Schedule } from "../model/context.ts";
import type { LifetimeCost, Report, StageReport } from "../model/report.ts";
import { stageKey } from "../model/stage-label.ts";
import { factValue } from "./stages.ts";

/** Hours of a month, as prices per month count them. */
const MONTH_MS = 730 * 3_600_000;

/**
 * What stages cost until they are destroyed by themselves: their monthly cost for as long as they live. Nothing is said
 * where a project's provisioners have different lifetimes, because nobody tells which one built a workspace, nor where only
 * a day is named, because nobody tells when it was built.
 */
export function computeLifetimeCosts({
  stages,
  context,
}: Pick<Report, "stages" | "context">): readonly LifetimeCost[] {
  const schedules = factValue(context.schedules) ?? [];
  return stages.flatMap((stage) => {
    const lifetimeMs = findLifetime(stage, schedules);
    const { currency, after, state } = stage;
    if (lifetimeMs === null || currency === null || after === null || state !== "known") return [];
    const amount = forAs(after, lifetimeMs);
    return [{ stage: stageKey(stage), workspace: stage.workspace, currency, lifetimeMs, amount }];
  });
}

function findLifetime({ org, project }: StageReport, schedules: readonly Schedule[]): number | null {
  const lifetimes = schedules
    .filter((schedule) => schedule.org === org && schedule.project === project)
    .flatMap(({ lifetime }) => (lifetime === null ? [] : [readDelay(lifetime)]));
  const [first = null, ...others] = lifetimes;
  return others.every((other) => other === first) ? first : null;
}

/** With a day beside it the delay is the longest that it can be, so it would be too much to promise. */
const readDelay = ({ ms, onDate }: Lifetime): number | null => (onDate === null ? ms : null);

/** Exact to the millionth of a month, which is three seconds. */
const forAs = (monthly: Decimal, ms: number): Decimal =>
  times(monthly, decimal((ms / MONTH_MS).toFixed(6).replace(/\.?0+$/, "")));
