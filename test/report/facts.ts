import { type Decimal, decimal, minus } from "../../src/kernel/money.ts";
import type { PullFacts } from "../../src/report/model/context.ts";
import { NO_FACTS } from "../../src/report/model/context.ts";
import type {
  ChangeCounts,
  CostDelta,
  Fact,
  ModuleCost,
  ResourceChange,
  ResourceCost,
  ResourceGroup,
  StageCost,
  StageFacts,
} from "../../src/report/model/facts.ts";

export const known = <T>(value: T): Fact<T> => ({ state: "known", value });

/** `"100 > 150"`: before and after, with the change that follows; `"100 > 150 by 20"` states another change; `?`: not stated. */
export function amounts(text: string): CostDelta {
  const [, before = "?", after = "?", by] = /^(\S+) > (\S+)(?: by (\S+))?$/.exec(text) ?? [];
  const value = (part: string): Decimal | null => (part === "?" ? null : decimal(part));
  const derived = before === "?" || after === "?" ? "?" : minus(decimal(after), decimal(before));
  return { before: value(before), after: value(after), change: value(by ?? derived), percent: null };
}

export const cost = (text: string, but: Partial<StageCost> = {}): StageCost => ({
  ...amounts(text),
  currency: "USD",
  completeness: "complete",
  problems: [],
  groups: [],
  unpriced: { count: 0, types: {} },
  partsAreWhole: false,
  ...but,
});

export const resource = (address: string, text: string): ResourceCost => ({
  ...amounts(text),
  address,
  components: [],
});

export const group = (
  type: string,
  text: string,
  resources: readonly ResourceCost[] = [],
): ResourceGroup => ({
  ...amounts(text),
  type,
  resources,
});

export const moduleCost = (module: string, text: string, currency = "USD"): ModuleCost => ({
  ...amounts(text),
  module,
  currency,
});

export const counts = (but: Partial<ChangeCounts> = {}): ChangeCounts => ({
  added: 0,
  changed: 0,
  deleted: 0,
  replaced: 0,
  imported: 0,
  removed: 0,
  unchanged: 0,
  drifted: 0,
  ...but,
});

export const row = (address: string, change: ResourceChange["change"]): ResourceChange => ({
  address,
  type: address.split(".").at(-2) ?? "",
  module: "root",
  change,
});

/** The whole list of a stage's rows. */
export const listed = (...rows: readonly ResourceChange[]) => known({ rows, omitted: 0, unread: 0 });

/** A stage about which everything is known and nothing changes, but for what the test names. */
export const stage = (but: Partial<StageFacts> = {}): StageFacts => ({
  org: "default",
  project: "payments",
  workspace: "production",
  executionId: "execution-1",
  stageExecutionId: "stage-1",
  source: "check",
  proven: true,
  status: "succeeded",
  createdMs: 0,
  cost: known(cost("100 > 100")),
  modules: known([]),
  counts: known(counts()),
  rows: listed(),
  superseded: [],
  ...but,
});

/** A stage of that workspace whose cost changes so. */
export const priced = (workspace: string, change: string, but: Partial<StageFacts> = {}): StageFacts =>
  stage({ workspace, cost: known(cost(change)), ...but });

export const facts = (...stages: readonly StageFacts[]): PullFacts => ({ ...NO_FACTS, stages });
