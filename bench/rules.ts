import { decimal, sum } from "../src/kernel/money.ts";
import { evaluatePolicy } from "../src/policy/evaluate/evaluate-policy.ts";
import { parsePolicy } from "../src/policy/file/parse.ts";
import type { EvaluationContext } from "../src/policy/model/context.ts";
import type { Policy } from "../src/policy/model/policy.ts";
import { buildReport } from "../src/report/build.ts";
import type { CostDelta, ResourceChange, ResourceGroup, StageFacts } from "../src/report/model/facts.ts";
import type { Report } from "../src/report/model/report.ts";
import { NO_FACTS } from "../src/report/no-facts.ts";
import { type Figure, median, ms } from "./figures.ts";

const RULES = 200;
const RESOURCES = 10_000;
const STAGES = 4;
const MODULES = 500;
const TYPES = ["aws_instance", "aws_db_instance", "aws_s3_bucket", "aws_lb", "aws_nat_gateway"];
const ROUNDS = 15;

const change = (index: number): CostDelta => {
  const by = decimal(`${(index % 97) + 1}.${(index % 9) + 1}`);
  return { before: decimal("100"), after: sum([decimal("100"), by]), change: by, percent: null };
};

function total(parts: readonly CostDelta[]): CostDelta {
  const of = (which: "before" | "after" | "change") => sum(parts.flatMap((part) => part[which] ?? []));
  return { before: of("before"), after: of("after"), change: of("change"), percent: null };
}

const addressOf = (index: number): string =>
  `module.m${index % MODULES}.${TYPES[index % TYPES.length]}.this["${index}"]`;

/** One of four stages: 2,500 priced resources of five types in 500 modules, a row for each, 50 of them deletions. */
function stageOf(number: number): StageFacts {
  const own = Array.from({ length: RESOURCES / STAGES }, (_, index) => index * STAGES + number);
  const groups = TYPES.map((type, which): ResourceGroup => {
    const resources = own
      .filter((index) => index % TYPES.length === which)
      .map((index) => ({ ...change(index), address: addressOf(index), components: [] }));
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

/** The last one looks at every row, because it finds none. */
const CONDITIONS: readonly ((index: number) => string)[] = [
  (i) => `cost.change > ${i * 1_000} && pull.base == "main"`,
  (i) => `modules.exists(m, m.change > ${i * 10} && m.path.startsWith("m${i}"))`,
  (i) => `resources.exists(r, r.action == "deleted" && r.type == "aws_db_instance" && r.change < -${i})`,
  (i) =>
    `changes.rows.exists(r, r.change == "deleted" && r.type.startsWith("aws_db_") && r.module == "none-${i}")`,
];

/**
 * A fair mix, one of each kind after the other: limits on money, percent and counts over the whole, by stage, by module and
 * by resource type; scopes that narrow to stages, modules and types; conditions over totals, modules, resources and rows.
 */
const KINDS: readonly ((index: number) => string)[] = [
  (i) => `limit: { increase: ${i * 100} USD }`,
  (i) => `limit: { percent: ${10 + i} }, per: stage, enforce: warn`,
  (i) => `limit: { increase: ${50 + i} USD }, per: module`,
  (i) => `limit: { increase: ${1_000 + i} USD }, per: resource-type`,
  (i) => `limit: { deletions: ${i} }`,
  (i) => `limit: { changes: ${i * 10} }, per: stage, enforce: { "stage-1": warn }`,
  (i) => `limit: { increase: ${i * 10} USD }, scope: { workspaces: ["stage-${i % STAGES}"] }`,
  (i) => `limit: { increase: ${i * 10} USD }, scope: { modules: ["m${i}*"] }`,
  (i) => `limit: { deletions: ${i} }, scope: { resource_types: ["${TYPES[i % TYPES.length]}"] }`,
  (i) => `when: '${CONDITIONS[Math.floor(i / 10) % CONDITIONS.length]?.(i)}'`,
];

const POLICY = `version: 1\nrules:\n${Array.from(
  { length: RULES },
  (_, index) => `  - { id: rule-${index}, ${KINDS[index % KINDS.length]?.(index)} }`,
).join("\n")}\n`;

const CONTEXT: EvaluationContext = {
  number: 1,
  author: "alice",
  labels: [],
  baseRef: "main",
  draft: false,
  paths: ["infra/main.tf"],
  pathsComplete: true,
  nowMs: 0,
  budgetUse: null,
};

function load(): Policy {
  const parsed = parsePolicy({ repository: { file: "tollgate.yml", text: POLICY }, organisation: null });
  if (parsed.state !== "ok") {
    throw new Error(parsed.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"));
  }
  return parsed.policy;
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

const rounds = (work: () => unknown): number =>
  median(Array.from({ length: ROUNDS }, () => timed(work)).slice(3)); // the first ones compile

/** Two hundred rules and ten thousand resources. */
export async function rules(): Promise<readonly Figure[]> {
  const policy = load();
  const report: Report = buildReport(
    { ...NO_FACTS, stages: Array.from({ length: STAGES }, (_, number) => stageOf(number)) },
    { stages: [] },
  );
  const { findings } = evaluatePolicy(report, policy, CONTEXT);
  return [
    {
      what: `a policy file of ${RULES} rules, read with all its checks`,
      value: ms(rounds(load)),
      budget: "< 100 ms",
    },
    {
      what: `its ${RULES} rules over ${report.resources.length.toLocaleString("en")} resources (${findings.length} findings)`,
      value: ms(rounds(() => evaluatePolicy(report, policy, CONTEXT))),
      budget: "< 50 ms",
    },
  ];
}
