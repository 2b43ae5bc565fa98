import type { UnknownReason } from "../model/facts.ts";
import type { CostState } from "../model/report.ts";

/** How reliable a cost is, and what limits its reliability. */
export interface CostConfidence {
  readonly state: CostState;
  readonly because: readonly UnknownReason[];
}

export const KNOWN_CONFIDENCE: CostConfidence = { state: "known", because: [] };

const SEVERITY: Readonly<Record<CostState, number>> = { known: 0, partial: 1, inconsistent: 2, unknown: 3 };

/** A sum is as reliable as its least reliable part, with the reasons of all parts; the sum of no parts is known. */
export function combineConfidence(parts: Iterable<CostConfidence>): CostConfidence {
  let state: CostState = "known";
  const because = new Set<UnknownReason>();
  for (const part of parts) {
    if (part.state === "known") continue;
    if (SEVERITY[part.state] > SEVERITY[state]) state = part.state;
    for (const reason of part.because) because.add(reason);
  }
  return state === "known" ? KNOWN_CONFIDENCE : { state, because: [...because] };
}
