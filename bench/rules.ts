import { evaluatePolicy } from "../src/policy/evaluate-policy.ts";
import { parsePolicy } from "../src/policy/file/parse.ts";
import type { Policy } from "../src/policy/model/policy.ts";
import { buildReport } from "../src/report/build.ts";
import { NO_FACTS } from "../src/report/model/context.ts";
import type { Report } from "../src/report/model/report.ts";
import { evaluation } from "../test/render/evaluation-builder.ts";
import { STAGES, stageOf, TYPES } from "./large-stages.ts";
import type { Prepared } from "./measure.ts";

const RULES = 200;

/** The last one looks at every row, because it finds none. */
const CONDITIONS: readonly ((index: number) => string)[] = [
  (i) => `cost.change > ${i * 1_000} && pull.base == "main"`,
  (i) => `modules.exists(m, m.change > ${i * 10} && m.path.startsWith("m${i}"))`,
  (i) => `resources.exists(r, r.action == "deleted" && r.type == "aws_db_instance" && r.change < -${i})`,
  (i) =>
    `changes.rows.exists(r, r.action == "deleted" && r.type.startsWith("aws_db_") && r.module == "none-${i}")`,
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

const CONTEXT = evaluation().context;

function load(): Policy {
  const parsed = parsePolicy({ repository: { file: "tollgate.yml", text: POLICY }, organisation: null });
  if (parsed.state !== "ok") {
    throw new Error(parsed.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"));
  }
  return parsed.policy;
}

/** Two hundred rules and ten thousand resources. */
export async function prepare(): Promise<Prepared> {
  const policy = load();
  const report: Report = buildReport(
    { ...NO_FACTS, stages: Array.from({ length: STAGES }, (_, number) => stageOf(number)) },
    { stages: [] },
  );
  const { findings } = evaluatePolicy(report, policy, { context: CONTEXT });
  const resources = report.resources.length.toLocaleString("en");
  return {
    measures: [
      { what: `a policy file of ${RULES} rules, read with all its checks`, goal: "< 100 ms", run: load },
      {
        what: `its ${RULES} rules over ${resources} resources (${findings.length} findings)`,
        goal: "≤ 1 s",
        run: () => void evaluatePolicy(report, policy, { context: CONTEXT }),
      },
    ],
  };
}
