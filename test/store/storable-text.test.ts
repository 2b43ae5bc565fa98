import { describe, expect, it, onTestFinished, test } from "vitest";
import { parseStorable, toStorableJson } from "../../src/kernel/storable.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { findEvaluation, saveEvaluation } from "../../src/store/evaluations.ts";
import { findStageDetails, saveStageDetails } from "../../src/store/final-facts.ts";
import { saveLabel } from "../../src/store/repositories.ts";
import { evaluation } from "../render/evaluation-builder.ts";
import { engines } from "../world/engines.ts";

const NOW = new Date(1_000);

const EVILS = [
  ["NUL", "a\0b", "a\uFFFDb"],
  ["the first half of a character", "a\ud83d", "a\uFFFD"],
  ["the second half of a character", "\ude00b", "\uFFFDb"],
  ["what only looks like them", "\\u0000 \\ud83d 😀", "\\u0000 \\ud83d 😀"],
] as const;

describe.each(engines())("on $name", ({ open }) => {
  it("an evaluation and platform facts are stored without the characters that no database stores", async () => {
    const { db, close } = await open();
    onTestFinished(close);
    for (const [number, [, evil, kept]] of EVILS.entries()) {
      const made = { ...evaluation({ pull: { repositoryId: 1, number } }), foreignChecks: [evil] };
      const fence = await enterLane(db, `pull:1:${number}`, NOW);
      await saveEvaluation(db, { evaluation: made, digest: "d", policyBlobs: "" }, { fence, now: NOW });
      expect((await findEvaluation(db, { repositoryId: 1, number }))?.evaluation.foreignChecks).toEqual([
        kept,
      ]);
      const key = { account: "a", org: "o", project: "p", pipeline_execution_id: `${number}` };
      const stage = { execution: key, stageExecutionId: "s" };
      const attributes = { [evil]: { changedAttributes: [evil] } };
      await saveStageDetails(db, { ...stage, details: { attributes } }, NOW);
      expect(await findStageDetails(db, stage)).toEqual({
        attributes: { [kept]: { changedAttributes: [kept] } },
      });
      const label = parseStorable(JSON.stringify({ owner_login: evil, name: evil })) as Record<
        string,
        string
      >;
      const row = { repository_id: 9, installation_id: 1, owner_login: "", name: "", ...label };
      await saveLabel(db, row, NOW);
    }
  });
});

test.each(EVILS)("a JSON text with %s reads as what can be stored", (_, evil, kept) => {
  expect(parseStorable(JSON.stringify({ [evil]: evil, deep: [[evil]] }))).toEqual({
    [kept]: kept,
    deep: [[kept]],
  });
  expect(JSON.parse(toStorableJson({ a: evil }))).toEqual({ a: kept });
});
