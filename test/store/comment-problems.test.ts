import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  findCommentProblem,
  forgetCommentProblem,
  listDueComments,
  recordRestore,
  retryCommentsNow,
  retryInstallationComments,
  type StoredCommentProblem,
  saveCommentProblem,
} from "../../src/store/comment-problems.ts";
import { saveInstallation, setSuspended } from "../../src/store/installations.ts";
import { savePull } from "../../src/store/pulls.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { usualEngines } from "../world/engines.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const noonPlus = (ms: number): Date => new Date(NOON.getTime() + ms);

describe.each(usualEngines())("what is to be done about comments, on $name", async ({ open }) => {
  let repositoryId = 100;
  const store = await open();
  afterAll(() => store.close());
  beforeEach(async () => {
    repositoryId += 1;
    const owner = { owner_id: 5, owner_login: "acme" };
    const installed = { installation_id: repositoryId };
    await saveInstallation(
      store.db,
      { ...installed, ...owner, repository_selection: "all", suspended: false },
      NOON,
    );
    const named = { installation_id: repositoryId, name: `r${repositoryId}` };
    await saveRepository(store.db, { repository_id: repositoryId, ...named, ...owner }, NOON);
  });

  const pullOf = async (number: number, state: "open" | "closed" = "open") => {
    const seen = { headSha: "a".repeat(40), mergeSha: null, baseRef: "main", state };
    await savePull(store.db, { repositoryId, number, ...seen }, NOON);
    return { repositoryId, number };
  };
  const due = async (at: Date) =>
    (await listDueComments(store.db, at, 100))
      .filter((pull) => pull.repositoryId === repositoryId)
      .map(({ number }) => number);
  const problem = (nextAt: Date): StoredCommentProblem => ({
    problem: "refused",
    digest: "d",
    firstAt: NOON,
    nextAt,
  });

  it("a refused comment is due at its time, of an open pull request always, of a closed one for a day", async () => {
    const [opened, closed] = [await pullOf(1), await pullOf(2, "closed")];
    for (const pull of [opened, closed]) await saveCommentProblem(store.db, pull, problem(noonPlus(HOUR)));
    expect(await due(noonPlus(HOUR - 1))).toEqual([]);
    expect(await due(noonPlus(HOUR))).toEqual([1, 2]);
    expect(await due(noonPlus(24 * HOUR))).toEqual([1]);
    await forgetCommentProblem(store.db, opened);
    expect([await findCommentProblem(store.db, opened), await due(noonPlus(24 * HOUR))]).toEqual([null, []]);
  });

  it("the longest waiting is first, and a suspended installation waits", async () => {
    await saveCommentProblem(store.db, await pullOf(1), problem(noonPlus(2)));
    await saveCommentProblem(store.db, await pullOf(2), problem(noonPlus(1)));
    expect(await due(noonPlus(HOUR))).toEqual([2, 1]);
    await setSuspended(store.db, repositoryId, true);
    expect(await due(noonPlus(HOUR))).toEqual([]);
  });

  it("a try is made due for one pull request, a repository, or an installation", async () => {
    const [first, second] = [await pullOf(1), await pullOf(2)];
    const late = async () => {
      for (const pull of [first, second]) await saveCommentProblem(store.db, pull, problem(noonPlus(HOUR)));
    };
    await late();
    await retryCommentsNow(store.db, first, NOON);
    expect(await due(NOON)).toEqual([1]);
    await retryCommentsNow(store.db, { repositoryId }, NOON);
    expect(await due(NOON)).toEqual([1, 2]);
    await late();
    await retryInstallationComments(store.db, repositoryId, NOON);
    expect(await due(NOON)).toEqual([1, 2]);
  });

  it("six restorations within an hour are allowed", async () => {
    const pull = await pullOf(1);
    const allowed = [];
    for (let minute = 0; minute < 8; minute += 1)
      allowed.push(await recordRestore(store.db, pull, noonPlus(minute * MINUTE)));
    expect(allowed).toEqual([true, true, true, true, true, true, false, false]);
    expect(await recordRestore(store.db, { ...pull, number: 2 }, NOON)).toBe(true);
    expect(await recordRestore(store.db, pull, noonPlus(HOUR))).toBe(true);
    expect(await recordRestore(store.db, pull, noonPlus(HOUR))).toBe(false);
  });
});
