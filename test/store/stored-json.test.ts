import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type QueuedDelivery, queuedDelivery } from "../../src/deliveries/queued-delivery.ts";
import { listApprovalsInForce } from "../../src/store/approvals/approvals.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import {
  findEvaluation,
  listCheckEvaluations,
  listNewestEvaluations,
  saveEvaluation,
} from "../../src/store/evaluations.ts";
import { findFinalFacts, saveFinalFacts } from "../../src/store/final-facts.ts";
import { jsonColumn } from "../../src/store/json/stored-json.ts";
import { storedEvaluation, storedStageParts } from "../../src/store/json/stored-values.ts";
import { savePull } from "../../src/store/pulls.ts";
import { blockedEvaluation } from "../pages/pull/evaluations.ts";
import { CASES } from "../render/cases.ts";
import { evaluation } from "../render/evaluation-builder.ts";
import { stage } from "../report/facts.ts";
import { usualEngines } from "../world/engines.ts";

const stored = (text: string): unknown => JSON.parse(text);

describe("a stored value", () => {
  it.each(Object.entries({ ...CASES, approved: blockedEvaluation() }))(
    "is read as it was written: an evaluation of the case %s",
    (_, sample) => {
      const column = stored(storedEvaluation.write(sample));
      expect(column).toMatchObject({ version: 1 });
      expect(storedEvaluation.read(column)).toEqual({ state: "read", value: stored(JSON.stringify(sample)) });
    },
  );

  it("of an older version is brought to the newest one, from version to version", () => {
    const renamed = jsonColumn({
      name: "the cat",
      hint: "",
      schema: z.object({ name: z.string(), lives: z.int() }),
      upcasts: [(value) => ({ name: Object(value).nom }), (value) => ({ ...Object(value), lives: 9 })],
    });
    const cat = { name: "Mog", lives: 9 };
    expect(JSON.parse(renamed.write(cat))).toEqual({ version: 3, value: cat });
    for (const column of [
      { version: 1, value: { nom: "Mog" } },
      { version: 2, value: { name: "Mog" } },
      { version: 3, value: cat },
    ])
      expect(renamed.read(column)).toEqual({ state: "read", value: cat });
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "no value with its version"],
    ["a text", "x", "no value with its version"],
    ["a newer version", { version: 99, value: {} }, "version 99, newer than"],
    ["a value without its version", [stage()], "no value with its version"],
    ["a wrong member", { version: 1, value: [{ ...stage(), counts: { state: "sure" } }] }, "0.counts"],
  ])("that cannot be read says why: %s", (_, column, problem) => {
    expect(storedStageParts.read(column)).toEqual({
      state: "unreadable",
      problem: expect.stringContaining(problem),
    });
    expect(() => storedStageParts.require(column, "of run-1")).toThrow(
      expect.objectContaining({
        code: "stored_value_unreadable",
        message: expect.stringContaining("the facts of the execution of run-1 cannot be read"),
      }),
    );
  });

  it("of a queued delivery is read again, unless its kind is not known", () => {
    const repository = { id: 1, owner: "acme", name: "shop" };
    const source = { installationId: 2, repository, statedMs: 1_000 };
    const event = { kind: "recheck", ...source, sha: "a".repeat(40), pulls: [3] };
    const queued = { id: "d", event } as const;
    expect(queuedDelivery.require(queuedDelivery.pack(queued as QueuedDelivery), "x")).toEqual(queued);
    const other = { id: "d", event: { ...event, kind: "else" } };
    expect(queuedDelivery.read({ version: 1, value: other }).state).toBe("unreadable");
  });
});

describe.each(usualEngines())("a damaged column on $name", async ({ open }) => {
  const NOW = new Date(0);
  const store = await open();
  const { headSha, baseRef } = evaluation().pull;
  const head = { repositoryId: 1, headSha, baseRef, mergeSha: null, state: "open", isReset: false } as const;
  for (const number of [1, 2]) {
    await savePull(store.db, { ...head, number }, NOW);
    const made = evaluation({ pull: { repositoryId: 1, number } });
    const fence = await enterLane(store.db, `pull:1:${number}`, NOW);
    await saveEvaluation(store.db, { evaluation: made, digest: "d", policyBlobs: "" }, { fence, now: NOW });
  }
  await sql`update evaluations set evaluation = evaluation #- '{value,situation}' where number = 2`.execute(
    store.db,
  );
  afterAll(() => store.close());

  it("of an evaluation counts as none, and never as one that passed", async () => {
    const key = (number: number) => ({ repositoryId: 1, number });
    expect((await findEvaluation(store.db, key(1)))?.digest).toBe("d");
    expect(await findEvaluation(store.db, key(2))).toBeNull();
    expect(await listNewestEvaluations(store.db, { repositoryId: 1 }, 5)).toHaveLength(1);
    const { pull, checkName } = evaluation();
    await expect(
      listCheckEvaluations(store.db, { repositoryId: 1, headSha: pull.headSha, checkName }),
    ).rejects.toMatchObject({
      code: "stored_value_unreadable",
      message: expect.stringContaining("the evaluation of #2 in repository 1 cannot be read: situation"),
    });
  });

  it("of an approval is an error, and of facts nothing", async () => {
    await sql`insert into approvals values (1, 1, 'comment:1', 'n', 'd', 5, '{"version": 1, "value": {}}', now(), null, null, null)`.execute(
      store.db,
    );
    await expect(listApprovalsInForce(store.db, { repositoryId: 1, number: 1 })).rejects.toMatchObject({
      code: "stored_value_unreadable",
      message: expect.stringContaining("the approval comment:1 of #1 in repository 1 cannot be read: id"),
    });
    const execution = { account: "a", org: "o", project: "p", pipeline_execution_id: "x" };
    const { cost, modules, counts, rows } = stage();
    const facts = [{ cost, modules, counts, rows }];
    await saveFinalFacts(store.db, { execution, stages: "s", facts }, NOW);
    expect(await findFinalFacts(store.db, { execution, stages: "s" })).toEqual(facts);
    await sql`update facts set facts = '{"version": 1, "value": 1}'`.execute(store.db);
    expect(await findFinalFacts(store.db, { execution, stages: "s" })).toBeNull();
  });
});
