import { computePercentChange, type Decimal, minus, sum } from "../../kernel/money.ts";
import type {
  ChangeCounts,
  ChangeKind,
  CostDelta,
  Fact,
  Invocation,
  ResourceChange,
  StageCost,
  StageFacts,
  UnknownReason,
  UsageBasedResources,
  UsageChange,
} from "../../report/model/facts.ts";
import { deriveModulePath } from "../../report/model/module-path.ts";
import type { CaseStage } from "./case-schema.ts";

/** The facts of a stage that a case states. */
export function buildStageFacts(stage: CaseStage): StageFacts {
  const { workspace, status = "succeeded", proven = true, unknown = {} } = stage;
  return {
    org: "org",
    project: "project",
    workspace,
    executionId: `execution-of-${workspace}`,
    stageExecutionId: `stage-of-${workspace}`,
    source: "file",
    proven,
    status,
    createdMs: null,
    cost: toFact(unknown.cost, () => buildStageCost(stage)),
    modules: toFact(unknown.modules ?? unknown.cost, () => buildModuleCosts(stage)),
    counts: toFact(unknown.changes, () => countChanges(stage)),
    rows: toFact(unknown.rows, () => ({ rows: buildRows(stage), omitted: 0, unread: 0 })),
    planNotes: {
      incomplete: null,
      invocations: { listed: (stage.invocations ?? []).map(buildInvocation), more: 0 },
      failedChecks: [],
    },
    superseded: [],
  };
}

const toFact = <T>(reason: UnknownReason | undefined, make: () => T): Fact<T> =>
  reason === undefined ? { state: "known", value: make() } : { state: "unknown", reason };

type CostPair = readonly [Decimal, Decimal];
const toDelta = ([before, after]: CostPair): CostDelta => ({
  before,
  after,
  change: minus(after, before),
  percent: computePercentChange(before, after),
});

/** An address with its cost before and after. */
type AddressCost = readonly [string, CostPair];
const listPriced = ({ resources = {} }: CaseStage): readonly AddressCost[] => Object.entries(resources);

const sumAddressCosts = (parts: readonly AddressCost[]): CostPair => [
  sum(parts.map(([, [before]]) => before)),
  sum(parts.map(([, [, after]]) => after)),
];

const computeTotal = (stage: CaseStage): CostPair => {
  const [before, after] = sumAddressCosts(listPriced(stage));
  return [stage.before ?? before, stage.after ?? after];
};

function buildStageCost(stage: CaseStage): StageCost {
  const byType = Map.groupBy(listPriced(stage), ([address]) => parseType(address));
  const { unpriced = {}, unknown, currency = "USD" } = stage;
  return {
    ...toDelta(computeTotal(stage)),
    currency,
    completeness: "complete",
    problems: [],
    groups: [...byType].map(([type, own]) => ({
      type,
      ...toDelta(sumAddressCosts(own)),
      resources: own.map(([address, cost]) => ({ address, components: [], ...toDelta(cost) })),
    })),
    unpriced:
      unknown?.unpriced === undefined
        ? { count: Object.values(unpriced).reduce((total, count) => total + count, 0), types: unpriced }
        : null,
    ...(unknown?.usage === undefined && { usage: buildUsage(stage) }),
    partsAreWhole: false,
  };
}

const USAGE_CHANGES: readonly UsageChange[] = [
  "added",
  "changed",
  "deleted",
  "given",
  "unchanged",
  "unstated",
];

function buildUsage({ usage = {} }: CaseStage): UsageBasedResources {
  const resources = USAGE_CHANGES.flatMap((change) =>
    (usage[change] ?? []).map((address) => ({ address, type: parseType(address), change })),
  );
  return { resources, unnamed: usage.unnamed ?? 0, unnamedUnchanged: 0 };
}

function buildModuleCosts(stage: CaseStage) {
  const { modules, currency = "USD" } = stage;
  const priced = listPriced(stage);
  const byModule = Map.groupBy(priced, ([address]) => deriveModulePath(address));
  const derived: readonly AddressCost[] =
    priced.length === 0
      ? [["root", computeTotal(stage)]]
      : [...byModule].map(([module, own]) => [module, sumAddressCosts(own)]);
  const moduleCosts = modules === undefined ? derived : Object.entries(modules);
  return moduleCosts.map(([module, cost]) => ({ module, currency, ...toDelta(cost) }));
}

/** Cases contain no moved resources: rules do not see them. */
type CaseKind = Exclude<ChangeKind, "moved">;

const KINDS: readonly CaseKind[] = [
  "added",
  "changed",
  "deleted",
  "replaced",
  "imported",
  "removed",
  "drifted",
];

const buildInvocation = (address: string): Invocation => ({
  address,
  type: parseType(address),
  module: deriveModulePath(address),
  resource: null,
  event: null,
});

const buildRows = ({ rows = {} }: CaseStage): readonly ResourceChange[] =>
  KINDS.flatMap((change) =>
    (rows[change] ?? []).map((address) => ({
      address,
      type: parseType(address),
      module: deriveModulePath(address),
      change,
    })),
  );

/** A replacement counts once as added, once as deleted and once as replaced. */
function countChanges({ rows = {}, changes = {} }: CaseStage): ChangeCounts {
  const count = (...kinds: readonly CaseKind[]) =>
    kinds.reduce((total, kind) => total + (rows[kind]?.length ?? 0), 0);
  const replaced = changes.replaced ?? count("replaced");
  return {
    added: changes.added ?? count("added") + replaced,
    changed: changes.changed ?? count("changed"),
    deleted: changes.deleted ?? count("deleted") + replaced,
    replaced,
    imported: changes.imported ?? count("imported"),
    removed: changes.removed ?? count("removed"),
    unchanged: changes.unchanged ?? 0,
    drifted: changes.drifted ?? count("drifted"),
  };
}

/** The type in an address: `aws_instance` of `module.web["a.b"].aws_instance.this[0]`. */
function parseType(address: string): string {
  const steps = address.replaceAll(/\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]/g, "").split(".");
  return steps.at(-2) ?? address;
}
