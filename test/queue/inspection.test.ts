import { describe, expect, onTestFinished, test } from "vitest";
import { createQueueInspection } from "../../src/queue/inspection.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { engines } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";

const LOG = { warn: () => {}, error: () => {} };

describe.each(engines())("what an operator sees of the queue on $name", ({ open }) => {
  async function openQueue() {
    const store = await open();
    onTestFinished(() => store.close());
    const boss = await openBoss(store, LOG);
    const queue = createQueue(boss, { now: Date.now, monotonicMs: () => performance.now() });
    onTestFinished(() => queue.stop());
    return { boss, queue, inspection: createQueueInspection(boss) };
  }

  test("a delivery is listed with its content, waiting first, then with its outcome", async () => {
    const { queue, inspection } = await openQueue();
    await queue.acceptDelivery("11111111-1111-4111-8111-111111111111", { hello: "world" });
    expect(await inspection.listDeliveries(5)).toMatchObject([
      {
        id: "11111111-1111-4111-8111-111111111111",
        data: { hello: "world" },
        state: "created",
        problem: null,
      },
    ]);
    await queue.workDeliveries(async () => {});
    await eventually(async () => expect((await inspection.listDeliveries(5))[0]?.state).toBe("completed"));
  });

  test("a delivery that failed every attempt is listed with its error, and runs again on request", async () => {
    const { boss, queue, inspection } = await openQueue();
    const id = "22222222-2222-4222-8222-222222222222";
    await queue.acceptDelivery(id, {});
    await boss.getDb().executeSql("update queue.job set retry_limit = 0 where name = 'delivery'");
    let isBroken = true;
    await queue.workDeliveries(async () => {
      if (isBroken) throw new Error("it broke");
    });
    await eventually(async () => expect((await inspection.listDeliveries(5))[0]?.state).toBe("failed"));
    expect(await inspection.listDeliveries(5)).toMatchObject([{ id, problem: "it broke" }]);
    await eventually(async () =>
      expect(await inspection.listFailedJobs(5)).toMatchObject([
        { queue: "delivery", lane: null, problem: "it broke" },
      ]),
    );
    isBroken = false;
    await inspection.retryDelivery(id);
    await eventually(async () => expect((await inspection.listDeliveries(5))[0]?.state).toBe("completed"));
  });
});
