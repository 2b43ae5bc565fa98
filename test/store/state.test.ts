import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import type { Lapse } from "../../src/policy/model/approval.ts";
import { listLapsedApprovals } from "../../src/store/approvals/approvals.ts";
import { appendDecision } from "../../src/store/audit/decisions.ts";
import {
  endCheckTurn,
  forgetCheckDigests,
  hasCheckRun,
  type LateRequests,
  listFormerNames,
  renewCheckTurn,
  type StoredCheckRun,
  takeCheckTurn,
} from "../../src/store/check-runs.ts";
import { enterLane, isFenceHeld } from "../../src/store/database/lanes.ts";
import { transact } from "../../src/store/database/transaction.ts";
import { storedApproval, storedLapse } from "../../src/store/json/stored-values.ts";
import { forgetPolicy, hasSeenPolicy, rememberPolicy } from "../../src/store/known-policy-files.ts";
import { listOpenCommitPulls, savePull } from "../../src/store/pulls.ts";
import {
  findRepository,
  findRepositoryByName,
  saveListedRepository,
  saveRepository,
} from "../../src/store/repositories.ts";
import { engines } from "../world/engines.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const LATER = new Date("2026-03-01T13:00:00Z");
const A = "a".repeat(40);
const B = "b".repeat(40);

const DECISION = {
  kind: "verdict",
  ...{ repositoryId: 1, number: 7, headSha: A, baseRef: "main", checkName: "tollgate: main" },
  ...{ digest: "d1", situation: "evaluated", decision: "success", policyBlobs: [], findings: [] },
} as const;

describe.each(engines())("the store on $name", async ({ open }) => {
  const store = await open();
  afterAll(() => store.close());

  it("lets only the newest evaluation of a lane write", async () => {
    const first = await enterLane(store.db, "pull:1:1", NOON);
    expect(await isFenceHeld(store.db, first)).toBe(true);
    const second = await enterLane(store.db, "pull:1:1", NOON);
    expect(await isFenceHeld(store.db, first)).toBe(false);
    expect(await isFenceHeld(store.db, second)).toBe(true);
  });

  it("stores when a head was first seen, and deletes the old head's merge", async () => {
    const pull = { repositoryId: 2, number: 3, mergeSha: B, baseRef: "main", state: "open" as const };
    expect(await savePull(store.db, { ...pull, headSha: A }, NOON)).toBe(NOON.getTime());
    expect(await savePull(store.db, { ...pull, headSha: A, mergeSha: null }, LATER)).toBe(NOON.getTime());
    expect(await listOpenCommitPulls(store.db, 2, B)).toHaveLength(1);
    const moved = { ...pull, headSha: "c".repeat(40), mergeSha: null };
    expect(await savePull(store.db, moved, LATER)).toBe(LATER.getTime());
    expect(await listOpenCommitPulls(store.db, 2, B)).toHaveLength(0);
  });

  it("keeps the installation that lists a repository, when a read through the former one states the same", async () => {
    const row = { repository_id: 12, owner_id: 5, owner_login: "acme", name: "moved", labels_at: NOON };
    const installation = async () => (await findRepository(store.db, 12))?.installation_id;
    await saveRepository(store.db, { ...row, installation_id: 1 }, NOON);
    await saveListedRepository(store.db, { ...row, installation_id: 2 }, NOON);
    await saveRepository(store.db, { ...row, installation_id: 1, name: "again" }, NOON);
    expect(await installation()).toBe(2);
    expect((await findRepository(store.db, 12))?.name).toBe("again");
    await saveRepository(store.db, { ...row, installation_id: 3, labels_at: LATER }, NOON);
    expect(await installation()).toBe(3);
  });

  it("lists the approvals that a change ended, however many their approvers revoked later", async () => {
    const pull = { repositoryId: 9, number: 9 };
    const [revoked, lapsed] = [
      { revoked_at: LATER, lapsed_at: null },
      { revoked_at: null, lapsed_at: NOON },
    ];
    const insert = async (id: string, end: typeof revoked | typeof lapsed, why: Lapse | null) => {
      const approval = {
        ...{ id, approver: { id: 1, login: "grace" }, headSha: A, baseRef: "main", givenMs: 0, reason: "" },
        ...{ upTo: null, covered: [], violated: [], ground: [], figures: "" },
      };
      const texts = { node_id: id, body_digest: "", approval: storedApproval.write(approval) };
      const row = { repository_id: 9, number: 9, approval_id: id, approver_id: 1, given_at: NOON };
      const ended = { ...end, why: why && storedLapse.write(why) };
      await store.db
        .insertInto("approvals")
        .values({ ...row, ...texts, ...ended })
        .execute();
    };
    await insert("comment:1", lapsed, { kind: "ground_changed" });
    await insert("comment:2", revoked, { kind: "edited" });
    for (let id = 3; id < 9; id += 1) await insert(`comment:${id}`, revoked, null);
    const listed = await listLapsedApprovals(store.db, pull);
    expect(listed.map(({ approval }) => approval.id)).toEqual(["comment:2", "comment:1"]);
  });

  it("finds a repository by name without case, the newest bearer of the name first", async () => {
    const row = { installation_id: 1, owner_id: 5, owner_login: "Acme", name: "Web" };
    await saveRepository(store.db, { ...row, repository_id: 10 }, NOON);
    await saveRepository(store.db, { ...row, repository_id: 11 }, LATER);
    expect((await findRepositoryByName(store.db, "acme/web"))?.repository_id).toBe(11);
    expect(await findRepositoryByName(store.db, "acme/we_")).toBeUndefined();
    expect(await findRepositoryByName(store.db, "acme/web/other")).toBeUndefined();
  });

  it("a check has former names for each base branch that it was about", async () => {
    const write = async (checkName: string, baseRef: string | null) => {
      const fence = { lane: "pull:5:1", token: 1 };
      await takeCheckTurn(
        store.db,
        { repositoryId: 5, headSha: A, checkName, baseRef },
        { fence, now: NOON },
      );
    };
    const former = (baseRef: string, checkName: string) =>
      listFormerNames(store.db, { repositoryId: 5, headSha: A, baseRef, checkName });
    await write("cost", "main");
    await write("cost", "release");
    await write("tollgate: main", "main");
    await write("cost of main", null);
    expect(await former("main", "cost")).toEqual(["tollgate: main"]);
    expect(await former("main", "cost of main")).toEqual(["cost", "tollgate: main"]);
    expect(await former("release", "cost of release")).toEqual(["cost"]);
    expect(await former("other", "cost")).toEqual([]);
  });

  describe("the turn to write a check", () => {
    const slot = { repositoryId: 4, headSha: A, checkName: "tollgate: main", baseRef: "main" };
    const nothing = {
      checkRunId: null,
      digest: null,
      completed: false,
      annotations: null,
      isUncertain: false,
    };
    const shown = { checkRunId: 99, digest: "x", completed: true, annotations: "y" };
    const run = (lane: number, token = 1) => ({ fence: { lane: `pull:4:${lane}`, token }, now: NOON });
    let version = 0;
    let lateRequests: LateRequests = "none";
    const take = async (writer: ReturnType<typeof run>) => {
      const turn = await takeCheckTurn(store.db, slot, writer);
      if (turn === null) return null;
      version = turn.version;
      lateRequests = turn.lateRequests;
      const { version: _, lateRequests: __, ...rest } = turn;
      return rest;
    };
    const end = (writer: ReturnType<typeof run>, what: StoredCheckRun | null) =>
      endCheckTurn(store.db, slot, {
        ...writer,
        turn: { version, lateRequests },
        shown: what,
        isEmpty: false,
      });

    it("belongs to one lane until it saves what GitHub shows", async () => {
      expect(await take(run(1))).toEqual(nothing);
      expect(await take(run(2))).toBeNull();
      expect(await hasCheckRun(store.db, slot)).toBe(false);
      expect(await end(run(1), shown)).toBe("certain");
      expect(await hasCheckRun(store.db, slot)).toBe(true);
      expect(await take(run(2))).toEqual({ ...shown, isUncertain: false });
      expect(await end(run(1), null)).toBe("overtaken");
      expect(await end(run(2), null)).toBe("certain");
    });

    it("passes at once to a later run of the lane, not to an earlier one, which must read GitHub first", async () => {
      await take(run(1, 2));
      expect(await take(run(1, 1))).toBeNull();
      expect(await take(run(1, 3))).toEqual({ ...shown, isUncertain: true });
      expect(await renewCheckTurn(store.db, slot, run(1, 2).fence)).toBe(false);
      await end(run(1, 3), null); // it could not read
      expect(await take(run(2))).toMatchObject({ isUncertain: true });
      // What the run sent that lost its turn may still take effect.
      expect(await end(run(2), shown)).toBe("unanswered");
      expect(await take(run(3))).toMatchObject({ isUncertain: true });
      const halfAMinuteAgo = sql<Date>`now() - interval '31 seconds'`;
      await store.db.updateTable("check_runs").set({ unanswered_at: halfAMinuteAgo }).execute();
      // This turn read GitHub before: the request may have taken effect since.
      expect(await end(run(3), shown)).toBe("unanswered");
      for (const written of [null, shown]) {
        expect(await take(run(4))).toMatchObject({ isUncertain: true });
        expect(await end(run(4), written)).toBe("certain");
      }
      expect(await take(run(5))).toMatchObject({ isUncertain: false });
      await end(run(5), null);
    });

    it("passes to another lane when it was not renewed, also when the database's clock was set back", async () => {
      for (const age of ["21 seconds", "-1 hour"]) {
        await take(run(1));
        const began = sql<Date>`now() - ${age}::interval`;
        await store.db.updateTable("check_runs").set({ writing_since: began }).execute();
        expect(await renewCheckTurn(store.db, slot, run(1).fence)).toBe(true);
        expect(await take(run(2))).toBeNull();
        await store.db.updateTable("check_runs").set({ writing_since: began }).execute();
        expect(await take(run(2))).toMatchObject({ isUncertain: true });
        await end(run(2), shown);
      }
    });

    it("has no digest after a re-check was requested", async () => {
      await forgetCheckDigests(store.db, 4, A);
      expect(await take(run(1))).toMatchObject({ checkRunId: 99, digest: null });
      await end(run(1), null);
    });
  });

  it("remembers a policy file until a push may have taken it away", async () => {
    const seen = { repositoryId: 5, baseRef: "main" };
    await rememberPolicy(store.db, seen);
    expect(await hasSeenPolicy(store.db, seen)).toBe(true);
    for (const baseRef of ["dev", null])
      expect(await hasSeenPolicy(store.db, { ...seen, baseRef })).toBe(false);
    await rememberPolicy(store.db, { ...seen, baseRef: null });
    await rememberPolicy(store.db, { ...seen, baseRef: null });
    await forgetPolicy(store.db, seen);
    expect(await hasSeenPolicy(store.db, { ...seen, baseRef: null })).toBe(true);
    expect(await hasSeenPolicy(store.db, seen)).toBe(false);
  });

  it("takes back or changes no decision", async () => {
    await appendDecision(store.db, DECISION, NOON);
    const change = store.db.updateTable("decisions").set({ record: "{}" }).execute();
    await expect(change).rejects.toThrow("append-only");
    await expect(store.db.deleteFrom("decisions").execute()).rejects.toThrow("append-only");
  });

  it("refuses at once what would wait for itself for ever: the database inside its own transaction", async () => {
    const inside = transact(store.db, async () => store.db.selectFrom("lanes").selectAll().execute());
    await expect(inside).rejects.toThrow(/inside a transaction/);
    const nested = transact(store.db, () => transact(store.db, async () => 1));
    await expect(nested).rejects.toThrow(/inside a transaction/);
    await expect(store.db.selectFrom("lanes").selectAll().execute()).resolves.toEqual(expect.any(Array));
  });
});
