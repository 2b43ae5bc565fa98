import type { Report } from "../../report/model/report.ts";
import { stageKey } from "../../report/model/stage-label.ts";
import { isIntroduced, isOpenAfter } from "../../report/usage/usage-counts.ts";
import type { UndecidedReason } from "../model/finding.ts";
import type { Per } from "../model/policy.ts";

/** Names of resources that a finding holds; how many there are is told beside them. */
const NAMED = 20;

/** Lines of money under which usage-based resources have a part that nobody knows. */
export interface UsageDoubts {
  /** Why the amount of the line with this key is not known; empty: no usage-based resource is new or changed there. */
  under(key: string): readonly UndecidedReason[];
  /** The same of what is under none of these keys. */
  besides(keys: ReadonlySet<string>): readonly UndecidedReason[];
}

/** How the lines of a report are keyed, by what a rule looks at one by one. */
export const lineKey = (...parts: readonly (string | null)[]): string => JSON.stringify(parts);

/**
 * The usage-based resources that merging adds or changes, by line. A limit on how much the cost may fall also rests on
 * those that it deletes, or whose usage is given only now.
 */
export function createUsageDoubts(report: Report, per: Per, falls = false): UsageDoubts {
  const groups = Map.groupBy(partsOf(report, falls), (part) => keyOf(part, per));
  return {
    under: (key) => doubtOf(groups.get(key) ?? []),
    besides: (keys) => [...groups].flatMap(([key, parts]) => (keys.has(key) ? [] : doubtOf(parts))),
  };
}

/** Why no amount of the whole report is known. */
export const findReportUsageDoubt = (report: Report, falls = false): readonly UndecidedReason[] =>
  doubtOf(partsOf(report, falls));

/** One usage-based resource, or several of a stage that nobody names: their modules and types are null. */
interface UsagePart {
  readonly count: number;
  readonly name: string | null;
  readonly stage: string;
  readonly currency: string | null;
  readonly module: string | null;
  readonly type: string | null;
}

function partsOf({ usageBased = [], stages }: Report, falls: boolean): readonly UsagePart[] {
  const named = usageBased.filter((one) => isIntroduced(one) || (falls && !isOpenAfter(one)));
  const unnamed = stages.filter((stage) => (stage.usageBased?.unnamed ?? 0) > 0);
  return [
    ...named.map((one) => ({ ...one, count: 1, name: `${one.workspace}: ${one.address}` })),
    ...unnamed.map((stage) => ({
      count: stage.usageBased?.unnamed ?? 0,
      name: null,
      stage: stageKey(stage),
      currency: stage.currency,
      module: null,
      type: null,
    })),
  ];
}

function doubtOf(parts: readonly UsagePart[]): readonly UndecidedReason[] {
  if (parts.length === 0) return [];
  const names = parts.flatMap(({ name }) => name ?? []);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return [{ kind: "usage", count, names: names.slice(0, NAMED) }];
}

function keyOf({ stage, currency, module, type }: UsagePart, per: Per): string {
  switch (per) {
    case "pull-request":
      return lineKey(currency);
    case "stage":
      return lineKey(stage);
    case "module":
      return lineKey(currency, module);
    case "resource-type":
      return lineKey(currency, type);
  }
}
