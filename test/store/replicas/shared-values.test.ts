import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  findSharedValue,
  listInstallationChanges,
  markInstallationChanged,
  readDatabaseTime,
  saveSharedValues,
} from "../../../src/store/replicas/shared-installations.ts";
import { engines } from "../../world/engines.ts";

const INSTALLATION = 7;
const OTHER = 8;
const MAX_AGE_MS = 60_000;

describe.each(engines())("a value that processes share of an installation, on $name", async (engine) => {
  const store = await engine.open();
  beforeEach(() => store.db.deleteFrom("shared_installations").execute());
  afterAll(() => store.close());

  const saves = async (value: string, askedAt?: Date): Promise<void> =>
    saveSharedValues(store.db, "coverage", {
      values: new Map([[INSTALLATION, value]]),
      askedAt: askedAt ?? (await readDatabaseTime(store.db)),
    });
  const finds = (installationId = INSTALLATION) =>
    findSharedValue(store.db, { installationId, name: "coverage" }, MAX_AGE_MS);
  /** The database's clock was set by so much since the value was saved. */
  const clockMoves = (ms: number) =>
    sql`update shared_installations set coverage_at = coverage_at - ${ms}::float8 * interval '1 millisecond'`.execute(
      store.db,
    );

  /** A `Date` has no microseconds: a request within the millisecond of a change counts as made before it. */
  const nextMillisecond = async (): Promise<void> => {
    const began = await readDatabaseTime(store.db);
    while ((await readDatabaseTime(store.db)).getTime() === began.getTime()) {}
  };

  it("is absent until a process saved it, and then has an age", async () => {
    expect(await finds()).toMatchObject({ value: null, ageMs: 0 });
    await saves("all");
    await clockMoves(20_000);
    const { value, ageMs } = await finds();
    expect(value).toBe("all");
    expect(ageMs).toBeGreaterThanOrEqual(20_000);
    expect(ageMs).toBeLessThan(MAX_AGE_MS);
    expect((await finds(OTHER)).value).toBeNull();
  });

  it("does not count when it is too old or from the future", async () => {
    await saves("all");
    await clockMoves(MAX_AGE_MS + 1);
    expect((await finds()).value).toBeNull();
    await saves("all");
    await clockMoves(-MAX_AGE_MS / 2);
    expect((await finds()).value).toBeNull();
  });

  it("does not count after the installation changed, even when it was requested before the change and saved after it", async () => {
    const { askedAt } = await finds();
    await saves("all");
    await markInstallationChanged(store.db, INSTALLATION);
    expect((await finds()).value).toBeNull();
    await saves("all", askedAt);
    expect((await finds()).value).toBeNull();
    await nextMillisecond();
    await saves("selected");
    expect((await finds()).value).toBe("selected");
  });

  it("is no change of the installation and no pause, and the other value stays", async () => {
    await saveSharedValues(store.db, "token", {
      values: new Map([[INSTALLATION, "sealed"]]),
      askedAt: await readDatabaseTime(store.db),
    });
    await saves("all");
    expect(await listInstallationChanges(store.db)).toEqual([]);
    expect(
      await findSharedValue(store.db, { installationId: INSTALLATION, name: "token" }, MAX_AGE_MS),
    ).toMatchObject({ value: "sealed" });
  });
});
