import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { beginCommentRun, endCommentRun } from "../../src/store/comments.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { usualEngines } from "../world/engines.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const LANE = "pull:1:1";
const ANSWERED = { isUnanswered: false, isCompared: false };

describe.each(usualEngines())("a run of a comment job on $name", async ({ open }) => {
  const store = await open();
  afterAll(() => store.close());

  const begin = () => beginCommentRun(store.db, LANE, NOON);
  const halfAMinutePasses = () =>
    store.db
      .updateTable("lanes")
      .set({ unanswered_at: sql<Date>`unanswered_at - interval '31 seconds'` })
      .execute();

  it("that ends with every answer leaves nothing to find out", async () => {
    const run = await begin();
    expect(run).toEqual({ fence: { lane: `comment:${LANE}`, token: 1 }, lateRequests: "none" });
    expect(await endCommentRun(store.db, run, ANSWERED)).toBe(true);
    expect((await begin()).lateRequests).toBe("none");
  });

  it("without an end, or with a request without an answer, is remembered until a run that began half a minute later has compared", async () => {
    const afterCrash = await begin();
    expect(afterCrash.lateRequests).toBe("possible");
    expect(await endCommentRun(store.db, afterCrash, { ...ANSWERED, isCompared: true })).toBe(false);
    await halfAMinutePasses();
    const unanswered = await begin();
    expect(unanswered.lateRequests).toBe("past");
    expect(await endCommentRun(store.db, unanswered, { isUnanswered: true, isCompared: true })).toBe(false);
    expect((await begin()).lateRequests).toBe("possible");
    await endCommentRun(store.db, unanswered, ANSWERED); // an earlier run ends nothing
    await halfAMinutePasses();
    for (const isCompared of [false, true]) {
      await enterLane(store.db, `comment:${LANE}`, NOON); // a version that knows no ends
      await store.db.updateTable("lanes").set({ is_open: false }).execute();
      const run = await begin();
      expect(run.lateRequests).toBe("past");
      expect(await endCommentRun(store.db, run, { isUnanswered: false, isCompared })).toBe(true);
    }
    expect((await begin()).lateRequests).toBe("none");
  });
});
