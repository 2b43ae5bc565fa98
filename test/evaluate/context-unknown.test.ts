import { describe, expect, it } from "vitest";
import type { ContextGrant } from "../../src/evaluate/run/operator-rules.ts";
import type { Failure } from "../../src/platform/errors.ts";
import { ContextName } from "../../src/report/model/context.ts";
import type { UnknownReason } from "../../src/report/model/facts.ts";
import { failing, NO_GRANT, readFact } from "./context-world.ts";

const WORKSPACES = { org: "acme", project: "payments", workspaces: ["prod-network"] };
const GRANT: ContextGrant = {
  perspectives: ["shop"],
  cloudAccounts: ["111"],
  clouds: ["CLOUD_1"],
  unitMetrics: [{ metric: "cost-per-order", ...WORKSPACES }],
  measuredPerspectives: [{ perspective: "shop", ...WORKSPACES }],
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

describe.each(ContextName.options)("%s", (name) => {
  it.each(Object.entries(REASONS))(
    "that the platform does not state (%s) is unknown: %s",
    async (kind, reason) => {
      const platform = failing(kind as Failure["kind"]); // a key of the table
      expect(await readFact(name, platform, { grant: GRANT })).toEqual({ state: "unknown", reason });
    },
  );

  // A project's own settings come with its figures.
  it.skipIf(name === "schedules")("without a grant is not requested", async () => {
    const platform = failing("unavailable");
    const fact = await readFact(name, platform, { grant: NO_GRANT });
    expect(fact).toEqual({ state: "unknown", reason: "not_granted" });
    expect(platform.asked).toEqual([]);
  });
});

it.each([
  ["savings", "malformed"],
  ["prompts", "malformed"],
  ["unitCosts", "not_read"],
] as const)("%s are unknown (%s) when the stages that they rest on cannot be read", async (name, reason) => {
  const stages = Promise.reject(new Error("the database is gone"));
  stages.catch(() => {});
  expect(await readFact(name, failing("not_found"), { grant: GRANT, stages })).toEqual({
    state: "unknown",
    reason,
  });
});
