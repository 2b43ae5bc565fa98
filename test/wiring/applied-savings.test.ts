import { expect, test } from "vitest";
import type { PlatformClient } from "../../src/platform/client.ts";
import { readAppliedSavings } from "../../src/wiring/pages/pages.ts";
import { failing } from "../evaluate/context-world.ts";

const NOW_MS = Date.UTC(2026, 1, 1);

/** What is read where the platform states these savings, in dollars per month; null: it states none. */
async function readStated(...savings: readonly (number | null)[]) {
  const asked: unknown[] = [];
  const data = savings.map((totalMonthlySaving, at) => ({ count: at + 1, totalMonthlySaving }));
  const call = async (_: unknown, request: unknown) => {
    asked.push(request);
    return { ok: true, value: { data }, headers: {} };
  };
  // The only endpoint that is called gets its answer.
  const platform = { call, close: async () => {} } as unknown as PlatformClient;
  return { fact: await read(platform), asked };
}

const read = (backgroundPlatform: PlatformClient) =>
  readAppliedSavings(
    {
      backgroundPlatform,
      clock: { now: () => NOW_MS, monotonicMs: () => 0 },
      operator: { costCurrency: "USD" },
    },
    ["account-1"],
    90,
  );

test.each<[string, readonly (number | null)[], object]>([
  [
    "add up",
    [10.5, 0.25],
    { recommendations: 3, monthly: { amount: "10.75", currency: "USD" }, isPartial: false },
  ],
  [
    "are nothing without a recommendation",
    [],
    { recommendations: 0, monthly: { amount: "0" }, isPartial: false },
  ],
  ["are partial where some are not stated", [10.5, null], { monthly: { amount: "10.5" }, isPartial: true }],
  [
    "are unknown where none is stated, not zero",
    [null],
    { recommendations: 1, monthly: null, isPartial: true },
  ],
])("applied savings %s", async (_, savings, value) => {
  const { fact, asked } = await readStated(...savings);
  expect(fact).toMatchObject({ state: "known", value });
  expect(asked).toMatchObject([
    {
      body: {
        baseRecommendationFilterPropertiesDTO: {
          cloudAccountId: ["account-1"],
          appliedAtStartTime: Date.UTC(2025, 10, 3),
          recommendationState: ["APPLIED"],
        },
      },
    },
  ]);
});

test("applied savings that the platform does not show are unknown with the reason", async () => {
  expect(await read(failing("forbidden"))).toEqual({ state: "unknown", reason: "forbidden" });
});
