import { readdirSync, readFileSync } from "node:fs";
import { parseSha, type Sha } from "../../src/kernel/ids.ts";
import { computePercentChange, type Decimal, decimal, minus, sumKnown } from "../../src/kernel/money.ts";
import { decideCheck } from "../../src/policy/decide-check.ts";
import { type Approval, NO_APPROVALS } from "../../src/policy/model/approval.ts";
import type { EvaluatedPull, Evaluation } from "../../src/policy/model/evaluation.ts";
import type { Finding, TagProblem, Verdict } from "../../src/policy/model/finding.ts";
import type { Situation } from "../../src/policy/model/situation.ts";
import { NO_CONTEXT, type Saving, type UnitCost } from "../../src/report/model/context.ts";
import type { ChangeCounts, ModuleCost } from "../../src/report/model/facts.ts";
import type {
  ModuleReport,
  Report,
  ReportedRow,
  ResourceReport,
  StageReport,
  TagReport,
  TotalReport,
} from "../../src/report/model/report.ts";

import { CONTEXT } from "../policy/policies.ts";

/** The templates of comments and checks, as wiring hands them out. */
export function templates(): Record<string, string> {
  const folder = new URL("../../templates/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".hbs"),
  );
  return Object.fromEntries(
    files.map((file) => [file.slice(0, -".hbs".length), readFileSync(new URL(file, folder), "utf8")]),
  );
}

export const HEAD: Sha = sha("3f2c9a41d0b7e6588c1f4a92be07d35c6a1e9f80");
const BLOB = "9b1d04c7e2a85f3360b4cd1872fe95a0b3c6d7e8";

function sha(text: string): Sha {
  const parsed = parseSha(text);
  if (parsed === null) throw new RangeError(text);
  return parsed;
}

/** A stage whose cost goes from the first amount to the second; everything else may be named. */
export function stage(
  workspace: string,
  [from, to]: readonly [string, string],
  rest: Partial<StageReport> = {},
): StageReport {
  const [before, after] = [decimal(from), decimal(to)];
  return {
    org: "default",
    project: "payments",
    workspace,
    name: workspace,
    executionId: "kX7pQ2mVTzW9",
    source: "status",
    proven: true,
    status: "succeeded",
    currency: "USD",
    before,
    after,
    change: minus(after, before),
    percent: computePercentChange(before, after),
    state: "known",
    because: [],
    omittedRows: 0,
    unreadRows: 0,
    narrowed: null,
    rowsBecause: null,
    modules: null,
    modulesBecause: null,
    types: null,
    counts: null,
    countsBecause: null,
    unpriced: null,
    problems: [],
    notices: [],
    createdMs: null,
    superseded: [],
    ...rest,
  };
}

/** A stage of which nothing is known. */
export const unknownStage = (workspace: string, rest: Partial<StageReport> = {}): StageReport =>
  stage(workspace, ["0", "0"], {
    currency: null,
    before: null,
    after: null,
    change: null,
    percent: null,
    state: "unknown",
    because: ["not_estimated"],
    ...rest,
  });

export const module = (path: string, change: string, rest: Partial<ModuleReport> = {}): ModuleReport => ({
  module: path,
  unattributed: false,
  currency: "USD",
  before: null,
  after: null,
  change: decimal(change),
  percent: null,
  state: "known",
  because: [],
  ...rest,
});

/** A line of the cost by tag, of something that costs nothing before unless told otherwise. */
export const tagLine = (
  kind: TagReport["kind"],
  change: string,
  rest: Partial<TagReport> = {},
): TagReport => ({
  ...{ kind, value: null, currency: "USD", state: "known", because: [] },
  ...{ before: decimal("0"), after: decimal(change), change: decimal(change), percent: null },
  ...rest,
});

/** What a module costs in one stage. */
export const moduleCost = (path: string, change: string): ModuleCost => ({
  module: path,
  currency: "USD",
  before: null,
  after: null,
  change: decimal(change),
  percent: null,
});

export function resource(
  address: string,
  change: string,
  rest: Partial<ResourceReport> = {},
): ResourceReport {
  return {
    address,
    type: "aws_instance",
    module: "root",
    workspace: "prod-network",
    stage: "default/payments/prod-network",
    currency: "USD",
    before: null,
    after: null,
    change: decimal(change),
    percent: null,
    action: null,
    changedAttributes: null,
    usageBased: false,
    ...rest,
  };
}

export const row = (
  change: ReportedRow["change"],
  address: string,
  workspace = "prod-network",
): ReportedRow => ({
  address,
  type: address.split(".").at(-2) ?? "",
  module: "root",
  change,
  workspace,
  stage: `default/payments/${workspace}`,
});

const NO_CHANGES: ChangeCounts = {
  added: 0,
  changed: 0,
  deleted: 0,
  replaced: 0,
  imported: 0,
  removed: 0,
  unchanged: 0,
  drifted: 0,
};

export const changes = (some: Partial<ChangeCounts>): ChangeCounts => ({ ...NO_CHANGES, ...some });

/** A report of these stages, with totals as the real one has them: one per currency; an unknown stage leaves none known. */
export function report(stages: readonly StageReport[], rest: Partial<Report> = {}): Report {
  return {
    totals: totalsOf(stages),
    stages,
    modules: [],
    modulesBecause: [],
    resourceTypes: [],
    resources: [],
    changes: null,
    changesAreComplete: true,
    rows: [],
    omittedRows: 0,
    unpriced: null,
    unpricedIsComplete: true,
    refused: [],
    drift: [],
    lifetimes: [],
    context: NO_CONTEXT,
    ...rest,
  };
}

function totalsOf(stages: readonly StageReport[]): TotalReport[] {
  const currencies = [...new Set(stages.flatMap(({ currency }) => (currency === null ? [] : [currency])))];
  const partly = stages.some(({ state }) => state !== "known");
  return currencies.map((currency) => {
    const own = stages.filter((one) => one.currency === currency || one.currency === null);
    const before = sumKnown(own.map((one) => one.before));
    const after = sumKnown(own.map((one) => one.after));
    const change = sumKnown(own.map((one) => one.change));
    const percent = before === null || after === null ? null : computePercentChange(before, after);
    return { currency, before, after, change, percent, state: partly ? "partial" : "known", because: [] };
  });
}

export const money = (amount: string, currency = "USD") => ({ amount: decimal(amount), currency });

/** A violated blocking limit on the increase, unless told otherwise. */
export const finding = (rule: string, rest: Partial<Finding> = {}): Finding => ({
  rule,
  outcome: "violated",
  enforce: "block",
  onUnknown: "block",
  mandatory: false,
  limit: { kind: "increase", amount: money("500") },
  per: "pull-request",
  subject: null,
  others: 0,
  measured: { kind: "money", ...money("2918.40") },
  because: [],
  message: null,
  items: [],
  waiver: null,
  approve: null,
  approved: false,
  ...rest,
});

/** A missing tag, unless told otherwise. */
export const tagProblem = (item: string, key: string, rest: Partial<TagProblem> = {}): TagProblem => ({
  ...{ item, key, found: null, nearest: null, otherKey: null, pattern: null, values: [], moreValues: 0 },
  ...rest,
});

export const passed = (rule: string): Finding =>
  finding(rule, { outcome: "passed", measured: { kind: "money", ...money("1") } });

/** An approval of the head for `monthly-increase`, unless told otherwise. */
export const approval = (rest: Partial<Approval> = {}): Approval => ({
  ...{ id: "comment:1", approver: { id: 1, login: "dana" }, headSha: HEAD, baseRef: "main", givenMs: 0 },
  ...{ reason: "load test", upTo: money("700"), violated: ["monthly-increase"], ground: [], figures: "" },
  covered: [{ rule: "monthly-increase", ruleText: "", groups: [0], findings: [] }],
  ...rest,
});

export const saving = (address: string, monthly: string, rest: Partial<Saving> = {}): Saving => ({
  ...{ recommendationId: "r", address, workspace: "prod", resourceType: address.split(".").at(-2) ?? "" },
  ...{ change: "changed", monthly: money(monthly) },
  ...rest,
});

export const unitCost = (
  name: string,
  before: string,
  after: string | null,
  rest: Partial<UnitCost> = {},
): UnitCost => ({
  ...{ metric: name, name, perspective: null, asOf: null, currency: "USD" },
  ...{ before: decimal(before), after: after === null ? null : decimal(after) },
  ...rest,
});

export const evaluatedSituation = (kind: Verdict["kind"], findings: readonly Finding[] = []): Situation => ({
  kind: "evaluated",
  verdict: { kind, findings },
});

type Parts = Partial<Omit<Evaluation, "pull" | "check">> & { readonly pull?: Partial<EvaluatedPull> };

/** A passing evaluation of nothing, with whatever is named. */
export function evaluation({ pull, ...rest }: Parts = {}): Evaluation {
  const situation = rest.situation ?? evaluatedSituation("pass", [passed("monthly-increase")]);
  return {
    pull: {
      repositoryId: 1001,
      number: 7,
      repository: "acme/payments",
      headSha: HEAD,
      baseRef: "main",
      figures: true,
      draft: false,
      ...pull,
    },
    report: report([]),
    context: CONTEXT,
    checkName: "tollgate: main",
    policySources: [{ repository: "acme/payments", path: ".github/tollgate.yml", ref: "main", blob: BLOB }],
    policyEdit: null,
    quiet: false,
    commentMode: "update",
    foreignChecks: [],
    previous: null,
    sections: null,
    situation,
    approvals: NO_APPROVALS,
    check: decideCheck(situation, rest.approvals ?? NO_APPROVALS),
    ...rest,
  };
}

/** Reads "−$1,234.50" as -1234.5: what a person adds up. Null for anything that is no single amount. */
export function readAmount(text: string): Decimal | null {
  const digits = /^([+−]?)(?:\$|€|¤|[A-Z]{3}\u00a0)([\d,]+(?:\.\d+)?)$/u.exec(
    text.replaceAll("*", "").trim(),
  );
  if (digits === null) return null;
  return decimal((digits[1] === "−" ? "-" : "") + (digits[2] ?? "").replaceAll(",", ""));
}
