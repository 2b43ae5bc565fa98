import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { anomaly, anomalyVerbs, refused } from "./anomalies-verbs.ts";
import { DAY_MS, openPlatform, type PlatformWorld, START_MS } from "./platform-world.ts";

const DECEMBER_20 = Date.UTC(2025, 11, 20);

describe.each(usualEngines())("anomalies on $name", (engine) => {
  let world: PlatformWorld;
  const verbs = anomalyVerbs(() => world);
  const other = anomalyVerbs(() => world, "acc-2");

  beforeAll(async () => {
    world = await openPlatform(engine);
  });
  afterAll(() => world.close());

  it("are none before an import", async () => {
    expect(await verbs.list()).toEqual([]);
    expect(await verbs.timeSeries()).toEqual({});
    expect(await verbs.meanResolution()).toBeNull();
    expect(await verbs.summary()).toEqual({ count: 0, costImpact: 0, status: null });
    const none = { count: 0, costImpact: 0 };
    expect(await verbs.metrics()).toEqual({
      active: { ...none, status: "ACTIVE" },
      ignored: { ...none, status: "IGNORED" },
      archived: { ...none, status: "ARCHIVED" },
      resolved: { ...none, status: "RESOLVED" },
      staleAnomalyCount: 0,
      staleAnomalyThresholdDays: 14,
    });
  });

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

  it("that are allow-listed are left out unless requested", async () => {
    await verbs.bring(anomaly("listed", { allowListed: true, unitMetricName: "hidden" }));
    const filter = { unitMetricNames: ["hidden"] };
    expect(await verbs.ids(filter)).toEqual([]);
    expect(await verbs.ids(filter, { showWhitelistedAnomalies: false })).toEqual([]);
    expect(await verbs.ids(filter, { showWhitelistedAnomalies: true })).toEqual(["listed"]);
    const request = { anomalyFilterPropertiesDTO: filter };
    expect(await verbs.summary(request)).toMatchObject({ count: 0 });
    expect(await verbs.summary({ ...request, showWhitelistedAnomalies: true })).toMatchObject({ count: 1 });
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
    await verbs.bring(imported({ details: "newest", status: "ACTIVE", statusUpdatedBy: "engine" }));
    expect(await shown()).toMatchObject({
      status: "ARCHIVED",
      userFeedback: "TRUE_ANOMALY",
      details: "newest",
      statusUpdatedAt: START_MS,
      statusUpdatedBy: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it("are stale when they stay active and nobody touches them for 14 days", async () => {
    const at = (id: string, days: number, more = {}) =>
      anomaly(id, { time: START_MS - days * DAY_MS, perspectiveId: "stale", ...more });
    await verbs.bring(
      at("fresh", 14),
      at("old", 15),
      at("old-resolved", 15, { status: "RESOLVED" }),
      at("old-touched", 15, { statusUpdatedAt: START_MS - DAY_MS }),
      at("unknown", 15, { time: null }),
    );
    const request = { anomalyFilterPropertiesDTO: { perspectiveIds: ["stale"] } };
    expect(await verbs.metrics(request)).toMatchObject({ staleAnomalyCount: 1, active: { count: 4 } });
    const days = await verbs.timeSeries(request);
    expect(Object.keys(days)).toEqual([`${START_MS - 15 * DAY_MS}`, `${START_MS - 14 * DAY_MS}`]);
    expect(days[`${START_MS - 15 * DAY_MS}`]).toMatchObject({
      staleAnomalyCount: 1,
      active: { count: 2, costImpact: 100, status: "ACTIVE" },
      resolved: { count: 1, costImpact: 50, status: "RESOLVED" },
    });
  });

  it.each([
    ["status", {}, ["anomalyId"]],
    ["status", { anomalyId: "mine" }, ["status"]],
    ["feedback", { feedback: "TRUE_ANOMALY" }, ["anomalyId"]],
    ["feedback", { anomalyId: "mine" }, ["feedback"]],
  ])("refuse an update of %s that says %j", async (what, query, fields) => {
    const answer = await (what === "status" ? verbs.setStatus(query) : verbs.setFeedback(query));
    expect(refused(answer)).toEqual([400, "INVALID_ARGUMENT", ...fields]);
  });

  it("refuse unknown words, and say that an unknown anomaly is not there", async () => {
    expect((await verbs.setStatus({ anomalyId: "mine", status: "GONE" })).status).toBe(400);
    expect((await verbs.setFeedback({ anomalyId: "mine", feedback: "MAYBE" })).status).toBe(400);
    expect(refused(await verbs.setStatus({ anomalyId: "none", status: "ACTIVE" }))).toEqual([
      400,
      "RESOURCE_NOT_FOUND",
    ]);
    expect(refused(await verbs.setFeedback({ anomalyId: "none", feedback: "TRUE_ANOMALY" }))).toEqual([
      400,
      "RESOURCE_NOT_FOUND",
    ]);
  });

  it("of another account with the same ids stay apart", async () => {
    const key = await world.token({ purpose: "api", account: "acc-2" });
    await verbs.bring(anomaly("twin", { details: "ours" }));
    await other.bring(anomaly("twin", { details: "theirs" }));
    await verbs.setStatus({ anomalyId: "twin", status: "ARCHIVED" });
    const path = "/gateway/ccm/api/anomaly/v2/list?accountIdentifier=acc-2";
    const theirs = await world.call("POST", path, { json: {}, key, account: null });
    expect(theirs.body.data).toMatchObject([{ id: "twin", details: "theirs", status: "ACTIVE" }]);
  });
});
