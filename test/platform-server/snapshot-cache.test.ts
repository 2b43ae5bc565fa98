import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SnapshotKey } from "../../src/platform-server/area/keys.ts";
import { SnapshotCache } from "../../src/platform-server/changes/snapshot-cache.ts";
import { isPlatformPath } from "../../src/platform-server/server.ts";
import { usualEngines } from "../world/engines.ts";
import { openPlatform, type PlatformWorld } from "./platform-world.ts";
import { CHANGES, change, countsOf, createStage } from "./stories.ts";

describe.each(usualEngines())("the cache of snapshot indexes on $name", (engine) => {
  let world: PlatformWorld;
  let keys: SnapshotKey[];
  beforeAll(async () => {
    world = await openPlatform(engine);
    for (const pipeline_stage_id of ["stage-1", "stage-2", "stage-3"]) {
      await createStage(world, { pipeline_stage_id });
      const changes = CHANGES.replace("stage-1", pipeline_stage_id);
      const rows = Array.from({ length: 200 }, (_, index) => change("added", `n${index}`));
      const drift = rows.slice(0, 3);
      await world.call("POST", `${changes}/planned_changes/1`, { bytes: JSON.stringify(rows) });
      await world.call("POST", `${changes}/drift_changes/1`, { bytes: JSON.stringify(drift) });
      const bytes = JSON.stringify(countsOf({ planned_changes: rows, drift_changes: drift }));
      await world.call("POST", `${changes}/counts`, { bytes });
    }
    const snapshots = world.store.db.selectFrom("platform_snapshots").select(["account", "snapshot_id"]);
    keys = await snapshots.orderBy("snapshot_id").execute();
  });
  afterAll(() => world.close());

  it("reads an index once, whole, and drops the least recently used one when its memory is full", async () => {
    const [first, second, third] = keys as [SnapshotKey, SnapshotKey, SnapshotKey];
    const { weight } = await new SnapshotCache(world.store.db).get(first);
    const cache = new SnapshotCache(world.store.db, 2 * weight);
    const [one, again] = await Promise.all([cache.get(first), cache.get(first)]);
    expect(again).toBe(one);
    expect(one.runs.map(({ category, facets }) => [category, facets.length])).toEqual([
      ["drift_changes", 3],
      ["planned_changes", 200],
    ]);
    const two = await cache.get(second);
    expect(await cache.get(first)).toBe(one);
    await cache.get(third);
    expect(await cache.get(first)).toBe(one);
    expect(await cache.get(second)).not.toBe(two);
  });

  it("caches the one requested last, however heavy, and does not cache a failure", async () => {
    const [first] = keys as [SnapshotKey];
    const small = new SnapshotCache(world.store.db, 1);
    expect(await small.get(first)).toBe(await small.get(first));
    const closed = await engine.open();
    await closed.close();
    const broken = new SnapshotCache(closed.db);
    const failure = broken.get(first);
    await expect(failure).rejects.toThrow();
    expect(broken.get(first).catch(() => null)).not.toBe(failure);
  });
});

describe("the platform's paths", () => {
  it.each([
    "/api/orgs/a",
    "/iacm/api/orgs/a",
    "/gateway/iacm/api/orgs",
    "/tollgate/v1/ingest",
    "/iacm/tollgate/v1/ingest",
  ])("%s is one", (path) => expect(isPlatformPath(path)).toBe(true));
  it.each(["/", "/api/executions", "/api/github/webhooks", "/iacmx", "/x/api/orgs/a", "/tollgate/v10"])(
    "%s is none",
    (path) => expect(isPlatformPath(path)).toBe(false),
  );
});
