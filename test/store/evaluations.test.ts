import { describe, expect, test } from "vitest";
import { parseSha } from "../../src/kernel/ids.ts";
import { createRenderer } from "../../src/render/renderer.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import {
  findEvaluation,
  hasUnevaluatedPull,
  listNewestEvaluations,
  saveEvaluation,
} from "../../src/store/evaluations.ts";
import { savePull } from "../../src/store/pulls.ts";
import { evaluation, templates } from "../render/evaluation-builder.ts";
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
    const numbers = async (number: number, limit: number) =>
      (await listNewestEvaluations(db, { repositoryId: 1, number }, limit)).map(({ pull }) => pull.number);
    expect(await numbers(99, 20)).toEqual([11, 12, 10]);
    expect(await numbers(11, 20)).toEqual([12, 10]);
    expect(await numbers(99, 2)).toEqual([11, 12]);
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

  test("of an earlier version know nothing of facts that it did not ask for", async () => {
    const { db, close } = await open();
    const now = new Date(1_000);
    const key = { repositoryId: 1, number: 20 };
    const made = evaluation({ pull: key });
    const { prompts, ...context } = made.report.context;
    expect(prompts).toBeDefined();
    const older = JSON.stringify({ ...made, report: { ...made.report, context } });
    const fence = await enterLane(db, "pull:1:20", now);
    await saveEvaluation(db, { evaluation: made, digest: "d", policyBlobs: "" }, { fence, now });
    await db.updateTable("evaluations").set({ evaluation: older }).where("number", "=", 20).execute();
    const unread = { state: "unknown", reason: "not_read" };
    expect((await findEvaluation(db, key))?.evaluation.report.context.prompts).toEqual(unread);
    const [other] = await listNewestEvaluations(db, { repositoryId: 1, number: 99 }, 1);
    expect(other?.report.context.prompts).toEqual(unread);
    await close();
  });

  test("of an earlier version with a team's own wording is read and rendered without it", async () => {
    const { db, close } = await open();
    const now = new Date(1_000);
    const key = { repositoryId: 1, number: 21 };
    const made = evaluation({ pull: key });
    const partial = {
      name: "next-step",
      file: "acme/shop:.github/tollgate/next-step.hbs",
      text: "Go!",
      blob: "b",
    };
    const older = JSON.parse(JSON.stringify({ ...made, wording: { partials: [partial], problems: [] } }));
    const fence = await enterLane(db, "pull:1:21", now);
    await saveEvaluation(db, { evaluation: older, digest: "d", policyBlobs: "" }, { fence, now });
    const read = await findEvaluation(db, key);
    const links = { details: null, recheckHint: false };
    const { comment } = createRenderer(templates());
    expect(read === null ? "" : comment(read.evaluation, links)).toBe(comment(made, links));
    await close();
  });
});
