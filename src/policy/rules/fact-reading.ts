import type { Fact } from "../../report/facts.ts";
import type { Undecided } from "../finding.ts";
import { unknown } from "./because.ts";
import type { Reading, Value } from "./rule-kind.ts";

interface Told {
  readonly values: readonly Value[];
  readonly items: readonly string[];
  /** Why the values are not relied on; empty: they are. */
  readonly because: readonly Undecided[];
}

/** What a fact about the whole pull request says; one that is not known, or is old, says nothing that is judged. */
export function factReadings<T>(fact: Fact<T>, tell: (value: T) => Told): readonly Reading[] {
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

function toReadings({ values, items, because }: Told): readonly Reading[] {
  if (because.length > 0) return [{ subject: null, value: null, because }];
  return values.map((value) => ({ subject: null, value, because: [], items }));
}
