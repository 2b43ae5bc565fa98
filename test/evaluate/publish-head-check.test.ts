import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CurrentCheckTarget, publishHeadCheck } from "../../src/evaluate/check.ts";
import { NO_ANNOTATIONS } from "../../src/github/checks/publish-check.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { parseSha } from "../../src/kernel/ids.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import type { Conclusion } from "../../src/policy/model/situation.ts";
import { endCheckTurn, type StoredCheckRun, takeCheckTurn } from "../../src/store/check-runs.ts";
import { enterLane, type Fence, isFenceHeld } from "../../src/store/database/lanes.ts";
import { findEvaluation, markPublished, saveEvaluation } from "../../src/store/evaluations.ts";
import type { Store } from "../../src/store/open.ts";
import {
  announce,
  listUndecidedPulls,
  listUnvisitedPulls,
  markSwept,
  savePull,
} from "../../src/store/pulls.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { OWN_APP } from "../github/deliveries.ts";
import { clientOn, outcomeOf } from "../github/github.ts";
import { evaluation } from "../render/evaluation-builder.ts";
import { engines } from "../world/engines.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const HEAD = parseSha("a".repeat(40));
if (HEAD === null) throw new Error("a commit id has 40 digits");
const SHA = HEAD;
const MAIN = { headSha: SHA, checkName: "tollgate: main", baseRef: "main" };

const evaluationOf = (repositoryId: number, number: number, conclusion: Conclusion): Evaluation => ({
  ...evaluation({ pull: { repositoryId, number, headSha: SHA }, situation: { kind: "nothing_expected" } }),
  check: { status: "completed", conclusion },
});

/** A GitHub that keeps check runs; `before` runs before each write takes effect, with the write's number from 1. */
function fakeGitHub(before: (write: number) => Promise<void> = async () => {}) {
  const runs = new Map<number, string>();
  let writes = 0;
  const client = clientOn(async (url, { method, body }) => {
    const shown = (id: number) => ({
      id,
      name: "tollgate: main",
      head_sha: SHA,
      status: "completed",
      app: { id: OWN_APP },
    });
    if (method === "GET") return Response.json({ check_runs: [...runs.keys()].map(shown) });
    writes += 1;
    await before(writes);
    const id = Number(/check-runs\/(\d+)$/.exec(url)?.[1] ?? 10 + runs.size);
    runs.set(id, JSON.parse(body ?? "{}").conclusion);
    return Response.json(shown(id));
  });
  /** What GitHub counts: the newest run. */
  const shows = () => runs.get(Math.max(...runs.keys()));
  return { client, runs, shows, writes: () => writes };
}

describe.each(engines())("the gate on $name", ({ open }) => {
  let store: Store;
  let repositoryId = 100;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const renderer = {
    comment: () => "",
    check: ({ check }: Evaluation) => ({
      title: JSON.stringify(check),
      summary: "",
      text: null,
      annotations: [],
    }),
    answer: () => "",
    title: () => "",
    group: () => ({ title: "", summary: "", text: null }),
  };
  const enqueued: string[] = [];
  const alarms: string[] = [];
  const deps = () => ({
    db: store.db,
    queue: {
      enqueue: async (lane: string) => void enqueued.push(lane),
      setAlarm: async (lane: string) => void alarms.push(lane),
    },
    clock: systemClock,
    renderer,
    githubPages: "https://github.example",
    isOneShot: false,
  });

  async function judges(number: number, conclusion: Conclusion) {
    const lane = `pull:${repositoryId}:${number}`;
    const fence = await enterLane(store.db, lane, NOW);
    const pull = {
      repositoryId,
      number,
      headSha: SHA,
      mergeSha: null,
      baseRef: "main",
      state: "open" as const,
    };
    await savePull(store.db, pull, NOW);
    const kept = {
      evaluation: evaluationOf(repositoryId, number, conclusion),
      digest: conclusion,
      policyBlobs: "",
    };
    await saveEvaluation(store.db, kept, { fence, now: NOW });
    return { fence, kept };
  }

  const target = (
    client: InstallationClient,
    listed: { id: number; shows: string } | null = null,
    fence: Fence = { lane: `pull:${repositoryId}:1`, token: 1 },
  ): CurrentCheckTarget => ({
    client,
    repositoryId,
    repositoryNodeId: null,
    ...MAIN,
    listedRun: listed && {
      checkRunId: listed.id,
      digest: null,
      completed: true,
      annotations: NO_ANNOTATIONS,
    },
    listedState: listed?.shows ?? null,
    fence,
    isCurrent: async () => true,
  });

  it("two pull requests with one head that publish at the same time create one check, which shows the worse decision", async () => {
    repositoryId++;
    const { fence } = await judges(1, "success");
    const others: Promise<unknown>[] = [];
    const github = fakeGitHub(async (write) => {
      if (write > 1) return;
      const { fence: other } = await judges(2, "failure");
      others.push(publishHeadCheck(deps(), target(github.client, null, other)));
      await new Promise((resolve) => setTimeout(resolve, 50)); // the other would create its own meanwhile
    });
    await publishHeadCheck(deps(), target(github.client, null, fence));
    await Promise.all(others);
    expect([...github.runs]).toEqual([[10, "failure"]]);
    expect(github.writes()).toBe(2);
  });

  it.each(["of this pull request", "of another one, a minute ago"])(
    "a check that a crashed evaluation %s created is updated, not created again",
    async (whose) => {
      repositoryId++;
      const slot = { repositoryId, ...MAIN };
      const isOwn = whose === "of this pull request";
      const { fence: crashed } = await judges(isOwn ? 1 : 2, "success");
      expect(await takeCheckTurn(store.db, slot, { fence: crashed, now: NOW })).not.toBeNull();
      const github = fakeGitHub();
      github.runs.set(10, "success"); // created, and the process ended
      const { fence } = await judges(1, "failure");
      expect(
        await takeCheckTurn(store.db, slot, { fence: { ...fence, lane: "pull:1:3" }, now: NOW }),
      ).toBeNull();
      const minuteAgo = sql<Date>`now() - interval '1 minute'`;
      if (!isOwn)
        await store.db
          .updateTable("check_runs")
          .set({ writing_since: minuteAgo })
          .where("writer", "is not", null)
          .execute();
      await publishHeadCheck(deps(), target(github.client, null, fence));
      expect([...github.runs]).toEqual([[10, "failure"]]);
    },
  );

  interface SlotChange {
    version?: number;
    writing_since?: RawBuilder<Date>;
    unanswered_at?: RawBuilder<Date>;
  }
  const changeSlot = (values: SlotChange) =>
    store.db.updateTable("check_runs").set(values).where("repository_id", "=", repositoryId).execute();
  /** A whole turn of another writer. */
  async function takeTurn(fence: Fence, shown: StoredCheckRun) {
    const slot = { repositoryId, ...MAIN };
    const turn = await takeCheckTurn(store.db, slot, { fence, now: NOW });
    if (turn !== null)
      await endCheckTurn(store.db, slot, {
        fence,
        turn,
        shown,
        isEmpty: false,
        now: NOW,
      });
  }

  it("while a pull request with this head has no evaluation of it, what passes is not written, and what fails is", async () => {
    for (const isAnnounced of [false, true]) {
      repositoryId++;
      const first = await judges(1, "success");
      const other = { repositoryId, number: 2, mergeSha: null, baseRef: "main", state: "open" as const };
      await savePull(store.db, { ...other, headSha: isAnnounced ? "c".repeat(40) : SHA }, NOW);
      if (isAnnounced) await announce(store.db, other, { announced_sha: SHA });
      const github = fakeGitHub();
      await publishHeadCheck(deps(), target(github.client, null, first.fence));
      expect(github.writes()).toBe(0);
      const { fence } = await judges(1, "failure");
      await publishHeadCheck(deps(), target(github.client, null, fence));
      expect(github.shows()).toBe("failure");
      const again = await judges(1, "success");
      await publishHeadCheck(deps(), target(github.client, null, again.fence));
      expect(github.shows()).toBe("failure");
      await judges(2, "success");
      const later = new Date(NOW.getTime() + 1);
      await enterLane(store.db, `pull:${repositoryId}:2`, later); // what it saved may hold no longer
      await publishHeadCheck(deps(), target(github.client, null, again.fence));
      expect(github.shows()).toBe("failure");
      const both = await judges(2, "success");
      await publishHeadCheck(deps(), target(github.client, null, both.fence));
      expect(github.shows()).toBe("success");
    }
  });

  it("a write that waited until its turn was over is sent in a turn of its own", async () => {
    repositoryId++;
    const { fence } = await judges(1, "failure");
    const github = fakeGitHub();
    let waitedMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + waitedMs };
    const isCurrent = async () => {
      if (waitedMs > 0) return true;
      waitedMs = 21_000; // in the write lane; meanwhile another process writes the check
      await changeSlot({ writing_since: sql<Date>`now() - interval '21 seconds'` });
      github.runs.set(10, "success");
      const other = { lane: `pull:${repositoryId}:2`, token: 1 };
      await takeTurn(other, { checkRunId: 10, digest: "success", completed: true, annotations: null });
      return true;
    };
    const published = await publishHeadCheck(
      { ...deps(), clock },
      { ...target(github.client, null, fence), isCurrent },
    );
    expect(published).toBe("published");
    expect([...github.runs]).toEqual([[10, "failure"]]);
  });

  it("what another process wrote, while this one was paused during its write, counts", async () => {
    repositoryId++;
    const { fence } = await judges(1, "success");
    const github = fakeGitHub(async (write) => {
      if (write > 1) return;
      const { fence: other } = await judges(2, "failure");
      await changeSlot({ writing_since: sql<Date>`now() - interval '21 seconds'` });
      await takeTurn(other, { checkRunId: 10, digest: null, completed: true, annotations: null });
      github.runs.set(10, "failure");
    });
    const published = await publishHeadCheck(deps(), target(github.client, null, fence));
    expect([published, github.shows()]).toEqual(["published", "failure"]);
  });

  it("what a paused evaluation writes after a later one of its pull request is corrected at once", async () => {
    repositoryId++;
    const stale = await judges(1, "success");
    const other = fakeGitHub(); // the same for the process that goes on meanwhile
    const github = fakeGitHub(async (write) => {
      if (write > 1) return;
      const { fence } = await judges(1, "failure");
      await publishHeadCheck(deps(), target(other.client, { id: 9, shows: "" }, fence));
    });
    for (const { runs } of [github, other]) runs.set(9, "");
    enqueued.length = 0;
    const isCurrent = () => isFenceHeld(store.db, stale.fence);
    const staleTarget = { ...target(github.client, { id: 9, shows: "" }, stale.fence), isCurrent };
    expect(await outcomeOf(publishHeadCheck(deps(), staleTarget))).toBe("superseded");
    expect(github.shows()).toBe("success");
    expect(enqueued).toEqual([stale.fence.lane]);
    const { fence } = await judges(1, "failure");
    await publishHeadCheck(deps(), target(github.client, { id: 9, shows: "success" }, fence));
    expect(github.shows()).toBe("failure");
  });

  it.each(["creates", "updates"])(
    "a check run that GitHub %s after its answer was given up does not stay",
    async (does) => {
      repositoryId++;
      const isNew = does === "creates";
      const listed = isNew ? null : { id: 10, shows: "success" };
      const { fence } = await judges(1, "failure");
      const github = fakeGitHub(async (write) => {
        if (write === 1) throw new TypeError("fetch failed");
      });
      if (listed !== null) github.runs.set(10, listed.shows);
      alarms.length = 0;
      const first = target(github.client, listed, fence);
      expect(await outcomeOf(publishHeadCheck(deps(), first))).toMatchObject({ kind: "unavailable" });
      await publishHeadCheck(deps(), first); // the queue's next attempt
      expect([github.shows(), alarms]).toEqual(["failure", [fence.lane]]);
      github.runs.set(isNew ? 11 : 10, "success");
      await changeSlot({ unanswered_at: sql<Date>`now() - interval '31 seconds'` });
      const again = await judges(1, "failure");
      await publishHeadCheck(deps(), target(github.client, { id: 10, shows: "failure" }, again.fence));
      expect([github.shows(), alarms]).toEqual(["failure", [fence.lane]]);
      const before = github.writes();
      await publishHeadCheck(deps(), target(github.client, { id: isNew ? 11 : 10, shows: "failure" }));
      expect(github.writes()).toBe(before);
    },
  );

  it("as long as a request may take effect, every evaluation reads the check again", async () => {
    repositoryId++;
    const { fence } = await judges(1, "failure");
    const github = fakeGitHub(async (write) => {
      if (write === 1) throw new TypeError("fetch failed");
    });
    alarms.length = 0;
    await outcomeOf(publishHeadCheck(deps(), target(github.client, null, fence)));
    await publishHeadCheck(deps(), target(github.client, null, fence));
    await publishHeadCheck(deps(), target(github.client, { id: 10, shows: "failure" }, fence));
    expect(alarms).toEqual([fence.lane, fence.lane]);
  });

  it("the check that GitHub shows counts, not the one stored before a crash", async () => {
    repositoryId++;
    await judges(1, "failure");
    const github = fakeGitHub();
    await publishHeadCheck(deps(), target(github.client));
    github.runs.set(10, "success"); // a stale write that nobody remembered
    await publishHeadCheck(deps(), target(github.client, { id: 10, shows: "success" }));
    expect(github.shows()).toBe("failure");
    const before = github.writes();
    await publishHeadCheck(deps(), target(github.client, { id: 10, shows: "failure" }));
    expect(github.writes()).toBe(before);
  });

  it("the newest check run is updated, whichever run the store knows", async () => {
    repositoryId++;
    await judges(1, "failure");
    const github = fakeGitHub();
    await publishHeadCheck(deps(), target(github.client));
    github.runs.set(11, "success"); // made by another replica at the same time
    await publishHeadCheck(deps(), target(github.client, { id: 11, shows: "success" }));
    expect(github.shows()).toBe("failure");
  });

  it("a paused evaluation that continues after a newer one does not replace it", async () => {
    repositoryId++;
    const stale = await judges(1, "success");
    await judges(1, "failure");
    expect(await saveEvaluation(store.db, stale.kept, { fence: stale.fence, now: NOW })).toBe(false);
    const newest = await findEvaluation(store.db, { repositoryId, number: 1 });
    expect(newest?.evaluation.check).toEqual({ status: "completed", conclusion: "failure" });
  });

  it("the sweep finds unpublished checks and old evaluations, and skips deleted repositories", async () => {
    repositoryId++;
    const row = {
      repository_id: repositoryId,
      installation_id: 5,
      owner_id: 6,
      owner_login: "acme",
      name: "shop",
    };
    const mine = (pulls: readonly { repositoryId: number; number: number }[]) =>
      pulls.filter((pull) => pull.repositoryId === repositoryId).map(({ number }) => number);
    for (const number of [1, 2]) await judges(number, "success");
    expect(mine(await listUndecidedPulls(store.db, 500))).toEqual([]);
    await saveRepository(store.db, row, NOW);
    expect(mine(await listUndecidedPulls(store.db, 500))).toEqual([1, 2]);
    await markSwept(store.db, [{ repositoryId, number: 1 }], NOW);
    expect(mine(await listUndecidedPulls(store.db, 1))).toEqual([2]);
    await markPublished(store.db, { repositoryId, number: 2 }, "success");
    expect(mine(await listUndecidedPulls(store.db, 500))).toEqual([1]);
    const later = new Date(NOW.getTime() + 1);
    expect(mine(await listUnvisitedPulls(store.db, { after: NOW, now: later }, 500))).toEqual([]);
    expect(mine(await listUnvisitedPulls(store.db, { after: later, now: later }, 500))).toEqual([2, 1]);
    // As after the clock was set back by an hour: nobody knows how long ago it was.
    const hourAgo = new Date(NOW.getTime() - 3_600_000);
    expect(mine(await listUnvisitedPulls(store.db, { after: new Date(0), now: hourAgo }, 500))).toEqual([
      2, 1,
    ]);
  });
});
