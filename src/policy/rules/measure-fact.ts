import type { Fact } from "../../report/model/facts.ts";
import type { UndecidedReason } from "../model/finding.ts";
import { unknown } from "./doubts.ts";
import type { Measurement, SubjectValue } from "./rule-kind.ts";

interface FactValues {
  readonly values: readonly SubjectValue[];
  readonly items: readonly string[];
  /** Why the values are unreliable; empty: they are reliable. */
  readonly because: readonly UndecidedReason[];
}

/** Measures a fact about the whole pull request. An unknown or stale fact makes the rule undecided. */
export function measureFact<T>(fact: Fact<T>, tell: (value: T) => FactValues): readonly Measurement[] {
  switch (fact.state) {
    case "known":
      return toReadings(tell(fact.value));
    case "absent":
      return [{ subject: null, value: null, because: [unknown("not_stated")] }];
    case "stale":
      return [{ subject: null, value: null, because: [unknown("unavailable")] }];
    case "unknown":
      return [{ subject: null, value: null, because: [unknown(fact.reason)] }];
  }
}

function toReadings({ values, items, because }: FactValues): readonly Measurement[] {
  if (because.length > 0) return [{ subject: null, value: null, because }];
  return values.map((value) => ({ subject: null, value, because: [], items }));
}
