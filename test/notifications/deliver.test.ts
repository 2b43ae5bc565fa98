import { describe, expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import {
  type DeliverDeps,
  deliverNotifications,
  type PostRequest,
  type SendResult,
} from "../../src/notifications/deliver.ts";
import { createNotificationRenderer } from "../../src/render/notifications/message-text.ts";
import { recordNotices, type TargetNotice } from "../../src/store/notifications/notices.ts";
import { NO_TELEMETRY } from "../../src/telemetry/telemetry.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { templates } from "../render/evaluation-builder.ts";
import { SlackPayload } from "../render/notifications/payload-schemas.ts";
import { usualEngines } from "../world/engines.ts";

const START = Date.UTC(2027, 0, 1, 12);
const MINUTE = 60_000;
const SENT: SendResult = { state: "sent" };
const DOWN: SendResult = { state: "unavailable", problem: "it answered with the status 503", afterMs: null };

const notice = (subject: string, digestMs: number | null = null, key = "1"): TargetNotice => ({
  target: "finops",
  subject,
  change: {
    key,
    digestMs,
    notification: {
      event: "budget",
      repository: "acme/shop",
      budget: subject,
      reached: 80,
      used: { amount: decimal("80"), currency: "USD" },
      limit: { amount: decimal("100"), currency: "USD" },
    },
  },
});

/** Processes that share a database, and a target that answers what a test says. */
function createOffice(db: Database["db"], { perMinute = 600 } = {}) {
  let nowMs = START;
  let answer: () => Promise<SendResult> = async () => SENT;
  const sent: { readonly atMs: number; readonly title: string; readonly headings: number }[] = [];
  const alarms: (number | undefined)[] = [];
  const reports: (string | null)[] = [];
  const post = ({ body }: PostRequest): Promise<SendResult> => {
    const { text, blocks } = SlackPayload.parse(JSON.parse(body));
    sent.push({ atMs: nowMs, title: text, headings: blocks.filter(({ type }) => type === "section").length });
    return answer();
  };
  const deps: DeliverDeps = {
    db,
    queue: { enqueueNotifications: async (_target, atMs) => void alarms.push(atMs) },
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
    log: { info: () => {}, warn: () => {} },
    telemetry: NO_TELEMETRY,
    targets: new Map([
      ["finops", { name: "finops", per_minute: perMinute, kind: "slack", url: "https://hooks.example/" }],
    ]),
    renderer: createNotificationRenderer(templates(), { github: "https://github.com", tollgate: null }),
    senders: { post, mail: () => Promise.reject(new Error("no mail")) },
    reportTarget: async (_target, problem) => void reports.push(problem),
  };
  return {
    ...{ sent, alarms, reports },
    tells: (...notices: readonly TargetNotice[]) =>
      recordNotices(db, notices, { now: new Date(nowMs), fence: null }),
    works: () => deliverNotifications(deps, "finops"),
    answers: (next: () => Promise<SendResult>) => {
      answer = next;
    },
    at: (ms: number) => {
      nowMs = START + ms;
    },
    states: async () =>
      (await db.selectFrom("notifications").select(["state", "attempts", "problem"]).execute()).map(
        ({ state, attempts }) => `${state} ${attempts}`,
      ),
  };
}

describe.each(usualEngines())("notifications on $name", ({ open }) => {
  test("of one change are sent once, however often it is seen, and again after it was over", async () => {
    const { db, close } = await open();
    const office = createOffice(db);
    expect([...(await office.tells(notice("room")))]).toEqual(["finops"]);
    expect([...(await office.tells(notice("room")))]).toEqual([]);
    await office.works();
    await office.works();
    expect(office.sent.map(({ title }) => title)).toEqual(["Budget at 80 %: room in acme/shop"]);
    await office.tells({ ...notice("room"), change: null });
    await office.tells(notice("room"));
    await office.works();
    await office.tells(notice("room", null, "2"));
    await office.works();
    expect(office.sent).toHaveLength(3);
    await close();
  });

  test("that fail are sent again with growing pauses, and are given up after a day", async () => {
    const { db, close } = await open();
    const office = createOffice(db);
    office.answers(async () => DOWN);
    await office.tells(notice("room"));
    await office.works();
    for (let tries = 1; tries < 20 && !(await office.states())[0]?.startsWith("failed"); tries++) {
      office.at((office.alarms.at(-1) ?? START) - START);
      await office.works();
    }
    const minutes = office.sent.map(({ atMs }) => (atMs - START) / MINUTE);
    expect(minutes).toEqual([0, 1, 6, 21, 81, 261, 621, 1341]);
    expect(await office.states()).toEqual(["failed 8"]);
    expect(office.reports).toEqual(Array.from({ length: 6 }, () => "it answered with the status 503"));
    await close();
  });

  test("wait as long as the target asks for", async () => {
    const { db, close } = await open();
    const office = createOffice(db);
    office.answers(async () => ({ ...DOWN, afterMs: 10 * MINUTE }));
    await office.tells(notice("room"));
    await office.works();
    expect(office.alarms).toEqual([START + 10 * MINUTE]);
    await close();
  });

  test("that the target refuses are given up at once, and the next is sent all the same", async () => {
    const { db, close } = await open();
    const office = createOffice(db);
    let answers = 0;
    office.answers(async () => (answers++ === 0 ? { state: "refused", problem: "it said no" } : SENT));
    await office.tells(notice("a"), notice("b"));
    await office.works();
    expect((await office.states()).toSorted()).toEqual(["failed 1", "sent 1"]);
    expect(office.reports).toEqual(["it said no", null]);
    await close();
  });

  test("never exceed the rate of the target in any minute, and none is lost", async () => {
    const { db, close } = await open();
    const office = createOffice(db, { perMinute: 3 });
    await office.tells(...Array.from({ length: 8 }, (_, at) => notice(`budget-${at}`)));
    for (let second = 0; second <= 180; second += 5) {
      office.at(second * 1_000);
      await office.works();
    }
    const times = office.sent.map(({ atMs }) => atMs);
    expect(times).toHaveLength(8);
    for (const from of times)
      expect(times.filter((at) => at >= from && at < from + MINUTE).length).toBeLessThanOrEqual(3);
    await close();
  });

  test("are sent by one of several processes each, and within the rate of all together", async () => {
    const { db, close } = await open();
    const office = createOffice(db, { perMinute: 6 });
    await office.tells(...Array.from({ length: 9 }, (_, at) => notice(`budget-${at}`)));
    await Promise.all(Array.from({ length: 5 }, () => office.works()));
    expect(office.sent).toHaveLength(6);
    expect(new Set(office.sent.map(({ title }) => title)).size).toBe(6);
    await close();
  });

  test("of a process that ended while it sent are sent by another, under the same name", async () => {
    const { db, close } = await open();
    const office = createOffice(db);
    let started: () => void = () => {};
    const starts = new Promise<void>((resolve) => {
      started = resolve;
    });
    office.answers(() => {
      started();
      return new Promise(() => {});
    });
    await office.tells(notice("room"));
    void office.works();
    await starts;
    office.answers(async () => SENT);
    await office.works();
    expect(office.sent).toHaveLength(1);
    office.at(MINUTE);
    await office.works();
    expect(office.sent).toHaveLength(2);
    const rows = await db.selectFrom("notifications").select(["message_id", "state"]).execute();
    expect(rows).toEqual([{ message_id: expect.stringMatching(/^notification_\d+$/), state: "sent" }]);
    await close();
  });

  test("of a day are one message, those that do not fit another, and what is urgent does not wait", async () => {
    const { db, close } = await open();
    const office = createOffice(db);
    const morning = START + 20 * 60 * MINUTE;
    await office.tells(...Array.from({ length: 22 }, (_, at) => notice(`budget-${at}`, morning)));
    await office.tells(notice("urgent"));
    await office.works();
    expect(office.sent.map(({ title }) => title)).toEqual(["Budget at 80 %: urgent in acme/shop"]);
    expect(office.alarms).toEqual([morning]);
    office.at(20 * 60 * MINUTE);
    await office.works();
    expect(office.sent.slice(1)).toEqual([
      { atMs: morning, title: "Tollgate: 20 notices", headings: 20 },
      { atMs: morning, title: "Tollgate: 2 notices", headings: 2 },
    ]);
    await close();
  });
});
