import { HOUR_MS } from "../../kernel/clock.ts";
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
import { buildStageKey } from "../../report/model/stage-label.ts";
import type { EvaluationContext } from "../model/context.ts";
import { parseProvider } from "../scope/scope.ts";
import { ConditionAmount } from "./amount.ts";
import { ELEMENTS } from "./environment.ts";

const { Cost, Stage, Module, Resource, Row, Changes, Invocation, Unpriced, Usage, UsageResource, Pull } =
  ELEMENTS;
const { Saving, Anomalies, Governance, UnitCost, GovernancePrompt, Drift, Lifetime } = ELEMENTS;

/** The values that an expression reads, by the names of `VARIABLES`. */
export type ConditionValues = Readonly<Record<string, unknown>>;

/**
 * Creates the values for expressions from a report. Unknown facts have a value too, because the language
 * requires one: the caller must first check that every fact that the expression needs is known.
 */
export function createValues(report: Report, context: EvaluationContext): ConditionValues {
  const [total] = report.totals;
  const rows = report.rows.filter(({ change }) => change !== "moved").map(createRowValue);
  return {
    pull: createPullValue(context),
    cost: new Cost(amountValues(total ?? UNKNOWN_DELTA, total?.currency ?? "")),
    costs: report.totals.map((line) => new Cost(amountValues(line, line.currency))),
    stages: report.stages.map(createStageValue),
    modules: report.modules
      .filter(({ unattributed }) => !unattributed)
      .map((line) => new Module({ path: line.module, ...amountValues(line, line.currency ?? "") })),
    resources: report.resources.map(createResourceValue),
    changes: new Changes({ ...countValues(report.changes), rows }),
    invocations: report.stages.flatMap(createInvocationValues),
    unpriced: new Unpriced({
      count: BigInt(report.unpriced?.count ?? 0),
      types: Object.keys(report.unpriced?.types ?? {}),
    }),
    usage: createUsageValue(report),
    drift: report.drift.flatMap(createDriftValues),
    lifetimes: report.lifetimes.map(createLifetimeValue),
    ...createContextValues(report.context),
  };
}

function createUsageValue({ usage, usageBased = [] }: Report): object {
  const resources = usageBased.map(({ address, type, module, workspace, stage, change }) => {
    return new UsageResource({
      address,
      type,
      provider: parseProvider(type),
      module,
      workspace,
      stage,
      action: change,
    });
  });
  return new Usage({
    count: BigInt(usage?.after ?? 0),
    introduced: BigInt(usage?.introduced ?? 0),
    deleted: BigInt(usage?.deleted ?? 0),
    resources,
  });
}

function createContextValues({
  savings,
  anomalies,
  governance,
  unitCosts,
  prompts,
}: ContextFacts): ConditionValues {
  const open = findKnownValue(anomalies);
  const evaluated = findKnownValue(governance);
  return {
    savings: listMissedSavings(findKnownValue(savings) ?? { items: [] }).map(createSavingValue),
    anomalies: new Anomalies({ count: BigInt(open?.count ?? 0) }),
    governance: new Governance({
      failed: BigInt(evaluated?.failed ?? 0),
      total: BigInt(evaluated?.total ?? 0),
    }),
    unit_costs: (findKnownValue(unitCosts) ?? []).map(createUnitCostValue),
    governance_prompts: (findKnownValue(prompts) ?? []).flatMap(createPromptValues),
  };
}

const findKnownValue = <T>(fact: Fact<T>): T | null => (fact.state === "known" ? fact.value : null);

function createSavingValue({ address, workspace, resourceType, monthly }: Savings["items"][number]): object {
  const { currency } = monthly;
  return new Saving({
    address,
    type: resourceType,
    workspace,
    monthly: createAmount(monthly.amount, currency),
    currency,
  });
}

function createDriftValues({ stage, workspace, currency, split }: DriftSplit): readonly object[] {
  if (split === null) return [];
  const { drift, own } = split;
  const amounts = { drift: createAmount(drift, currency), own: createAmount(own, currency), currency };
  return [new Drift({ stage, workspace, ...amounts })];
}

const createLifetimeValue = ({ stage, workspace, currency, lifetimeMs, amount: sum }: LifetimeCost): object =>
  new Lifetime({
    stage,
    workspace,
    hours: lifetimeMs / HOUR_MS,
    amount: createAmount(sum, currency),
    currency,
  });

/** One value per Terraform resource type, so that conditions can use the type names of the code. */
const createPromptValues = ({ resource, types, description }: GovernancePromptFact): readonly object[] =>
  types.map((type) => new GovernancePrompt({ resource, type, description }));

function createUnitCostValue({ metric, name, perspective, before, after, currency }: UnitCostFact): object {
  const change = before === null || after === null ? null : minus(after, before);
  const percent = computePercent({ before, change });
  return new UnitCost({
    metric,
    name,
    perspective: perspective ?? "",
    before: createAmount(before, currency),
    after: createAmount(after, currency),
    percent,
    currency,
  });
}

const UNKNOWN_DELTA: CostDelta = { before: null, after: null, change: null, percent: null };

const createPullValue = ({ number, author, baseRef, draft, labels, paths }: EvaluationContext): object =>
  new Pull({
    number: BigInt(number),
    author: author ?? "",
    base: baseRef,
    draft,
    labels: labels ?? [],
    paths,
  });

function amountValues(line: CostDelta, currency: string): object {
  const [before, after] = [createAmount(line.before, currency), createAmount(line.after, currency)];
  return {
    before,
    after,
    change: createAmount(line.change, currency),
    percent: computePercent(line),
    currency,
  };
}

const createAmount = (value: Decimal | null, currency: string): ConditionAmount =>
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

function createStageValue(stage: StageReport): object {
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

function createResourceValue(resource: ResourceReport): object {
  const { address, type, module, workspace, stage, action, currency } = resource;
  const place = { address, type, provider: parseProvider(type), module, workspace, stage };
  return new Resource({
    ...place,
    action: action ?? "",
    ...amountValues(resource, currency),
  });
}

const createInvocationValues = (stage: StageReport): readonly object[] =>
  (stage.planNotes?.invocations.listed ?? []).map(({ resource, event, ...invocation }) => {
    const place = { workspace: stage.workspace, stage: buildStageKey(stage) };
    const provider = parseProvider(invocation.type);
    return new Invocation({
      ...invocation,
      ...place,
      provider,
      resource: resource ?? "",
      event: event ?? "",
    });
  });

function createRowValue({ address, type, module, workspace, stage, change }: ReportedRow): object {
  return new Row({ address, type, provider: parseProvider(type), module, workspace, stage, action: change });
}
