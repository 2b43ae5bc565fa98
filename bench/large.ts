import { buildChangesFromRows } from "../src/evaluate/facts/change-facts.ts";
import { toCostFact, toModulesFact } from "../src/evaluate/facts/platform-facts.ts";
import { readEstimate } from "../src/plan-files/estimate/read-estimate.ts";
import { CostChange, ModuleCosts } from "../src/platform/contract/cost-changes.ts";
import type { ChangeRow } from "../src/platform/contract/resource-changes.ts";
import { evaluatePolicy } from "../src/policy/evaluate-policy.ts";
import { parsePolicy } from "../src/policy/file/parse.ts";
import { createRenderer } from "../src/render/renderer.ts";
import { buildReport } from "../src/report/build.ts";
import { NO_FACTS } from "../src/report/model/context.ts";
import type { StageFacts } from "../src/report/model/facts.ts";
import { loadTemplates } from "../src/wiring/process/templates.ts";
import { inPieces, utf8 } from "../test/plan-files/bytes.ts";
import { scan, scanProject, scanResource } from "../test/plan-files/estimate-builder.ts";
import { evaluation } from "../test/render/evaluation-builder.ts";
import type { Prepared } from "./measure.ts";

const ROWS = 100_000;
const MODULES = 5_000;
const RESOURCES = 10_000;

const amounts = (change: number) => ({
  previous_monthly_cost: "10.5",
  current_monthly_cost: (10.5 + change).toFixed(2),
  diff_monthly_cost: change.toFixed(2),
  percentage_change_monthly_cost: 1,
});
const totals = (change: number) => ({
  past_total_monthly_cost: "1000000",
  total_monthly_cost: (1_000_000 + change).toFixed(2),
  diff_total_monthly_cost: change.toFixed(2),
  percentage_change_total_monthly_cost: 1,
});
const STAGE = { stage_execution_id: "s", stage_id: "s", workspace_id: "production" };

/** The three answers of the platform for one very large stage, as text. */
function bodies(): { costs: string; modules: string; rows: string } {
  const resources = Array.from({ length: RESOURCES }, (_, index) => ({
    name: `module.m${index % MODULES}.aws_instance.web[${index}]`,
    ...amounts((index % 100) / 10),
    subresources: {
      "Instance usage (Linux/UNIX, on-demand, m5.large)": amounts(1),
      root_block_device: amounts(0.5),
    },
  }));
  const diff = { aws_instance: { ...amounts(5), diff: resources } };
  const costs = [{ currency: "USD", diff, ...totals(49_500), ...STAGE }];
  const perModule = Object.fromEntries(
    Array.from({ length: MODULES }, (_, index) => [
      `m${index}`,
      { currency: "USD", diff: {}, ...totals(9.9), ...STAGE },
    ]),
  );
  const rows = Array.from({ length: ROWS }, (_, ordinal) => ({
    category: "planned_changes",
    ordinal,
    change: ordinal < 1_000 ? "deleted" : ordinal < 60_000 ? "added" : "changed",
    change_count: 3,
    module: `m${ordinal % MODULES}`,
    name: "web",
    provider: "aws",
    resource_address: `module.m${ordinal % MODULES}.aws_instance.web[${ordinal}]`,
    type: "aws_instance",
  }));
  return {
    costs: JSON.stringify(costs),
    modules: JSON.stringify([{ modules: perModule, ...STAGE }]),
    rows: JSON.stringify(rows),
  };
}

const POLICY = `version: 1
rules:
  - { id: increase, limit: { increase: 500 USD } }
  - { id: per-module, limit: { increase: 5 USD }, per: module, enforce: warn }
  - { id: deletions, limit: { deletions: 10 } }
`;

const CONTEXT = evaluation().context;

interface Parsed {
  readonly cost: CostChange;
  readonly modules: ModuleCosts;
  readonly rows: readonly ChangeRow[];
}

/** Facts, report, rules and words from answers that are parsed. */
function decideAndRender(parsed: Parsed, renderer: ReturnType<typeof createRenderer>): number {
  const counts = {
    added: 59_000,
    changed: 40_000,
    deleted: 1_000,
    unchanged: 0,
    removed: 0,
    imported: 0,
    drifted: 0,
  };
  const planned = { rows: parsed.rows, replacementsKnown: true };
  const changes = buildChangesFromRows({ counts, planned, drift: { rows: [], total: 0 } });
  const stage: StageFacts = {
    org: "o",
    project: "p",
    workspace: "production",
    executionId: "e",
    stageExecutionId: "s",
    source: "status",
    proven: true,
    status: "succeeded",
    createdMs: 1,
    cost: toCostFact({ ok: true, value: parsed.cost, headers: {} }),
    modules: toModulesFact({ ok: true, value: parsed.modules, headers: {} }),
    ...changes,
    superseded: [],
  };
  const policy = parsePolicy({ repository: { file: "tollgate.yml", text: POLICY }, organisation: null });
  if (policy.state !== "ok") throw new Error("the bench's policy is not valid");
  const report = buildReport({ ...NO_FACTS, stages: [stage] }, { stages: [] });
  const situation = {
    kind: "evaluated",
    verdict: evaluatePolicy(report, policy.policy, { context: CONTEXT }),
  } as const;
  const subject = evaluation({ report, situation });
  const links = { details: null, recheckHint: true };
  return renderer.comment(subject, links).length + renderer.check(subject, links).summary.length;
}

/** A scan of Infracost 2, each resource of which costs so much per month. */
const scanOf = (cost: number): string =>
  JSON.stringify(
    scan([
      scanProject(
        Array.from({ length: RESOURCES }, (_, index) =>
          scanResource(`module.m${index % MODULES}.aws_instance.web[${index}]`, { cost }),
        ),
      ),
    ]),
  );

const toInput = (file: string, text: string) => ({ file, bytes: inPieces(utf8(text)) });
const readScans = (head: string, base: string) =>
  readEstimate({ ...toInput("head.json", head), base: toInput("base.json", base), fallback: "shop" });

/** A pull request as large as they get, beside JSON.parse of the answers that describe it. */
export async function prepare(): Promise<Prepared> {
  const texts = bodies();
  const parse = () => [JSON.parse(texts.costs), JSON.parse(texts.modules), JSON.parse(texts.rows)] as const;
  const renderer = createRenderer(loadTemplates());
  const [costs, modules, rows] = parse();
  const read: Parsed = { cost: CostChange.parse(costs[0]), modules: ModuleCosts.parse(modules[0]), rows };
  const [head, base] = [scanOf(73.5), scanOf(73)];
  const size = Math.round((texts.costs.length + texts.modules.length + texts.rows.length) / 1e6);
  return {
    measures: [
      {
        what: `facts, report, rules, comment and check of ${size} MB, against JSON.parse`,
        goal: "≤ 4 ×",
        rounds: 7,
        warmUp: 1,
        run: () => void decideAndRender(read, renderer),
        floor: () => void parse(),
      },
      {
        what: `two scans of ${RESOURCES.toLocaleString("en")} resources, read and compared, against JSON.parse`,
        goal: "≤ 2 s",
        rounds: 7,
        warmUp: 1,
        run: () => readScans(head, base).then(() => {}),
        floor: () => void [head, base].map((text) => JSON.parse(text)),
      },
    ],
  };
}
