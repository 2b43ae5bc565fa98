import { afterAll, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { anomaly, anomalyVerbs } from "./anomalies-verbs.ts";
import { DAY_MS, openPlatform, START_MS } from "./platform-world.ts";

const DECEMBER_20 = Date.UTC(2025, 11, 20);

describe.each(usualEngines())("anomalies on $name", async (engine) => {
  const verbs = anomalyVerbs(() => world);

  const world = await openPlatform(engine);
  afterAll(() => world.close());

  it("are answered as they were imported, with what follows from it", async () => {
    await verbs.bring(
      anomaly("whole", {
        time: DECEMBER_20,
        endTime: DECEMBER_20 + 2 * DAY_MS,
        actualAmount: 0.3,
        expectedAmount: 0.1,
        expectedCostLower: 0.05,
        expectedCostUpper: 0.15,
        anomalyScore: 0.9,
        resourceName: "web",
        resourceInfo: "prod/web",
        details: "a jump",
        comment: "seen",
        criticality: "MEDIUM",
        status: "IGNORED",
        statusUpdatedBy: "ada",
        statusUpdatedAt: START_MS - 3 * DAY_MS,
        userFeedback: "FALSE_ANOMALY",
        perspectiveId: "p-1",
        perspectiveName: "Web",
        unitMetricName: "requests",
        entity: { cloud1Account: "123", k8sNamespace: "prod" },
        tags: { team: "web" },
        costCategoryDetails: [{ costCategory: "Team", costBucket: "Web" }],
        dailyBreakdown: [{ date: DECEMBER_20, expectedSpend: 0.1, actualSpend: 0.3, unusualSpend: 0.2 }],
        alertedRecipients: ["ops@example.com"],
        costPreferences: { amortised: true },
      }),
    );
    const [found] = await verbs.list({ anomalyIds: ["whole"] });
    expect(found).toMatchObject({
      id: "whole",
      time: DECEMBER_20,
      endTime: DECEMBER_20 + 2 * DAY_MS,
      anomalyRelativeTime: "12 days ago",
      actualAmount: 0.3,
      anomalousSpend: 0.2,
      anomalousSpendPercentage: 200,
      expectedCostLower: 0.05,
      expectedCostUpper: 0.15,
      anomalyScore: 0.9,
      status: "IGNORED",
      statusUpdatedBy: "ada",
      statusUpdatedAt: START_MS - 3 * DAY_MS,
      statusRelativeTime: "3 days ago",
      duration: 2 * DAY_MS,
      ongoingAnomaly: false,
      userFeedback: "FALSE_ANOMALY",
      criticality: "MEDIUM",
      entity: { cloud1Account: "123", k8sNamespace: "prod", k8sClusterName: null },
      tags: { team: "web" },
      costCategoryDetails: [{ costCategory: "Team", costBucket: "Web" }],
      dailyBreakdown: [{ date: DECEMBER_20, expectedSpend: 0.1, actualSpend: 0.3, unusualSpend: 0.2 }],
      alertedRecipients: ["ops@example.com"],
      costPreferences: { amortised: true },
    });
    expect(world.errors).toEqual([]);
  });

  it("say how long ago they were, with separators", async () => {
    await verbs.bring(anomaly("old", { time: START_MS - 1_200 * DAY_MS }));
    const [old] = await verbs.list({ anomalyIds: ["old"] });
    expect(old).toMatchObject({ anomalyRelativeTime: "1,200 days ago" });
  });

  it("know what is not known", async () => {
    await verbs.bring(anomaly("bare", { time: null, expectedAmount: 0 }));
    const [bare] = await verbs.list({ anomalyIds: ["bare"] });
    expect(bare).toMatchObject({
      time: null,
      duration: null,
      anomalyRelativeTime: null,
      anomalousSpendPercentage: null,
      ongoingAnomaly: true,
      status: "ACTIVE",
      userFeedback: "NOT_RESPONDED",
    });
    expect(await verbs.timeSeries({ anomalyFilterPropertiesDTO: { anomalyIds: ["bare"] } })).toEqual({});
  });

  it("take a status, say who set it and when, and count as resolved from then on", async () => {
    await verbs.bring(anomaly("mine", { perspectiveId: "status" }));
    const request = { anomalyFilterPropertiesDTO: { perspectiveIds: ["status"] } };
    expect(await verbs.meanResolution(request)).toBeNull();
    expect((await verbs.setStatus({ anomalyId: "mine", status: "RESOLVED" })).body).toEqual({
      status: "SUCCESS",
      data: true,
      metaData: null,
      correlationId: expect.any(String),
    });
    const [mine] = await verbs.list({ anomalyIds: ["mine"] });
    expect(mine).toMatchObject({ status: "RESOLVED", statusUpdatedAt: START_MS });
    expect(mine.statusUpdatedBy).toMatch(/^[0-9a-f]{16}$/);
    expect(await verbs.meanResolution(request)).toBe(START_MS - DECEMBER_20);
    world.clock.ms += 1000;
    await verbs.setStatus({ anomalyId: "mine", status: "RESOLVED" });
    expect(await verbs.meanResolution(request)).toBe(START_MS - DECEMBER_20);
    await verbs.setStatus({ anomalyId: "mine", status: "ACTIVE" });
    expect(await verbs.metrics(request)).toMatchObject({
      active: { count: 1, costImpact: 50 },
      resolved: { count: 0 },
    });
    world.clock.ms = START_MS;
  });

  it("retain status and feedback that were set here when they are imported again, and nothing else", async () => {
    const imported = (more: object) => anomaly("again", { perspectiveId: "again", ...more });
    await verbs.bring(imported({ details: "old" }));
    await verbs.bring(imported({ details: "newer", status: "IGNORED", userFeedback: "FALSE_ANOMALY" }));
    const shown = async () => (await verbs.list({ anomalyIds: ["again"] }))[0];
    expect(await shown()).toMatchObject({ status: "IGNORED", userFeedback: "FALSE_ANOMALY" });
    await verbs.setStatus({ anomalyId: "again", status: "ARCHIVED" });
    await verbs.setFeedback({ anomalyId: "again", feedback: "TRUE_ANOMALY" });
    for (const details of ["next", "newest"])
      await verbs.bring(imported({ details, status: "ACTIVE", statusUpdatedBy: "engine" }));
    expect(await shown()).toMatchObject({
      status: "ARCHIVED",
      userFeedback: "TRUE_ANOMALY",
      details: "newest",
      statusUpdatedAt: START_MS,
      statusUpdatedBy: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });
});
