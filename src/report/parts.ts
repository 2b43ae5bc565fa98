import { ZERO } from "../kernel/money.ts";
import type { CostDelta } from "./model/facts.ts";
import { sortLargestFirst } from "./model/order.ts";
import type { CostLine, TotalReport } from "./model/report.ts";
import {
  type CostConfidence,
  combineConfidence,
  isDeltaContradictory,
  isStatedInFull,
  KNOWN_CONFIDENCE,
  subtractParts,
  sumDeltas,
} from "./totals.ts";

/** What a module, a resource type or a tag costs in one stage; `stage`: how reliable that stage is. */
export interface CostPart extends CostDelta {
  readonly name: string;
  readonly currency: string;
  readonly stage: CostConfidence;
}

export interface PartLine extends CostLine {
  readonly name: string;
  readonly unattributed: boolean;
}

const UNATTRIBUTED = "unattributed";

/**
 * Parts of the same name and currency summed over the stages that list them, largest absolute change first; after
 * them, per currency, the rest of the total, so that the lines add up to the total.
 */
export function rollUpParts(
  partLists: readonly (readonly CostPart[])[],
  totals: readonly TotalReport[],
): readonly PartLine[] {
  const parts = partLists.flat();
  const groups = Map.groupBy(parts, ({ currency, name }) => JSON.stringify([currency, name]));
  const lines = [...groups.values()].flatMap((group): PartLine[] => {
    const [first] = group;
    return first === undefined ? [] : [sumPartLine(first, group)];
  });
  const rests = partLists.length === 0 ? [] : totals.flatMap((total) => buildRestLine(total, lines));
  return [...sortLargestFirst(lines, ({ name }) => name), ...rests];
}

function sumPartLine({ name, currency }: CostPart, group: readonly CostPart[]): PartLine {
  const confidence = combineConfidence(group.flatMap((part) => [part.stage, assessPart(part)]));
  return { name, currency, unattributed: false, ...sumDeltas(group), ...confidence };
}

function assessPart(part: CostPart): CostConfidence {
  if (!isStatedInFull(part)) return { state: "partial", because: ["not_stated"] };
  return isDeltaContradictory(part) ? { state: "inconsistent", because: [] } : KNOWN_CONFIDENCE;
}

/** No line when the rest is zero. */
function buildRestLine(total: TotalReport, lines: readonly PartLine[]): readonly PartLine[] {
  const parts = lines.filter(({ currency }) => currency === total.currency);
  const rest = subtractParts(total, sumDeltas(parts));
  if ([rest.before, rest.after, rest.change].every((amount) => amount === ZERO)) return [];
  const { currency, state, because } = total;
  return [{ name: UNATTRIBUTED, currency, unattributed: true, ...rest, state, because }];
}
