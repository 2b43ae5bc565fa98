import { decimal } from "../../src/kernel/money.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import {
  changes,
  evaluatedSituation,
  evaluation,
  finding,
  module,
  money,
  passed,
  report,
  row,
  stage,
  unknownStage,
} from "./evaluation-builder.ts";
import { FIVE } from "./five-changes.ts";

const production = { name: "production" };
const blockedReport = report(
  [
    stage("prod-network", ["9214.55", "12132.95"], production),
    stage("staging-network", ["1202.10", "1310.42"], { name: "staging" }),
  ],
  {
    changes: changes({ added: 4, changed: 2, deleted: 2, replaced: 1, drifted: 1 }),
    rows: [
      row("deleted", "module.database.aws_db_instance.legacy"),
      row("replaced", "module.web.aws_launch_template.app"),
      row("drifted", "aws_security_group.bastion"),
    ],
    unpriced: { count: 3, types: { aws_iot_thing: 2, aws_appsync_api: 1 } },
  },
);

/** Every situation that a reader can meet, by a name. */
export const CASES: Readonly<Record<string, Evaluation>> = {
  ...FIVE,
  unchanged: evaluation({
    report: report(
      [stage("prod-network", ["1303.04", "1303.04"]), stage("staging-network", ["84.20", "84.20"])],
      {
        changes: changes({ changed: 3, unchanged: 120 }),
      },
    ),
    situation: evaluatedSituation("pass", [passed("monthly-increase")]),
  }),
  waiting: evaluation({
    report: report([stage("prod-network", ["9214.55", "9301.15"])], { changes: changes({ added: 1 }) }),
    situation: {
      kind: "waiting",
      missing: [
        { workspace: "staging-network", state: "pending" },
        { workspace: "edge-*", state: "missing" },
      ],
      deadlineMs: 1_795_269_900_000,
    },
  }),
  late: evaluation({
    situation: { kind: "deadline_passed", missing: [{ workspace: null, state: "missing" }] },
  }),
  invalid: evaluation({
    situation: {
      kind: "policy_invalid",
      problems: [
        {
          file: ".github/tollgate.yml",
          line: 12,
          column: 7,
          path: "rules[1].limit.increase",
          message: 'expected an amount with its currency like "500 USD", found "5k"',
        },
        {
          file: ".github/tollgate.yml",
          line: 15,
          column: 3,
          path: "rules[2]",
          message: 'unknown key "enforced", did you mean "enforce"?',
        },
      ],
    },
  }),
  unreadable: evaluation({
    policySources: [],
    situation: {
      kind: "policy_unreadable",
      which: "organisation",
      reason: "not_covered",
    },
  }),
  unread: evaluation({
    report: report([unknownStage("prod-network", { because: ["unavailable"] })]),
    situation: { kind: "cost_unreadable", workspaces: ["prod-network"] },
  }),
  lost: evaluation({
    report: report([unknownStage("e-1", { because: ["not_listed"] })]),
    situation: { kind: "execution_unreadable", executions: [{ executionId: "e-1", reason: "not_listed" }] },
  }),
  failed: evaluation({ situation: { kind: "failed", cause: "own_error" } }),
  nothing: evaluation({ situation: { kind: "nothing_expected" } }),
  "no-policy": evaluation({
    policySources: [],
    report: report([stage("prod-network", ["84.2", "96.6"])], { changes: changes({ added: 1 }) }),
    situation: { kind: "no_policy", alwaysCheck: false },
  }),
  public: evaluation({
    ...{ report: blockedReport, pull: { figures: false } },
    situation: evaluatedSituation("block", [
      finding("monthly-increase", { per: "stage", subject: "production" }),
      finding("no-deletions", {
        limit: { kind: "deletions", count: 0 },
        measured: { kind: "count", count: 2 },
      }),
      finding("growth", {
        limit: { kind: "percent", percent: decimal("20") },
        measured: { kind: "percent", percent: decimal("29.06") },
      }),
    ]),
  }),
  currencies: evaluation({
    report: report(
      [
        stage("prod-us", ["9214.55", "9426.55"]),
        stage("dev-us", ["214.55", "226.55"]),
        stage("prod-eu", ["1000", "1095"], { currency: "EUR" }),
        stage("prod-uk", ["70.10", "70.10"], { currency: "GBP" }),
      ],
      {
        modules: [module("web", "212"), module("root", "12"), module("web", "95", { currency: "EUR" })],
        changes: changes({ added: 3 }),
      },
    ),
    situation: evaluatedSituation("undecided", [
      finding("monthly-increase", {
        outcome: "undecided",
        measured: null,
        because: [{ kind: "other_currency", found: "EUR", expected: "USD" }],
      }),
    ]),
  }),
  odd: evaluation({
    report: report(
      [
        stage("prod-network", ["5325.304", "3084.496"], {
          state: "inconsistent",
          superseded: ["aB3", "cD4"],
        }),
        stage("staging-network", ["10", "12"], { proven: false, state: "unknown", because: ["unproven"] }),
        stage("dev-network", ["3", "3.0004"], { state: "partial", because: ["not_stated"] }),
      ],
      {
        changes: changes({ deleted: 5, replaced: null, added: 5 }),
        refused: [{ org: "x", project: "y", executionId: "z", reason: "not_granted" }],
      },
    ),
    policyEdit: {
      outcome: { kind: "evaluated", verdict: "pass" },
      addedRules: [],
      changedRules: ["monthly-increase"],
      removedRules: ["no-deletions", "x`y"],
      addedWaivers: [],
      removedWaivers: ["monthly-increase"],
      otherParts: ["expect", "comment"],
      past: {
        compared: 20,
        changed: [
          { from: "pass", to: "block", pulls: [41, 38] },
          { from: "undecided", to: "pass", pulls: [40] },
        ],
      },
    },
    foreignChecks: ["mallory"],
    situation: evaluatedSituation("undecided", [
      finding("monthly-increase", {
        outcome: "undecided",
        measured: null,
        because: [{ kind: "inconsistent" }, { kind: "unknown", reason: "unproven" }],
      }),
      finding("total", {
        limit: { kind: "total", amount: money("6000") },
        outcome: "undecided",
        measured: null,
        mandatory: true,
        because: [{ kind: "partial" }],
      }),
    ]),
  }),
};
