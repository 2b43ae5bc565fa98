import { afterAll, describe, expect, test } from "vitest";
import { recommendations } from "../../src/platform/contract/recommendations.ts";
import { usualEngines } from "../world/engines.ts";
import { openPlatform, type PlatformWorld, START_MS } from "./platform-world.ts";
import {
  asks,
  changeState,
  found,
  imports,
  infer,
  list,
  override,
  recommendation,
} from "./recommendation-verbs.ts";

describe.each(usualEngines())("recommendations on $name", async (engine) => {
  const world = await openPlatform(engine);
  afterAll(() => world.close());

  let accounts = 0;
  /** An account of this test alone, with these recommendations. */
  async function opens(...lines: readonly ReturnType<typeof recommendation>[]) {
    const account = `acc-own-${++accounts}`;
    await imports(world, lines, account);
    const own: PlatformWorld = { ...world, key: await world.token({ purpose: "api", account }) };
    const call: PlatformWorld["call"] = (method, path, more = {}) =>
      world.call(method, path.replace("accountIdentifier=acc-1", `accountIdentifier=${account}`), {
        ...more,
        key: own.key,
        account,
      });
    return { ...own, call, account };
  }
  const shown = async (own: PlatformWorld, id: string) =>
    (await list(own, { includeIgnoredRecommendation: true, limit: 1000 })).body.data.items.find(
      (item: { id: string }) => item.id === id,
    );

  test("a recommendation is a parent while others are its parts, in whatever order they were imported", async () => {
    const own = await opens(
      recommendation("part", { parentId: "whole" }),
      recommendation("whole"),
      recommendation("stated", { isParent: true }),
      recommendation("alone"),
      recommendation("late"),
    );
    const parents = async () => [...(await found(own, { parentRecommendation: true }))].sort();
    expect(await parents()).toEqual(["stated", "whole"]);
    await imports(own, [recommendation("another", { parentId: "late" })], own.account);
    expect(await parents()).toEqual(["late", "stated", "whole"]);
    await imports(own, [recommendation("part", { parentId: "late" })], own.account);
    expect(await parents()).toEqual(["late", "stated"]);
    expect([...(await found(own, { childRecommendation: true }))].sort()).toEqual(["another", "part"]);
    expect([...(await found(own))].sort()).toEqual(["alone", "late", "stated", "whole"]);
  });

  test("a recommendation is listed with all that was imported, what is not known is null", async () => {
    const own = await opens(
      recommendation("r-1", {
        monthlySaving: 10.005,
        cloudProvider: "CLOUD_2",
        cloud2ResourceGroup: "rg",
        tags: { team: "web", __proto__x: "1" },
        costCategoryDetails: [{ costCategory: "unit", costBucket: "shop" }],
        recommendationDetails: { note: "lone \ud800 surrogate" },
        isValid: true,
      }),
    );
    const { body } = await list(own);
    expect(body).toMatchObject({ status: "SUCCESS", metaData: null, data: { offset: 0, limit: 10 } });
    expect(body.data.items[0]).toMatchObject({
      id: "r-1",
      resourceType: "WORKLOAD",
      monthlySaving: 10.005,
      monthlyCost: null,
      recommendationState: "OPEN",
      cloudProvider: "CLOUD_2",
      cloud2ResourceGroup: "rg",
      tags: { team: "web", __proto__x: "1" },
      costCategoryDetails: [{ costCategory: "unit", costBucket: "shop" }],
      recommendationDetails: { note: "lone \ud800 surrogate" },
      isValid: true,
      jiraIssueKey: null,
    });
    expect(Object.keys(body.data.items[0])).toHaveLength(42);
  });

  test("applying stores time, person and saving; applying again only the saving; opening deletes them", async () => {
    const own = await opens(
      recommendation("r", { monthlySaving: 30 }),
      recommendation("s", { monthlySaving: 5 }),
    );
    const applied = await changeState(own, { recommendationId: "r", state: "APPLIED" });
    expect(applied.body).toMatchObject({ status: "SUCCESS", data: null });
    const id = (
      await own.store.db
        .selectFrom("tokens")
        .select("id")
        .where("account", "=", own.account)
        .executeTakeFirstOrThrow()
    ).id;
    expect(await shown(own, "r")).toMatchObject({
      recommendationState: "APPLIED",
      appliedAt: START_MS,
      appliedAtSavings: 30,
      appliedByUserId: id,
      updatedAt: START_MS,
    });
    world.clock.ms += 1000;
    await changeState(own, { recommendationId: "r", state: "APPLIED" });
    await changeState(own, { recommendationId: "r", state: "APPLIED", appliedSavings: 12.5 });
    expect(await shown(own, "r")).toMatchObject({ appliedAt: START_MS, appliedAtSavings: 12.5 });
    world.clock.ms = START_MS;
    const stats = await asks(own, "POST /overview/stats/applied", { json: {} });
    expect(stats.body.data).toEqual([{ resourceType: "WORKLOAD", count: 1, totalMonthlySaving: 12.5 }]);
    await changeState(own, { recommendationId: "r", state: "OPEN" });
    expect(await shown(own, "r")).toMatchObject({
      recommendationState: "OPEN",
      appliedAt: null,
      appliedAtSavings: null,
      appliedByUserId: null,
    });
  });

  test("the total of applied ones is null where no saving is known", async () => {
    const own = await opens(recommendation("r"));
    await changeState(own, { recommendationId: "r", state: "APPLIED" });
    const stats = await asks(own, "POST /overview/stats/applied", { json: {} });
    expect(stats.body.data).toEqual([{ resourceType: "WORKLOAD", count: 1, totalMonthlySaving: null }]);
  });

  test("neither an ignored one nor one that is not there can be applied", async () => {
    const own = await opens(recommendation("r", { recommendationState: "IGNORED" }));
    const ignored = await changeState(own, { recommendationId: "r", state: "APPLIED" });
    expect(ignored.status).toBe(400);
    expect(ignored.body).toMatchObject({ status: "FAILURE", code: "INVALID_REQUEST" });
    const missing = await changeState(own, { recommendationId: "x", state: "APPLIED" });
    expect(missing.body).toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    expect((await changeState(own, { recommendationId: "r", state: "IGNORED" })).status).toBe(400);
    expect(await shown(own, "r")).toMatchObject({ recommendationState: "IGNORED" });
  });

  test("an inference is confirmed or rejected with a comment, and only an inference", async () => {
    const own = await opens(
      recommendation("r", { verificationStatus: "INFERRED_PENDING_REVIEW", varianceNotes: "was 12" }),
      recommendation("manual", { verificationStatus: "MANUAL_APPLIED_FETCHED" }),
      recommendation("none"),
    );
    const reject = (recommendationId: string, more: object = {}) =>
      infer(own, { recommendationId, verificationStatus: "INFERRED_REJECTED", ...more });
    expect((await reject("r")).body).toMatchObject({ status: "SUCCESS", data: null });
    expect(await shown(own, "r")).toMatchObject({
      verificationStatus: "INFERRED_REJECTED",
      varianceNotes: "was 12",
      recommendationState: "OPEN",
    });
    await reject("r", { comment: "x".repeat(100) });
    expect(await shown(own, "r")).toMatchObject({ varianceNotes: "x".repeat(100) });
    for (const id of ["manual", "none"])
      expect((await reject(id)).body).toMatchObject({ code: "INVALID_REQUEST" });
    expect((await reject("x")).body).toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    const manual = await infer(own, { recommendationId: "r", verificationStatus: "MANUAL_APPLIED_FETCHED" });
    expect(manual.status).toBe(400);
    expect(manual.body.errors).toEqual([
      { fieldId: expect.stringContaining("verificationStatus"), error: expect.stringContaining("INFERRED_") },
    ]);
    const { options } = recommendations.changeInferenceStatus.body.shape.verificationStatus;
    for (const verificationStatus of options)
      expect((await infer(own, { recommendationId: "r", verificationStatus })).status).toBe(200);
  });

  test("an overridden saving counts in order, filter and what applying brings; both are shown", async () => {
    const own = await opens(
      recommendation("a", { monthlySaving: 1 }),
      recommendation("b", { monthlySaving: 2 }),
    );
    expect((await override(own, "a", "7.25")).body).toMatchObject({ status: "SUCCESS", data: true });
    expect(await found(own)).toEqual(["a", "b"]);
    expect(await found(own, { minSaving: 7 })).toEqual(["a"]);
    expect(await found(own, { minSaving: 7.25 })).toEqual([]);
    expect(await shown(own, "a")).toMatchObject({ monthlySaving: 1, overriddenSavings: 7.25 });
    await changeState(own, { recommendationId: "a", state: "APPLIED" });
    expect(await shown(own, "a")).toMatchObject({ appliedAtSavings: 7.25 });
    expect((await override(own, "x", "1")).body).toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  });

  test("an import replaces all but what a call has set", async () => {
    const own = await opens(
      recommendation("set", { monthlySaving: 1, verificationStatus: "INFERRED_APPLIED", tags: { a: "1" } }),
      recommendation("left", { monthlySaving: 1, recommendationState: "APPLIED", tags: { a: "1" } }),
    );
    await changeState(own, { recommendationId: "set", state: "APPLIED", appliedSavings: 3 });
    await override(own, "set", "4");
    await infer(own, { recommendationId: "set", verificationStatus: "INFERRED_REJECTED", comment: "no" });
    const again = { recommendationState: "OPEN", overriddenSavings: 9, tags: { b: "2" } };
    for (const monthlySaving of [5, 2]) {
      const more = { ...again, monthlySaving };
      await imports(world, [recommendation("set", more), recommendation("left", more)], own.account);
    }
    expect(await shown(own, "set")).toMatchObject({
      recommendationState: "APPLIED",
      appliedAtSavings: 3,
      overriddenSavings: 4,
      verificationStatus: "INFERRED_REJECTED",
      varianceNotes: "no",
      monthlySaving: 2,
      tags: { b: "2" },
    });
    expect(await shown(own, "left")).toMatchObject({
      recommendationState: "OPEN",
      overriddenSavings: 9,
      verificationStatus: null,
    });
    expect(await found(own, { tags: { a: "1" } })).toEqual([]);
  });
});
