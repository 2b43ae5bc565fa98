import { afterEach, describe, expect, it, test } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { parseStorable, toStorableJson } from "../../src/kernel/storable.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { findEvaluation, saveEvaluation } from "../../src/store/evaluations.ts";
import { findRowAttributes, saveRowAttributes } from "../../src/store/final-facts.ts";
import { saveLabel } from "../../src/store/repositories.ts";
import { opened, payload, SHA, startReceiver } from "../github/deliveries.ts";
import { evaluation } from "../render/evaluation-builder.ts";
import { engines } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";

const quiet = { warn: () => {}, error: () => {} };
const NOW = new Date(1_000);

const EVILS = [
  ["NUL", "a\0b", "a\uFFFDb"],
  ["the first half of a character", "a\ud83d", "a\uFFFD"],
  ["the second half of a character", "\ude00b", "\uFFFDb"],
  ["what only looks like them", "\\u0000 \\ud83d 😀", "\\u0000 \\ud83d 😀"],
] as const;

/** Every delivery whose texts are kept, with the text wherever there is one. */
const deliveries = (text: string): readonly (readonly [string, object])[] => {
  const repository = { id: 77, name: text, owner: { login: text, id: 9 }, default_branch: text };
  const person = { id: 3, type: "User" };
  return [
    ["pull_request", opened({ repository, pull_request: { head: { sha: SHA }, base: { ref: text } } })],
    ["push", payload({ repository, ref: `refs/heads/${text}`, deleted: false, forced: true, commits: [] })],
    [
      "issue_comment",
      payload({
        repository,
        action: "created",
        issue: { number: 1, pull_request: {} },
        comment: { id: 2, node_id: text, body: `${text}\n/tollgate help`, user: person },
        sender: person,
      }),
    ],
    [
      "pull_request_review",
      payload({
        repository,
        action: "submitted",
        pull_request: { number: 1 },
        review: { id: 2, node_id: text, state: "approved", user: person },
      }),
    ],
    [
      "merge_group",
      payload({
        repository,
        action: "checks_requested",
        merge_group: { head_sha: SHA, head_ref: `refs/heads/${text}`, base_ref: text },
      }),
    ],
    ["status", payload({ repository, sha: SHA, context: `tollgate: ${text}`, target_url: text })],
  ];
};

describe.each(engines())("on $name", ({ open }) => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  it("a verified delivery with text that no database stores is accepted, for every event", async () => {
    const store = await open();
    const queue = createQueue(await openBoss(store, quiet), systemClock);
    const receiver = await startReceiver({ accept: ({ id, event }) => queue.acceptDelivery(id, event) });
    ends.push(store.close, () => queue.stop(), receiver.close);
    const events: string[] = [];
    await queue.workDeliveries(async (event) => {
      events.push(JSON.stringify(event));
    });
    const sent = EVILS.flatMap(([, evil]) => deliveries(evil));
    for (const [event, body] of sent) {
      const answer = await receiver.post(JSON.stringify(body), { "x-github-event": event });
      expect([event, answer]).toEqual([event, { status: 200, text: "ok\n" }]);
    }
    await eventually(() => expect(events).toHaveLength(sent.length));
    for (const [, , kept] of EVILS)
      expect(events.filter((event) => event.includes(JSON.stringify(kept).slice(1, -1)))).not.toHaveLength(0);
  });

  it("an evaluation and platform facts are stored without the characters that no database stores", async () => {
    const { db, close } = await open();
    ends.push(close);
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
      await saveRowAttributes(db, { ...stage, attributes }, NOW);
      expect(await findRowAttributes(db, stage)).toEqual({ [kept]: { changedAttributes: [kept] } });
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
