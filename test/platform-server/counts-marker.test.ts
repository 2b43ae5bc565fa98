import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { type PlatformWorld, servePlatform } from "./platform-world.ts";
import { CHANGES, change, commit, countsOf, createStage, NO_COUNTS, upload } from "./stories.ts";

const PLANNED = [
  ...["db", "cache", "queue"].map((name) => change("deleted", name)),
  change("added", "web"),
  change("changed", "api"),
];
const SAME = [change("unchanged", "vpc"), change("unchanged", "zone")];
const DRIFT = [change("changed", "dns"), change("changed", "logs")];
const STATE = [{ provider: "aws", type: "aws_vpc", name: "vpc", module: "root" }];
const ROWS = {
  planned_changes: PLANNED,
  unchanged: SAME,
  drift_changes: DRIFT,
  resources: STATE,
  data_sources: [...STATE, ...STATE],
  outputs: [{ name: "url", value: "https://example.test" }],
};
const COUNTS = countsOf(ROWS);
const byType = (over: object) => ({ PlannedByChangeType: { ...COUNTS.PlannedByChangeType, ...over } });

describe.each(usualEngines())("the counts that commit resource changes on $name", async (engine) => {
  let world: PlatformWorld;
  let account = "acc-0";
  const store = await engine.open();
  beforeEach(async () => {
    account = `acc-${Number(account.slice(4)) + 1}`;
    world = await servePlatform(store, account);
    await createStage(world);
  });
  afterEach(() => world.close());
  afterAll(() => store.close());

  const uploadAll = async (rows: Partial<typeof ROWS> = ROWS) => {
    for (const [category, elements] of Object.entries(rows)) await upload(world, `${category}/1`, elements);
  };
  const isVisible = async () => (await world.call("GET", `${CHANGES}/filter-counts`)).status === 200;

  it("are refused, each total by its name, when a page was lost on the way", async () => {
    await upload(world, "planned_changes/1", [change("added", "web")]);
    const lost = {
      ...NO_COUNTS,
      PlannedTotal: 4,
      PlannedByChangeType: { added: 1, changed: 0, deleted: 3, unchanged: 0 },
      Drift: 2,
    };
    const refused = await commit(world, lost);
    expect(refused).toMatchObject({ status: 409, body: { name: "conflict" } });
    expect(refused.body.message).toMatchInlineSnapshot(
      `"the counts contradict the uploaded pages: PlannedTotal is 4, uploaded are 1; PlannedByChangeType.deleted is 3, uploaded are 0; Drift is 2, uploaded are 0. Upload the pages that are missing, or the counts of those that came"`,
    );
    expect(await isVisible()).toBe(false);
    await upload(world, "planned_changes/2", PLANNED.slice(0, 3));
    await upload(world, "drift_changes/1", DRIFT);
    expect((await commit(world, lost)).status).toBe(200);
    expect(await isVisible()).toBe(true);
  });

  it.each([
    ["PlannedTotal", { PlannedTotal: 6 }],
    ["PlannedTotal", { PlannedTotal: 0 }],
    ["PlannedByChangeType.added", byType({ added: 0 })],
    ["PlannedByChangeType.changed", byType({ changed: 2 })],
    ["PlannedByChangeType.deleted", byType({ deleted: 2 })],
    ["PlannedByChangeType.unchanged", byType({ unchanged: 1 })],
    ["Drift", { Drift: 0 }],
    ["Resources", { Resources: 120 }],
    ["DataSources", { DataSources: 1 }],
    ["Outputs", { Outputs: 0 }],
  ])("are refused when %s is not what was uploaded: %j", async (total, over) => {
    await uploadAll();
    const refused = await commit(world, { ...COUNTS, ...over });
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(`${total} is `) },
    });
    expect(await isVisible()).toBe(false);
    expect((await commit(world, COUNTS)).status).toBe(200);
  });

  it("may leave unchanged resources out of the planned ones, or count them in", async () => {
    await uploadAll();
    const counted = { ...COUNTS, PlannedTotal: PLANNED.length + SAME.length };
    expect((await commit(world, counted)).status).toBe(200);
  });

  it("may count only the unchanged resources in the planned pages", async () => {
    await uploadAll();
    expect((await commit(world, { ...COUNTS, ...byType({ unchanged: 0 }) })).status).toBe(200);
  });

  it("are zeros for a plan without any page", async () => {
    expect((await commit(world, { ...NO_COUNTS, Outputs: 1 })).status).toBe(409);
    expect((await commit(world, NO_COUNTS)).status).toBe(200);
    expect((await world.call("GET", `${CHANGES}/outputs/rows`)).body).toMatchObject({ totalItems: 0 });
  });

  it("need the same number of rows in both uploads of a change type", async () => {
    await uploadAll();
    await upload(world, "planned_changes/1?change=deleted", PLANNED.slice(0, 2));
    const refused = await commit(world);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toMatchInlineSnapshot(
      `"the counts contradict the uploaded pages: planned_changes has 3 deleted elements in its own pages and 2 in those of that type. Upload the pages that are missing, or the counts of those that came"`,
    );
    await upload(world, "planned_changes/2?change=deleted", PLANNED.slice(2, 3));
    await upload(world, "drift_changes/1?change=changed", DRIFT);
    expect((await commit(world)).status).toBe(200);
  });

  it("are refused when the pages of a whole category are lost and those of its change types came", async () => {
    await upload(world, "drift_changes/1?change=changed", DRIFT);
    expect(await commit(world, NO_COUNTS)).toMatchObject({ status: 409 });
  });

  it("are refused while a page of a change type is missing before its last one", async () => {
    await uploadAll();
    await upload(world, "planned_changes/2?change=deleted", PLANNED.slice(0, 3));
    const refused = await commit(world);
    expect(refused).toMatchObject({
      status: 409,
      body: { message: "page 1 of the deleted elements of planned_changes has not been uploaded" },
    });
  });
});
