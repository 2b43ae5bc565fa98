import { describe, expect, test } from "vitest";
import { newestEvaluations, saveEvaluation } from "../../src/store/evaluations.ts";
import { enterLane } from "../../src/store/lanes.ts";
import { evaluation } from "../render/evaluation-builder.ts";
import { engines } from "../world/engines.ts";

describe.each(engines())("the newest evaluations of a repository ($name)", ({ open }) => {
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
    const numbers = async (number: number, limit: number) =>
      (await newestEvaluations(db, { repositoryId: 1, number }, limit)).map(({ pull }) => pull.number);
    expect(await numbers(99, 20)).toEqual([11, 12, 10]);
    expect(await numbers(11, 20)).toEqual([12, 10]);
    expect(await numbers(99, 2)).toEqual([11, 12]);
    await close();
  });
});
