import { type Decimal, minus, ZERO } from "../../kernel/money.ts";
import {
  type ContextFacts,
  type GovernancePrompt as GovernancePromptFact,
  listMissedSavings,
  type Savings,
  type UnitCost as UnitCostFact,
} from "../../report/model/context.ts";
import type { ChangeCounts, CostDelta, Fact } from "../../report/model/facts.ts";
import type {
  DriftSplit,
  LifetimeCost,
  Report,
  ReportedRow,
  ResourceReport,
  StageReport,
} from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import { parseProvider } from "../scope/scope.ts";
import { ConditionAmount } from "./amount.ts";
import { ELEMENTS } from "./environment.ts";

const { Cost, Stage, Module, Resource, Row, Changes, Unpriced, Usage, UsageResource, Pull } = ELEMENTS;
const { Saving, Anomalies, Governance, UnitCost, GovernancePrompt, Drift, Lifetime } = ELEMENTS;

/** The values that an expression reads, by the names of `VARIABLES`. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Creates the values for expressions from a report. Unknown facts have a value too, because the language
 * requires one: the caller must first check that every fact that the expression needs is known.
 */
export function createValues(report: Report, context: EvaluationContext): Values {
  const [total] = report.totals;
  const rows = report.rows.filter(({ change }) => change !== "moved").map(rowValue);
  return {
    pull: pullValue(context),
    cost: new Cost(amountValues(total ?? NOTHING, total?.currency ?? "")),
    costs: report.totals.map((line) => new Cost(amountValues(line, line.currency))),
    stages: report.stages.map(stageValue),
    modules: report.modules
      .filter(({ unattributed }) => !unattributed)
      .map((line) => new Module({ path: line.module, ...amountValues(line, line.currency ?? "") })),
    resources: report.resources.map(resourceValue),
    changes: new Changes({ ...countValues(report.changes), rows }),
    unpriced: new Unpriced({
      count: BigInt(report.unpriced?.count ?? 0),
      types: Object.keys(report.unpriced?.types ?? {}),
    }),
    usage: usageValue(report),
    drift: report.drift.flatMap(driftValue),
    lifetimes: report.lifetimes.map(lifetimeValue),
    ...contextValues(report.context),
  };
}

function usageValue({ usage, usageBased = [] }: Report): object {
  const resources = usageBased.map(({ address, type, module, workspace, stage, change }) => {
    return new UsageResource({
      address,
      type,
      provider: parseProvider(type),
      module,
      workspace,
      stage,
      change,
    });
  });
  return new Usage({
    count: BigInt(usage?.after ?? 0),
    introduced: BigInt(usage?.introduced ?? 0),
    deleted: BigInt(usage?.deleted ?? 0),
    resources,
  });
}

function contextValues({ savings, anomalies, governance, unitCosts, prompts }: ContextFacts): Values {
  const open = known(anomalies);
  const evaluated = known(governance);
  return {
    savings: listMissedSavings(known(savings) ?? { items: [] }).map(savingValue),
    anomalies: new Anomalies({ count: BigInt(open?.count ?? 0) }),
    governance: new Governance({
      failed: BigInt(evaluated?.failed ?? 0),
      total: BigInt(evaluated?.total ?? 0),
    }),
    unit_costs: (known(unitCosts) ?? []).map(unitCostValue),
    governance_prompts: (known(prompts) ?? []).flatMap(promptValues),
  };
}

const known = <T>(fact: Fact<T>): T | null => (fact.state === "known" ? fact.value : null);

function savingValue({ address, workspace, resourceType, monthly }: Savings["items"][number]): object {
  const { currency } = monthly;
  return new Saving({
    address,
    type: resourceType,
    workspace,
    monthly: amount(monthly.amount, currency),
    currency,
  });
}

function driftValue({ stage, workspace, currency, split }: DriftSplit): readonly object[] {
  if (split === null) return [];
  const { drift, own } = split;
  const amounts = { drift: amount(drift, currency), own: amount(own, currency), currency };
  return [new Drift({ stage, workspace, ...amounts })];
}

const HOUR_MS = 3_600_000;

const lifetimeValue = ({ stage, workspace, currency, lifetimeMs, amount: sum }: LifetimeCost): object =>
  new Lifetime({ stage, workspace, hours: lifetimeMs / HOUR_MS, amount: amount(sum, currency), currency });

/** One value per Terraform resource type, so that conditions can use the type names of the code. */
const promptValues = ({ resource, types, description }: GovernancePromptFact): readonly object[] =>
  types.map((type) => new GovernancePrompt({ resource, type, description }));

function unitCostValue({ metric, name, perspective, before, after, currency }: UnitCostFact): object {
  const change = before === null || after === null ? null : minus(after, before);
  const percent = computePercent({ before, change });
  return new UnitCost({
    metric,
    name,
    perspective: perspective ?? "",
    before: amount(before, currency),
    after: amount(after, currency),
    percent,
    currency,
  });
}

const NOTHING: CostDelta = { before: null, after: null, change: null, percent: null };

const pullValue = ({ number, author, baseRef, draft, labels, paths }: EvaluationContext): object =>
  new Pull({
    number: BigInt(number),
    author: author ?? "",
    base: baseRef,
    draft,
    labels: labels ?? [],
    paths,
  });

function amountValues(line: CostDelta, currency: string): object {
  const [before, after] = [amount(line.before, currency), amount(line.after, currency)];
  return {
    before,
    after,
    previous: before, // see OLDER_MEMBERS
    current: after,
    change: amount(line.change, currency),
    percent: computePercent(line),
    currency,
  };
}

const amount = (value: Decimal | null, currency: string): ConditionAmount =>
  new ConditionAmount(value ?? ZERO, currency);

/**
 * The percentage as limits measure it: computed from the amounts, not as rounded by a source; an increase
 * from zero is infinite.
 */
function computePercent({ before, change }: Pick<CostDelta, "before" | "change">): number {
  if (before === null || change === null) return 0;
  if (before !== ZERO) return (Number(change) * 100) / Math.abs(Number(before));
  return Number(change) > 0 ? Number.POSITIVE_INFINITY : 0;
}

const NO_COUNTS: ChangeCounts = {
  added: 0,
  changed: 0,
  deleted: 0,
  replaced: 0,
  imported: 0,
  removed: 0,
  unchanged: 0,
  drifted: 0,
};

const countValues = (counts: ChangeCounts | null): Readonly<Record<string, bigint>> =>
  Object.fromEntries(Object.entries(counts ?? NO_COUNTS).map(([name, count]) => [name, BigInt(count ?? 0)]));

function stageValue(stage: StageReport): object {
  const { name, workspace, org, project, status, currency, counts, unpriced } = stage;
  return new Stage({
    name,
    workspace,
    org,
    project,
    status,
    ...amountValues(stage, currency ?? ""),
    ...countValues(counts),
    unpriced: BigInt(unpriced?.count ?? 0),
    usage: BigInt(stage.usage?.after ?? 0),
  });
}

function resourceValue(resource: ResourceReport): object {
  const { address, type, module, workspace, stage, action, currency } = resource;
  const place = { address, type, provider: parseProvider(type), module, workspace, stage };
  return new Resource({
    ...place,
    action: action === null || action === "moved" ? "" : action,
    ...amountValues(resource, currency),
  });
}

function rowValue({ address, type, module, workspace, stage, change }: ReportedRow): object {
  return new Row({ address, type, provider: parseProvider(type), module, workspace, stage, change });
}
