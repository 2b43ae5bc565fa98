import type { Sha } from "../kernel/ids.ts";
import { decimal } from "../kernel/money.ts";
import { decideCheck, determineHold } from "../policy/check/decide-check.ts";
import { type Approval, NO_APPROVALS } from "../policy/model/approval.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import type { Finding } from "../policy/model/finding.ts";
import type { Override } from "../policy/model/override.ts";
import type { Situation } from "../policy/model/situation.ts";
import { NO_CONTEXT } from "../report/model/context.ts";
import type { Report, ResourceReport, StageReport } from "../report/model/report.ts";
import type { CommandAnswer } from "./answers/answer.ts";

const SHA = "3f2c9a41d0b7e6588c1f4a92be07d35c6a1e9f80" as Sha; // 40 hexadecimal digits
const STAGE = "default/payments/production";
const MONEY = { amount: decimal("500"), currency: "USD" };
const COST = {
  currency: "USD",
  before: decimal("100"),
  after: decimal("700"),
  change: decimal("600"),
  percent: decimal("600"),
  state: "known",
  because: [],
} as const;

const stage: StageReport = {
  ...COST,
  org: "default",
  project: "payments",
  workspace: "production",
  name: "production",
  executionId: "kX7pQ2mVTzW9",
  source: "status",
  proven: true,
  status: "succeeded",
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
  createdMs: null,
  superseded: ["older"],
};

const resource: ResourceReport = {
  address: "module.database.aws_db_instance.main",
  type: "aws_db_instance",
  module: "database",
  workspace: "production",
  stage: STAGE,
  currency: "USD",
  before: decimal("100"),
  after: decimal("700"),
  change: decimal("600"),
  percent: null,
  action: "changed",
  changedAttributes: ["instance_class"],
  usageBased: true,
};

const report: Report = {
  totals: [COST],
  stages: [
    stage,
    { ...stage, workspace: "staging", name: "staging", state: "partial", because: ["not_stated"] },
  ],
  modules: [{ ...COST, module: "database", unattributed: false }],
  modulesBecause: ["not_indexed"],
  resourceTypes: [],
  resources: [resource],
  changes: {
    added: 1,
    changed: 2,
    deleted: 2,
    replaced: 1,
    imported: 1,
    removed: 1,
    unchanged: 0,
    drifted: 1,
  },
  changesAreComplete: true,
  rows: [
    {
      address: resource.address,
      type: resource.type,
      module: "database",
      change: "deleted",
      workspace: "production",
      stage: STAGE,
    },
  ],
  omittedRows: 3,
  unpriced: { count: 2, types: { aws_iot_thing: 2 } },
  unpricedIsComplete: true,
  refused: [{ org: "x", project: "y", executionId: "z", reason: "not_granted" }],
  drift: [],
  lifetimes: [],
  context: NO_CONTEXT,
};

const finding: Finding = {
  rule: "monthly-increase",
  outcome: "violated",
  enforce: "block",
  onUnknown: "block",
  mandatory: false,
  limit: { kind: "increase", amount: MONEY },
  per: "stage",
  subject: "production",
  others: 0,
  measured: { kind: "money", amount: decimal("600"), currency: "USD" },
  because: [],
  message: "Ask the owners of the budget.",
  items: ["production"],
  waiver: null,
  approve: null,
  approved: false,
};
const warning: Finding = { ...finding, rule: "warning", enforce: "warn" };
const passed: Finding = { ...finding, rule: "passed", outcome: "passed" };
const undecided: Finding = {
  ...finding,
  rule: "undecided",
  outcome: "undecided",
  measured: null,
  because: [
    { kind: "unknown", reason: "not_estimated" },
    { kind: "other_currency", found: "EUR", expected: "USD" },
  ],
};

/** One situation of each kind. */
const SITUATIONS: readonly Situation[] = [
  { kind: "evaluated", verdict: { kind: "pass", findings: [passed] } },
  { kind: "evaluated", verdict: { kind: "warn", findings: [warning, passed] } },
  { kind: "evaluated", verdict: { kind: "block", findings: [finding, warning, undecided] } },
  { kind: "evaluated", verdict: { kind: "undecided", findings: [undecided] } },
  { kind: "draft", verdict: null, missing: [{ workspace: "production", state: "missing" }] },
  { kind: "waiting", missing: [{ workspace: "production", state: "pending" }], deadlineMs: 0 },
  { kind: "waiting", missing: [], unread: ["anomalies"], deadlineMs: 0 },
  { kind: "waiting", missing: [], needsTurn: true, deadlineMs: 0 },
  { kind: "deadline_passed", missing: [{ workspace: null, state: "missing" }] },
  {
    kind: "policy_invalid",
    problems: [
      {
        file: "acme/payments:.github/tollgate.yml",
        line: 3,
        column: 5,
        path: "rules",
        message: "expected a list",
      },
    ],
  },
  { kind: "policy_unreadable", which: "repository", reason: "too_large" },
  { kind: "cost_unreadable", workspaces: ["production"] },
  { kind: "execution_unreadable", executions: [{ executionId: "kX7pQ2mVTzW9", reason: "not_listed" }] },
  { kind: "failed", cause: "own_error" },
  { kind: "nothing_expected" },
  { kind: "no_policy", alwaysCheck: false },
];

const approval: Approval = {
  id: "comment:1",
  approver: { id: 1, login: "dana" },
  headSha: SHA,
  baseRef: "main",
  givenMs: 0,
  reason: "load test",
  upTo: { amount: decimal("700"), currency: "USD" },
  covered: [{ rule: "monthly-increase", wording: "", groups: [0], findings: [] }],
  violated: ["monthly-increase"],
  ground: [],
  figures: "",
};

/** The common members of all samples. */
const COMMON: Omit<Evaluation, "situation" | "check"> = {
  pull: {
    repositoryId: 1,
    number: 7,
    repository: "acme/payments",
    headSha: SHA,
    baseRef: "main",
    figures: true,
    draft: false,
  },
  report,
  context: {
    number: 7,
    author: "dana",
    labels: [],
    baseRef: "main",
    draft: false,
    paths: [],
    pathsComplete: true,
    nowMs: 0,
    budgetUse: null,
  },
  approvals: {
    live: [approval],
    lapsed: [{ approval, why: { kind: "ground_changed" } }],
    missing: [{ rule: "monthly-increase", groups: [] }],
  },
  checkName: "tollgate: main",
  policySources: [{ repository: "acme/payments", path: ".github/tollgate.yml", ref: "main", blob: SHA }],
  policyEdit: {
    outcome: { kind: "evaluated", verdict: "pass" },
    addedRules: ["added"],
    changedRules: ["changed"],
    removedRules: [],
    addedWaivers: ["waived"],
    removedWaivers: [],
    otherParts: ["expect"],
    past: { compared: 2, changed: [{ from: "pass", to: "block", pulls: [5] }] },
  },
  quiet: false,
  commentMode: "update",
  foreignChecks: ["mallory"],
  previous: { headSha: SHA, totals: [{ ...COST, change: decimal("1") }] },
  sections: null,
  afterMerge: {
    days: 7,
    compared: 1,
    workspaces: 2,
    totals: [{ currency: "USD", estimated: decimal("600"), actual: decimal("610") }],
  },
};

const EVALUATED: readonly Evaluation[] = SITUATIONS.map((situation) => ({
  ...COMMON,
  situation,
  check: decideCheck(situation, NO_APPROVALS),
}));

const override: Override = {
  id: "comment:2",
  person: { id: 2, login: "erin" },
  headSha: SHA,
  baseRef: "main",
  policyBlobs: SHA,
  givenMs: 0,
  reason: "the site is down",
};

/** One evaluation per situation, and overridden ones; they are used to fill the templates of comment and check. */
export const SAMPLE_EVALUATIONS: readonly Evaluation[] = [
  ...EVALUATED,
  ...EVALUATED.filter(({ situation }) => determineHold(situation, NO_APPROVALS) === "held").map(
    (evaluation) => ({
      ...evaluation,
      check: decideCheck(evaluation.situation, NO_APPROVALS, override),
      override,
    }),
  ),
];

/** Answers to commands, one of each kind. */
export const SAMPLE_ANSWERS: readonly CommandAnswer[] = [
  { kind: "help" },
  { kind: "nothing_to_revoke" },
  { kind: "explain", rule: null },
  { kind: "malformed", problem: { kind: "reason" } },
  { kind: "refused", why: { kind: "nothing_to_approve" } },
  { kind: "override_refused", why: { kind: "not_named" } },
];
