import { describe, expect, it } from "vitest";
import { type ContextQuery, readContext } from "../../src/evaluate/facts/read-context.ts";
import type { ContextGrant, OperatorRules } from "../../src/evaluate/run/operator-rules.ts";
import type { Failure } from "../../src/platform/errors.ts";
import type { ContextName } from "../../src/report/model/context.ts";
import type { StageFacts, UnknownReason } from "../../src/report/model/facts.ts";
import { START_MS } from "../platform-server/platform-world.ts";
import { failing, REF, touching } from "./context-world.ts";

const METRIC = { metric: "cost-per-order", org: "acme", project: "payments", workspaces: ["prod-network"] };
const GRANT: ContextGrant = {
  perspectives: ["shop"],
  cloudAccounts: ["111"],
  clouds: ["CLOUD_1"],
  unitMetrics: [METRIC],
  measuredPerspectives: [
    { perspective: "shop", org: "acme", project: "payments", workspaces: ["prod-network"] },
  ],
};
const NO_GRANT: ContextGrant = {
  perspectives: [],
  cloudAccounts: [],
  clouds: [],
  unitMetrics: [],
  measuredPerspectives: [],
};
const NAMES: readonly ContextName[] = [
  "schedules",
  "savings",
  "anomalies",
  "governance",
  "unitCosts",
  "prompts",
];

const around = (
  grant: ContextGrant,
  stages: readonly StageFacts[] = [touching(["changed a.b"])],
): ContextQuery => ({
  grant,
  refs: [REF],
  stages: Promise.resolve(stages),
  hasRefused: false,
});
const tools = {
  // The readers look at no other rule.
  operator: { costCurrency: "USD", passingStatuses: new Set(["SUCCESS"]) } as unknown as OperatorRules,
  clock: { now: () => START_MS, monotonicMs: () => START_MS },
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
};

const REASONS: Readonly<Record<Exclude<Failure["kind"], "not_found">, UnknownReason>> = {
  unauthorised: "unauthorised",
  forbidden: "forbidden",
  rate_limited: "rate_limited",
  timed_out: "timed_out",
  unavailable: "unavailable",
  malformed: "malformed",
  too_large: "too_large",
  rejected: "unavailable",
};

describe.each(NAMES)("%s", (name) => {
  it.each(Object.entries(REASONS))(
    "that the platform does not state (%s) is unknown: %s",
    async (kind, reason) => {
      const platform = failing(kind as Failure["kind"]); // a key of the table
      const read = await readContext(platform, [name], { query: around(GRANT), tools });
      expect(read).toEqual({ [name]: { state: "unknown", reason } });
    },
  );

  it("without a grant is not requested", async () => {
    const platform = failing("unavailable");
    const read = await readContext(platform, [name], { query: around(NO_GRANT), tools });
    if (name === "schedules") return; // a project's own settings come with its figures
    expect(read).toEqual({ [name]: { state: "unknown", reason: "not_granted" } });
    expect(platform.asked).toEqual([]);
  });
});

it("context facts are unknown when the stages that they rest on cannot be read", async () => {
  const stages = Promise.reject(new Error("the database is gone"));
  const read = await readContext(failing("not_found"), NAMES, {
    query: { ...around(GRANT), stages },
    tools,
  });
  expect(read.savings).toEqual({ state: "unknown", reason: "malformed" });
  expect(read.prompts).toEqual({ state: "unknown", reason: "malformed" });
  expect(read.unitCosts).toEqual({ state: "unknown", reason: "not_read" });
});
