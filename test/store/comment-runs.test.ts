import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { beginCommentRun, distrustComments, endCommentRun } from "../../src/store/comments.ts";
import { usualEngines } from "../world/engines.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const LANE = "pull:1:1";
const ANSWERED = { isCompared: false };

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

  it("without an end is remembered until a run that began half a minute later has compared", async () => {
    const afterCrash = await begin();
    expect(afterCrash.lateRequests).toBe("possible");
    expect(await endCommentRun(store.db, afterCrash, { isCompared: true })).toBe(false);
    await halfAMinutePasses();
    for (const isCompared of [false, true]) {
      const run = await begin();
      expect(run.lateRequests).toBe("past");
      expect(await endCommentRun(store.db, run, { isCompared })).toBe(true);
    }
    const newest = await begin();
    expect(newest.lateRequests).toBe("none");
    await endCommentRun(store.db, afterCrash, ANSWERED); // an earlier run ends nothing
    expect((await begin()).lateRequests).toBe("possible");
  });

  it("after others changed a comment compares, whether or not there was a run before", async () => {
    for (const lane of [LANE, "pull:1:2"]) {
      await distrustComments(store.db, lane, NOON);
      expect((await beginCommentRun(store.db, lane, NOON)).lateRequests).toBe("possible");
    }
  });
});
