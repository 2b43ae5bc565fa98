import { decimal } from "../../src/kernel/money.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import { NO_CONTEXT } from "../../src/report/model/context.ts";
import type { StageReport } from "../../src/report/model/report.ts";
import { blockWithApproval } from "./approved-change.ts";
import {
  changes,
  evaluatedSituation,
  evaluation,
  finding,
  module,
  moduleCost,
  passed,
  report,
  resource,
  row,
  stage,
  unknownStage,
} from "./evaluation-builder.ts";

const tinySaving = evaluation({
  report: report([stage("prod-network", ["1303.0421", "1303.0387"], { name: "production" })], {
    resources: [
      resource("aws_cloudwatch_log_group.app", "-0.0034", {
        action: "changed",
        changedAttributes: ["retention_in_days"],
        usageBased: true,
      }),
    ],
    changes: changes({ changed: 1, unchanged: 211 }),
    unpriced: { count: 0, types: {} },
  }),
  situation: evaluatedSituation("pass", [
    passed("monthly-increase"),
    passed("no-deletions"),
    passed("unpriced"),
  ]),
});

const REGIONS = [
  "us-east-1",
  "us-west-2",
  "eu-west-1",
  "eu-central-1",
  "ap-south-1",
  "ap-northeast-1",
  "sa-east-1",
  "ca-central-1",
];
const TIERS = ["production", "staging", "load-test", "preview", "dev"];

/** Eight regions in five tiers; each grows by its place. */
function fortyStages(): readonly StageReport[] {
  return TIERS.flatMap((tier, t) =>
    REGIONS.map((region, r) => {
      const weight = (TIERS.length - t) ** 2 * (REGIONS.length - r);
      const web = (weight * 1.37).toFixed(2);
      const database = (weight * 0.45).toFixed(2);
      const cache = r % 3 === 0 ? (-weight * 0.11).toFixed(2) : "0";
      const sum = (Number(web) + Number(database) + Number(cache)).toFixed(2);
      const before = (weight * 21.5).toFixed(2);
      return stage(`${tier}-${region}`, [before, (Number(before) + Number(sum)).toFixed(2)], {
        modules: [
          moduleCost("web", web),
          moduleCost("data.postgres", database),
          moduleCost("data.redis", cache),
        ],
      });
    }),
  );
}

const forty = fortyStages();
const ofModule = (path: string): string =>
  forty
    .flatMap(({ modules }) => modules ?? [])
    .filter((own) => own.module === path)
    .reduce((sum, { change }) => sum + Number(change), 0)
    .toFixed(2);

const fortyStagesChange = evaluation({
  report: report(forty, {
    modules: ["web", "data.postgres", "data.redis"].map((path) => module(path, ofModule(path))),
    changes: changes({ changed: 120, added: 40 }),
  }),
  situation: evaluatedSituation("warn", [
    finding("growth", {
      enforce: "warn",
      per: "stage",
      subject: "production-us-east-1",
      limit: { kind: "percent", percent: decimal("5") },
      measured: { kind: "percent", percent: decimal("7.95") },
      others: 24,
    }),
    passed("monthly-increase"),
  ]),
});

const allUnknown = evaluation({
  report: report(
    [
      unknownStage("prod-network", {
        name: "production",
        because: ["unavailable"],
        counts: null,
        countsBecause: "not_indexed",
        modulesBecause: "unavailable",
      }),
      unknownStage("staging-network", {
        name: "staging",
        because: ["not_estimated"],
        counts: null,
        countsBecause: "no_plan",
        problems: ["No valid credentials for the registry"],
      }),
    ],
    {
      changesAreComplete: false,
      unpricedIsComplete: false,
      modulesBecause: ["unavailable"],
      context: { ...NO_CONTEXT, anomalies: { state: "unknown", reason: "unavailable" } },
    },
  ),
  situation: evaluatedSituation("undecided", [
    finding("monthly-increase", {
      outcome: "undecided",
      measured: null,
      because: [
        { kind: "unknown", reason: "unavailable" },
        { kind: "unknown", reason: "not_estimated" },
      ],
    }),
    finding("no-deletions", {
      outcome: "undecided",
      measured: null,
      limit: { kind: "deletions", count: 0 },
      because: [{ kind: "unknown", reason: "not_indexed" }],
    }),
    finding("anomalies", {
      outcome: "undecided",
      enforce: "warn",
      measured: null,
      limit: { kind: "anomalies", count: 0 },
      because: [{ kind: "unknown", reason: "unavailable" }],
    }),
  ]),
});

const DOOMED = [
  "module.orders.aws_db_instance.main",
  "module.orders.aws_db_instance.replica",
  "module.orders.aws_db_subnet_group.main",
  "module.orders.aws_db_parameter_group.main",
  "module.orders.aws_kms_key.storage",
];

const databaseDestroyed = evaluation({
  report: report(
    [
      stage("prod-orders", ["2480.60", "318.20"], {
        name: "production",
        modules: [moduleCost("orders", "-2162.40")],
      }),
    ],
    {
      modules: [module("orders", "-2162.40")],
      resources: [
        resource("module.orders.aws_db_instance.main", "-1441.60", {
          action: "deleted",
          workspace: "prod-orders",
        }),
        resource("module.orders.aws_db_instance.replica", "-720.80", {
          action: "deleted",
          workspace: "prod-orders",
        }),
      ],
      changes: changes({ deleted: 5, unchanged: 41 }),
      rows: DOOMED.map((address) => row("deleted", address, "prod-orders")),
    },
  ),
  situation: evaluatedSituation("block", [
    finding("no-database-deletes", {
      limit: { kind: "when", expression: "…", needs: [] },
      measured: { kind: "condition", count: 2 },
      message: "2 databases would be deleted: ask the data team",
      items: DOOMED.slice(0, 2),
    }),
    finding("no-deletions", {
      limit: { kind: "deletions", count: 3 },
      measured: { kind: "count", count: 5 },
      items: DOOMED,
      mandatory: true,
    }),
    passed("monthly-increase"),
  ]),
});

/** Five changes as different as they come. */
export const FIVE: Readonly<Record<string, Evaluation>> = {
  "tiny-saving": tinySaving,
  "forty-stages": fortyStagesChange,
  "block-with-approval": blockWithApproval,
  "all-unknown": allUnknown,
  "database-destroyed": databaseDestroyed,
};
