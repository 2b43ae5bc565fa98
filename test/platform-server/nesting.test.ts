import { afterAll, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { openPlatform } from "./platform-world.ts";
import { CHANGES, createStage, NO_COUNTS } from "./stories.ts";

/** Lists in one another. */
const lists = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Every place where a caller's free value is kept or passed on: JSON of `value` in it, and what is answered when all is well. */
const PLACES = [
  {
    name: "payload of an event",
    path: "/tollgate/v1/emit",
    body: (value: string) => `{"event":"tag_created","repository":"r","payload":{"ref":{"a":${value}}}}`,
    around: 3,
    type: "application/json",
    status: 202,
  },
  {
    name: "value of an output",
    path: `${CHANGES}/outputs/1`,
    body: (value: string) => `[{"name":"a","value":${value}}]`,
    around: 1,
    type: "application/octet-stream",
    status: 200,
  },
  {
    name: "details of an imported recommendation",
    path: `/tollgate/v1/imports/recommendations/${"a".repeat(32)}/pages/1`,
    body: (value: string) => `{"id":"r","resourceType":"WORKLOAD","recommendationDetails":{"a":${value}}}`,
    around: 2,
    type: "application/octet-stream",
    status: 200,
  },
] as const;

describe.each(usualEngines())("lists within lists on $name", async (engine) => {
  const world = await openPlatform(engine);
  await createStage(world);
  afterAll(() => world.close());

  it.each(PLACES)("$name: a hundred levels are taken", async ({ path, body, around, type, status }) => {
    const call = { bytes: body(lists(100 - around)), headers: { "content-type": type } };
    const answer = await world.call("POST", path, call);
    expect(answer).toMatchObject({ status });
    expect(JSON.stringify(answer.body)).not.toContain("levels deep");
  });

  it.each(PLACES)("$name: more are refused, however many", async ({ path, body, around, type }) => {
    for (const levels of [101 - around, 8_000]) {
      const call = { bytes: body(lists(levels)), headers: { "content-type": type } };
      const answer = await world.call("POST", path, call);
      expect(answer.status).toBeLessThan(500);
      expect(JSON.stringify(answer.body)).toContain("is nested more than 100 levels deep");
    }
  });

  it("what was taken can be read again", async () => {
    expect(
      (await world.call("POST", `${CHANGES}/counts`, { bytes: JSON.stringify({ ...NO_COUNTS, Outputs: 1 }) }))
        .status,
    ).toBe(200);
    const { body } = await world.call("GET", `${CHANGES}/outputs/rows/0`);
    expect(JSON.stringify(body.value)).toBe(lists(99));
  });
});
