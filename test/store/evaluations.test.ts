import { describe, expect, test } from "vitest";
import { parseSha } from "../../src/kernel/ids.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { hasUnevaluatedPull, listNewestEvaluations, saveEvaluation } from "../../src/store/evaluations.ts";
import { savePull } from "../../src/store/pulls.ts";
import { evaluation } from "../render/evaluation-builder.ts";
import { usualEngines } from "../world/engines.ts";

const SHA = parseSha("a".repeat(40)) ?? expect.fail("a commit id");

describe.each(usualEngines())("the newest evaluations of a repository ($name)", ({ open }) => {
  test("are those of its other pull requests, and no very large ones", async () => {
    const { db, close } = await open();
    const save = async (
      [repositoryId, number]: readonly [number, number],
      at: number,
      problems: readonly string[] = [],
    ) => {
      const now = new Date(at);
      const made = evaluation({ pull: { repositoryId, number } });
      const large = { ...made, foreignChecks: problems };
      const fence = await enterLane(db, `pull:${repositoryId}:${number}`, now);
      const kept = { evaluation: large, digest: `${number}`, policyBlobs: "" };
      expect(await saveEvaluation(db, kept, { fence, now })).toBe(true);
    };
    await save([1, 10], 1_000);
    await save([1, 11], 3_000);
    await save([1, 12], 2_000);
    await save([2, 13], 9_000);
    const noise = Array.from({ length: 40_000 }, (_, at) => `${Math.sin(at)}`);
    await save([1, 14], 9_000, noise);
    const numbers = async (limit: number, except = {}) =>
      (await listNewestEvaluations(db, { repositoryId: 1, ...except }, limit)).map(({ pull }) => pull.number);
    expect(await numbers(20)).toEqual([11, 12, 10]);
    expect(await numbers(20, { exceptNumber: 11 })).toEqual([12, 10]);
    expect(await numbers(2)).toEqual([11, 12]);
    await close();
  });

  test("of a head are missing while one into the same base branch has a former name of the check", async () => {
    const { db, close } = await open();
    const now = new Date(1_000);
    const headSha = SHA;
    const save = async (number: number, baseRef: string, checkName: string) => {
      const key = { repositoryId: 3, number };
      const fence = await enterLane(db, `pull:3:${number}`, now);
      await savePull(db, { ...key, headSha, baseRef, mergeSha: null, state: "open" }, now);
      const made = evaluation({ pull: { ...key, headSha, baseRef }, checkName });
      await saveEvaluation(db, { evaluation: made, digest: `${number}`, policyBlobs: "" }, { fence, now });
    };
    const isMissing = () =>
      hasUnevaluatedPull(db, { repositoryId: 3, headSha, baseRef: "main", checkName: "cost of main" });
    await save(1, "main", "cost of main");
    await save(2, "release", "cost");
    expect(await isMissing()).toBe(false);
    await save(3, "main", "cost");
    expect(await isMissing()).toBe(true);
    await save(3, "main", "cost of main");
    expect(await isMissing()).toBe(false);
    await close();
  });
});
