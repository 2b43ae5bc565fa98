import { decimal } from "../../src/kernel/money.ts";
import type { Approvals } from "../../src/policy/model/approval.ts";
import type { ApproveSpec } from "../../src/policy/model/policy.ts";
import { NO_CONTEXT } from "../../src/report/model/context.ts";
import {
  approval,
  changes,
  evaluatedSituation,
  evaluation,
  finding,
  type HEAD,
  module,
  moduleCost,
  money,
  passed,
  report,
  resource,
  row,
  saving,
  stage,
  unitCost,
} from "./evaluation-builder.ts";

const known = <T>(value: T) => ({ state: "known", value }) as const;
const NOW = 1_795_269_900_000;

const finops: ApproveSpec = {
  groups: [{ teams: ["finops"], users: ["dana"], permission: null, count: 2 }],
  reviews: false,
};
const signatures: Approvals = {
  live: [
    approval({
      ...{ id: "comment:31", approver: { id: 31, login: "ravi" }, givenMs: NOW - 3_600_000 },
      ...{ reason: "agreed with the data team, see the capacity plan", upTo: money("3000") },
    }),
  ],
  lapsed: [
    {
      approval: approval({ id: "comment:12", givenMs: NOW - 90_000_000, upTo: money("2500") }),
      why: { kind: "over_amount", rule: "monthly-increase" },
    },
  ],
  missing: [{ rule: "monthly-increase", groups: [{ group: 0, lacks: 1 }] }],
};

const growth = [
  stage("prod-network", ["9214.55", "12132.95"], {
    name: "production",
    modules: [
      moduleCost("database", "1990"),
      moduleCost("database.replica", "220.40"),
      moduleCost("web", "532"),
      moduleCost("network.nat", "131.40"),
      moduleCost("root", "44.60"),
    ],
  }),
  stage("staging-network", ["1202.10", "1310.42"], {
    name: "staging",
    modules: [moduleCost("web", "108.32")],
  }),
];

/** Blocked, signed for by one of two, with everything around it known. */
export const blockWithApproval = evaluation({
  report: report(growth, {
    modules: [
      module("database", "1990"),
      module("web", "640.32"),
      module("database.replica", "220.40"),
      module("network.nat", "131.40"),
      module("root", "44.60"),
    ],
    resources: [
      resource("module.database.aws_db_instance.main", "1990.00", {
        action: "replaced",
        changedAttributes: ["instance_class", "storage_type"],
      }),
      resource('module.web.aws_instance.app["eu-west-1a"]', "266.00", {
        action: "changed",
        changedAttributes: ["instance_type"],
      }),
      resource('module.web.aws_instance.app["eu-west-1b"]', "266.00", {
        action: "changed",
        changedAttributes: ["instance_type"],
      }),
      resource("module.database.module.replica.aws_db_instance.this", "220.40", { action: "added" }),
      resource("module.network.module.nat.aws_nat_gateway.this[0]", "131.40", {
        action: "added",
        usageBased: true,
      }),
      resource("module.web.aws_instance.app", "108.32", {
        action: "changed",
        changedAttributes: ["instance_type"],
        workspace: "staging-network",
      }),
      resource("aws_cloudwatch_log_group.app", "44.60", {
        action: "drifted",
        changedAttributes: ["retention_in_days"],
      }),
    ],
    changes: changes({ added: 3, changed: 4, deleted: 1, replaced: 1, drifted: 1 }),
    rows: [
      {
        ...row("replaced", "module.database.aws_db_instance.main"),
        changedAttributes: ["instance_class", "storage_type"],
      },
      { ...row("drifted", "aws_cloudwatch_log_group.app"), changedAttributes: ["retention_in_days"] },
    ],
    drift: [
      {
        stage: "default/payments/prod-network",
        workspace: "prod-network",
        currency: "USD",
        split: { drift: decimal("44.60"), own: decimal("2873.80") },
      },
    ],
    unpriced: { count: 3, types: { aws_iot_thing: 2, aws_appsync_api: 1 } },
    context: {
      ...NO_CONTEXT,
      savings: known({
        totals: [money("310.50")],
        items: [
          saving("module.database.aws_db_instance.main", "240", { workspace: "prod-network" }),
          saving("module.web.aws_instance.app", "70.50", { workspace: "staging-network" }),
        ],
        unmatched: 0,
      }),
      anomalies: known({
        count: 2,
        impact: money("310"),
        items: [
          { id: "a1", resource: "data-transfer", perspective: "payments", spend: money("212.4") },
          { id: "a2", resource: "nat-gateway", perspective: "payments", spend: money("97.6") },
        ],
      }),
      governance: {
        state: "stale",
        value: { day: "2026-11-20", failed: 3, total: 120, statuses: {} },
        ageMs: 10_800_000,
      },
      unitCosts: known([unitCost("orders", "0.01234", "0.01591", { asOf: "2026-11-20T00:00:00Z" })]),
    },
  }),
  situation: evaluatedSituation("block", [
    finding("monthly-increase", {
      per: "stage",
      subject: "production",
      approve: finops,
      message: "Growth like this needs a word from FinOps first",
    }),
    finding("watch-percent", {
      enforce: "warn",
      limit: { kind: "percent", percent: decimal("20") },
      measured: { kind: "percent", percent: decimal("29.06") },
    }),
    finding("no-replacements", {
      limit: { kind: "replacements", count: 0 },
      measured: { kind: "count", count: 1 },
      items: ["module.database.aws_db_instance.main"],
      waiver: {
        owner: "dana",
        reason: "moves to the larger class for the load test",
        untilMs: Date.UTC(2027, 3, 1),
      },
    }),
    passed("unpriced"),
  ]),
  approvals: {
    ...signatures,
    offer: {
      commands: [{ rules: [], upTo: money("2918.40") }],
      rules: ["monthly-increase"],
      opensGate: true,
      why: null,
    },
  },
  previous: {
    headSha: "77aa01b2c3d4e5f60718293a4b5c6d7e8f901234" as typeof HEAD, // forty hex digits
    totals: [
      {
        currency: "USD",
        before: decimal("10416.65"),
        after: decimal("13563.37"),
        change: decimal("3146.72"),
        percent: null,
        state: "known",
        because: [],
      },
    ],
  },
});
