import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readActualUnitCost } from "../../src/evaluate/after-merge/compare.ts";
import type { PlatformClient } from "../../src/platform/client.ts";
import { DAY_MS, openPlatform, type PlatformWorld } from "../platform-server/platform-world.ts";
import { record, verbsOf } from "../platform-server/unit-metric-verbs.ts";
import { usualEngine } from "../world/engines.ts";
import { clientOf, failing } from "./context-world.ts";

const day = (number: number, time = "00:00:00"): string => `2026-01-${`${number}`.padStart(2, "0")}T${time}Z`;
const MERGED_MS = Date.parse(day(10, "15:00:00"));
const NOW_MS = MERGED_MS + 7 * DAY_MS;

type Stages = Parameters<typeof readActualUnitCost>[2];
const stage = (nextMs: number | null = null, mergedMs = MERGED_MS) => ({ mergedMs, nextMs });

describe("the cost of one unit after a merge", () => {
  let world: PlatformWorld;
  let platform: PlatformClient;
  beforeAll(async () => {
    world = await openPlatform(usualEngine());
    platform = clientOf(world);
    const verbs = verbsOf(() => world);
    const metric = (metricIdentifier: string, values: readonly [string, number][], over: object = {}) =>
      verbs.create({
        metricIdentifier,
        metricName: metricIdentifier,
        unitMetricRecords: values.map(([time, value]) => record(time, value)),
        ...over,
      });
    await metric("daily", [
      [day(9), 1],
      [day(12), 2],
      [day(14), 3],
      [day(17, "06:00:00"), 4],
      [day(18), 5],
    ]);
    await metric("before-only", [[day(9), 1]]);
    await metric("same-day", [[day(10, "20:00:00"), 1]]);
    await metric(
      "adds-up",
      [
        [day(16), 7],
        [day(17), 1],
      ],
      { defaultAggregation: "SUM" },
    );
    await metric("zeros", [[day(12), 6]], { handleEmptyValue: "ZERO" });
    await metric("carried", [[day(9), 6]], { handleEmptyValue: "PREVIOUS_VALUE" });
    await metric(
      "carried-on",
      [
        [day(9), 6],
        [day(13), 8],
      ],
      { handleEmptyValue: "PREVIOUS_VALUE" },
    );
  });
  afterAll(async () => {
    await platform.close();
    await world.close();
  });

  const read = (metric: string, stages: Stages = [stage()]) =>
    readActualUnitCost({ platform, clock: { now: () => NOW_MS, monotonicMs: () => NOW_MS } }, metric, stages);

  interface Case {
    readonly metric: string;
    readonly stages?: Stages;
    readonly expected: readonly [value: string, asOf: string] | null;
  }
  it.each<[string, Case]>([
    ["is the newest value until now", { metric: "daily", expected: ["4", day(17)] }],
    [
      "ends where the next change of a workspace was merged",
      { metric: "daily", stages: [stage(), stage(Date.parse(day(13)))], expected: ["2", day(12)] },
    ],
    ["begins with the first whole day", { metric: "same-day", expected: null }],
    ["is not known from days before the merge", { metric: "before-only", expected: null }],
    [
      "is not taken from a day that is not over, where values add up",
      { metric: "adds-up", expected: ["7", day(16)] },
    ],
    ["is no zero that stands for a gap", { metric: "zeros", expected: ["6", day(12)] }],
    ["is no value that was carried on from before the merge", { metric: "carried", expected: null }],
    [
      "is of the day that had a value, not of those that repeat it",
      { metric: "carried-on", expected: ["8", day(13)] },
    ],
    ["is not known where there is no such metric", { metric: "nobody-made-it", expected: null }],
    [
      "is not known where the next merge came at once",
      { metric: "daily", stages: [stage(MERGED_MS)], expected: null },
    ],
  ])("%s", async (_, { metric, stages, expected }) => {
    const found = await read(metric, stages);
    expect(found).toEqual(expected && { actual: expected[0], actualAsOf: expected[1] });
  });

  it.each(["unavailable", "forbidden", "malformed"] as const)(
    "is unknown when the platform's answer is %s",
    async (kind) => {
      expect(
        await readActualUnitCost(
          { platform: failing(kind), clock: { now: () => NOW_MS, monotonicMs: () => NOW_MS } },
          "daily",
          [stage()],
        ),
      ).toBeNull();
    },
  );
});
