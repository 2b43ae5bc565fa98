import { decimal, sum } from "../src/kernel/money.ts";
import type {
  ComponentCost,
  CostDelta,
  ResourceChange,
  ResourceGroup,
  StageFacts,
} from "../src/report/model/facts.ts";

const RESOURCES = 10_000;
export const STAGES = 4;
const MODULES = 500;
export const TYPES = ["aws_instance", "aws_db_instance", "aws_s3_bucket", "aws_lb", "aws_nat_gateway"];

export const change = (index: number): CostDelta => {
  const by = decimal(`${(index % 97) + 1}.${(index % 9) + 1}`);
  return { before: decimal("100"), after: sum([decimal("100"), by]), change: by, percent: null };
};

function total(parts: readonly CostDelta[]): CostDelta {
  const of = (which: "before" | "after" | "change") => sum(parts.flatMap((part) => part[which] ?? []));
  return { before: of("before"), after: of("after"), change: of("change"), percent: null };
}

const addressOf = (index: number): string =>
  `module.m${index % MODULES}.${TYPES[index % TYPES.length]}.this["${index}"]`;

/** One of four stages, each resource with these price components: 2,500 priced resources of five types in 500 modules, a row for each, 50 of them deletions. */
export function stageOf(number: number, components: readonly ComponentCost[] = []): StageFacts {
  const own = Array.from({ length: RESOURCES / STAGES }, (_, index) => index * STAGES + number);
  const groups = TYPES.map((type, which): ResourceGroup => {
    const resources = own
      .filter((index) => index % TYPES.length === which)
      .map((index) => ({ ...change(index), address: addressOf(index), components }));
    return { type, ...total(resources), resources };
  });
  const rows = own.map((index, at): ResourceChange => {
    const type = TYPES[index % TYPES.length] ?? "";
    return {
      address: addressOf(index),
      type,
      module: `m${index % MODULES}`,
      change: at < 50 ? "deleted" : "changed",
    };
  });
  const modules = [...Map.groupBy(own, (index) => `m${index % MODULES}`)].map(([module, indexes]) => ({
    module,
    currency: "USD",
    ...total(indexes.map(change)),
  }));
  const known = <T>(value: T) => ({ state: "known", value }) as const;
  const counts = { added: 0, changed: own.length - 50, deleted: 50, replaced: 0, imported: 0, removed: 0 };
  return {
    org: "o",
    project: "p",
    workspace: `stage-${number}`,
    executionId: `e${number}`,
    stageExecutionId: `s${number}`,
    source: "status",
    proven: true,
    status: "succeeded",
    createdMs: 1,
    cost: known({
      ...total(groups),
      currency: "USD",
      completeness: "complete",
      problems: [],
      groups,
      unpriced: { count: 0, types: {} },
      partsAreWhole: false,
    }),
    modules: known(modules),
    counts: known({ ...counts, unchanged: 0, drifted: 0 }),
    rows: known({ rows, omitted: 0, unread: 0 }),
    superseded: [],
  };
}
