import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  listInstallationChanges,
  reserveWrite,
  savePause,
} from "../../../src/store/replicas/shared-installations.ts";
import { engines } from "../../world/engines.ts";

const INSTALLATION = 7;
const SPACING_MS = 10_000;
const HOUR_MS = 3_600_000;

describe.each(engines())("writes of one installation, on $name", async (engine) => {
  const store = await engine.open();
  beforeEach(() => store.db.deleteFrom("shared_installations").execute());
  afterAll(() => store.close());

  const reserves = (isUrgent: boolean, installationId = INSTALLATION) =>
    reserveWrite(store.db, { installationId, spacingMs: SPACING_MS, isUrgent });
  /** The database's clock was set by so much since the row was written. */
  const clockMoves = (ms: number) =>
    sql`update shared_installations set next_write_at = next_write_at - ${ms}::float8 * interval '1 millisecond',
      paused_until = paused_until - ${ms}::float8 * interval '1 millisecond'`.execute(store.db);

  it("start one distance after the other, whoever asks at the same time", async () => {
    const starts = await Promise.all(Array.from({ length: 5 }, () => reserves(true)));
    const seconds = starts.map(({ inMs }) => Math.round(inMs / 1_000)).sort((a, b) => a - b);
    expect(seconds).toEqual([0, 10, 20, 30, 40]);
    expect(starts.every(({ isReserved }) => isReserved)).toBe(true);
  });

  it("do not wait for those of another installation", async () => {
    await reserves(true);
    expect(await reserves(true, 8)).toEqual({ isReserved: true, inMs: 0, pausedMs: 0 });
  });

  it("that are not urgent take a start only when it is free, and reserve none ahead", async () => {
    expect(await reserves(false)).toMatchObject({ isReserved: true, inMs: 0 });
    const refused = await reserves(false);
    expect(refused.isReserved).toBe(false);
    expect(refused.inMs).toBeGreaterThan(0);
    const urgent = await reserves(true);
    expect(urgent.isReserved).toBe(true);
    expect(urgent.inMs).toBeLessThanOrEqual(SPACING_MS);
    await clockMoves(2 * SPACING_MS + 1);
    expect(await reserves(false)).toMatchObject({ isReserved: true, inMs: 0 });
  });

  it("start at once although a process reserved a start and ended", async () => {
    await reserves(true);
    await clockMoves(SPACING_MS + 1);
    expect(await reserves(true)).toMatchObject({ isReserved: true, inMs: 0 });
  });

  it("start at once after the database's clock was set back", async () => {
    await reserves(true);
    await clockMoves(-24 * HOUR_MS);
    expect(await reserves(true)).toMatchObject({ isReserved: true, inMs: 0 });
    expect((await reserves(true)).inMs).toBeGreaterThan(9_000);
  });

  it("know that GitHub limits their installation, the longest of several limits", async () => {
    await savePause(store.db, INSTALLATION, 60_000);
    await savePause(store.db, INSTALLATION, 20_000);
    const { pausedMs } = await reserves(true);
    expect(pausedMs).toBeGreaterThan(50_000);
    expect(pausedMs).toBeLessThanOrEqual(60_000);
    expect((await reserves(true, 8)).pausedMs).toBe(0);
    expect(await listInstallationChanges(store.db)).toMatchObject([{ installationId: INSTALLATION }]);
    await clockMoves(60_001);
    expect(await listInstallationChanges(store.db)).toEqual([]);
  });

  it("are not limited for hours after the database's clock was set back", async () => {
    await savePause(store.db, INSTALLATION, 60_000);
    await clockMoves(-24 * HOUR_MS);
    expect((await reserves(true)).pausedMs).toBe(0);
    expect(await listInstallationChanges(store.db)).toMatchObject([{ pausedMs: 0 }]);
    await savePause(store.db, INSTALLATION, 60_000);
    const [limited] = await listInstallationChanges(store.db);
    expect(limited?.pausedMs).toBeGreaterThan(50_000);
  });
});
