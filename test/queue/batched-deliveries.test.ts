import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { toStorable } from "../../src/kernel/storable.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createDeliveryInbox, createQueue } from "../../src/queue/queue.ts";
import { casesToTry } from "../world/depth.ts";
import { engines, openEmbedded } from "../world/engines.ts";

/** Texts with halves of characters, NUL and what only looks like them. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\0", "\ud83d", "\ude00", "\\u0000", "\\ud800", "😀", "'", '"', "\\", "\u202e"),
    fc.string({ unit: "binary", maxLength: 2 }),
  ),
});

it.each(engines())(
  "on $name every delivery of a batch is stored, whatever text another one contains",
  async ({ open }) => {
    const store = await open();
    const queue = createQueue(await openBoss(store, { warn: () => {}, error: () => {} }), systemClock);
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 2, maxLength: 30 }), async (texts) => {
        const sent = texts.map((text) => ({ id: randomUUID(), event: { text, [text]: [text] } }));
        const answers = await Promise.all(sent.map(({ id, event }) => queue.acceptDelivery(id, event)));
        expect(answers).toEqual(sent.map(() => "queued"));
        const kept = await sql<{
          id: string;
          data: object;
        }>`select id, data from queue.job where id = any(${sent.map(({ id }) => id)}::uuid[])`.execute(
          store.db,
        );
        const byId = new Map(kept.rows.map(({ id, data }) => [id, data]));
        for (const { id, event } of sent) expect(byId.get(id)).toEqual(toStorable(event));
      }),
      { numRuns: casesToTry({ usual: 8, deep: 30 }) },
    );
    await queue.stop();
    await store.close();
  },
);

/** Accepts deliveries at the same time while the statement that stores them fails; returns how often it was executed and how many were stored. */
async function acceptsWhile(code: string) {
  const store = await openEmbedded();
  const boss = await openBoss(store, { warn: () => {}, error: () => {} });
  let statements = 0;
  boss.insert = async () => {
    statements += 1;
    throw Object.assign(new Error("refused"), { code });
  };
  const ids = Array.from({ length: 64 }, () => randomUUID());
  const accept = createDeliveryInbox(boss);
  const settled = await Promise.allSettled(ids.map((id) => accept(id, {})));
  await boss.stop({ graceful: false });
  await store.close();
  return { statements, accepted: settled.filter(({ status }) => status === "fulfilled").length };
}

it.each(["53100", "53200", "57014", "XX000"])(
  "sixty-four deliveries that meet a fault of the whole database (%s) cost one statement",
  async (code) => {
    expect(await acceptsWhile(code)).toEqual({ statements: 1, accepted: 0 });
  },
);
