import { afterAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { readAuditLines, verifyAudit } from "../../src/store/audit/chain.ts";
import type { VerdictRecord } from "../../src/store/audit/decision-record.ts";
import { appendDecision, appendRecord, computeChainHash } from "../../src/store/audit/decisions.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { transact } from "../../src/store/database/transaction.ts";
import type { Store } from "../../src/store/open.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { engines, freshPostgres } from "../world/engines.ts";

const verdict = (repositoryId: number, digest: string): VerdictRecord => ({
  kind: "verdict",
  repositoryId,
  number: 7,
  headSha: "a".repeat(40),
  baseRef: "main",
  checkName: "tollgate: main",
  digest,
  situation: "evaluated",
  decision: "success",
  policyBlobs: [],
  findings: [],
});
const ALL = { repositoryId: null, fromMs: null, toMs: null };
const at = (minute: number) => new Date(Date.UTC(2027, 0, 1, 0, minute));

async function* each(lines: readonly string[]) {
  yield* lines;
}

describe.each(engines())("the chain of decisions on $name", async ({ open }) => {
  let lines: string[];
  const exported = async (filter: Parameters<typeof readAuditLines>[1] = ALL) => {
    const all: string[] = [];
    for await (const line of readAuditLines(store.db, filter)) all.push(JSON.stringify(line));
    return all;
  };
  const store = await open();
  await appendDecision(store.db, verdict(1, "one"), at(1));
  await transact(store.db, (trx) =>
    appendRecord(
      trx,
      {
        kind: "approval",
        turn: "approved",
        approval: "comment:5",
        repositoryId: 1,
        number: 7,
        headSha: "a".repeat(40),
        baseRef: "main",
        approver: { id: 3, login: "grace" },
        rules: ["monthly-increase"],
        upTo: null,
        reason: 'a "reason"',
        why: null,
      },
      at(2),
    ),
  );
  await appendDecision(store.db, verdict(1, "one"), at(3)); // stands already
  await appendDecision(store.db, verdict(2, "two"), at(4));
  await appendDecision(store.db, verdict(1, "three"), at(5));
  lines = await exported();
  afterAll(() => store.close());

  it("is written out whole and proven", async () => {
    expect(lines).toHaveLength(5);
    expect(await verifyAudit(each(lines))).toEqual({
      state: "whole",
      decisions: 4,
      included: 4,
      head: JSON.parse(lines[4] ?? "").head,
    });
  });

  it.each([
    ["a repository", { ...ALL, repositoryId: 2 }, [3]],
    ["a time", { ...ALL, fromMs: +at(2), toMs: +at(5) }, [2, 3]],
    ["nothing", { ...ALL, repositoryId: 9 }, []],
  ])("reports %s and stays whole", async (_, filter, told) => {
    const some = await exported(filter);
    expect(some.map((line) => JSON.parse(line)).flatMap(({ record, seq }) => (record ? [seq] : []))).toEqual(
      told,
    );
    expect(await verifyAudit(each(some))).toMatchObject({ state: "whole", included: told.length });
    expect(some.join("")).not.toContain(told.includes(2) ? "nobody" : "grace");
  });

  it("leaves out what is appended while somebody reads slowly, and its head is of the same moment", async () => {
    await transact(store.db, async (trx) => {
      for (let count = 0; count < 600; count += 1)
        await appendRecord(trx, verdict(3, `more ${count}`), at(6));
    });
    const slow: string[] = [];
    for await (const line of readAuditLines(store.db, ALL)) {
      if (slow.length % 100 === 0) await appendDecision(store.db, verdict(4, `late ${slow.length}`), at(7));
      slow.push(JSON.stringify(line));
    }
    expect(await verifyAudit(each(slow))).toMatchObject({ state: "whole", decisions: 604 });
    expect(slow.join("")).not.toContain("late");
  });

  it("shows that decisions are gone from its end, as the head is stored separately", async () => {
    const kept = await store.db.selectFrom("decision_head").select(["seq", "hash"]).executeTakeFirstOrThrow();
    await store.db
      .updateTable("decision_head")
      .set({ seq: kept.seq + 1, hash: "f".repeat(64) })
      .execute();
    const found = await verifyAudit(each(await exported()));
    await store.db.updateTable("decision_head").set(kept).execute();
    expect(found).toMatchObject({ state: "broken", problem: "other_head" });
    expect((await verifyAudit(each(await exported()))).state).toBe("whole");
  });

  const edit = (index: number, change: (line: Record<string, unknown>) => object) =>
    lines.map((line, at) => (at === index ? JSON.stringify(change(JSON.parse(line))) : line));

  it.each<[string, () => string[], object]>([
    [
      "another reason",
      () => edit(1, (line) => ({ ...line, record: String(line["record"]).replace("reason", "season") })),
      { state: "broken", line: 2, problem: "changed" },
    ],
    [
      "another record with a hash of its own",
      () =>
        edit(1, (line) => {
          const record = String(line["record"]).replace("reason", "season");
          return { ...line, record, hash: computeChainHash(String(line["previous"]), record) };
        }),
      { state: "broken", line: 3, problem: "not_linked" },
    ],
    ["a line taken out", () => lines.toSpliced(1, 1), { state: "broken", line: 2, problem: "gap" }],
    ["the first line taken out", () => lines.slice(1), { state: "broken", line: 1, problem: "gap" }],
    [
      "two lines swapped",
      () => lines.with(1, lines[2] ?? "").with(2, lines[1] ?? ""),
      { line: 2, problem: "gap" },
    ],
    ["a line twice", () => lines.toSpliced(1, 0, lines[0] ?? ""), { line: 2, problem: "gap" }],
    ["no end", () => lines.slice(0, 4), { state: "cut" }],
    ["the last decision taken out", () => lines.toSpliced(3, 1), { line: 4, problem: "other_head" }],
    ["something after the end", () => [...lines, lines[0] ?? ""], { line: 6, problem: "after_end" }],
    ["half a line", () => lines.with(2, (lines[2] ?? "").slice(0, 90)), { line: 3, problem: "not_a_line" }],
    ["nothing at all", () => [], { state: "cut", head: { seq: 0 } }],
  ])("shows %s", async (...[, tamper, expected]) => {
    expect(await verifyAudit(each(tamper()))).toMatchObject(expected);
  });
});

const server = inject("postgresUrl");

it.runIf(server)(
  "replicas that append at once, and fail at times, make one chain, whole at every moment",
  async () => {
    const url = await freshPostgres(server ?? "");
    const fail = (error: Error): never => {
      throw error;
    };
    const replicas = [
      await openDatabase({ kind: "postgres", url, maxConnections: 5 }, fail),
      await openDatabase({ kind: "postgres", url, maxConnections: 5 }, fail),
      await openDatabase({ kind: "postgres", url, maxConnections: 5 }, fail),
    ];
    const proven = async ({ db }: Store) => {
      const lines: string[] = [];
      for await (const line of readAuditLines(db, ALL)) lines.push(JSON.stringify(line));
      return verifyAudit(each(lines));
    };
    const appends = replicas.flatMap(({ db }, replica) =>
      Array.from({ length: 30 }, async (_, count) => {
        if (count % 5 > 0)
          return void (await appendDecision(db, verdict(replica, `digest ${count}`), at(count)));
        const broken = transact(db, async (trx) => {
          await appendRecord(trx, verdict(replica, `taken back ${count}`), at(count));
          throw new RangeError("taken back");
        });
        await expect(broken).rejects.toThrow("taken back");
      }),
    );
    const meanwhile = await Promise.all(replicas.map(proven));
    await Promise.all(appends);
    for (const found of meanwhile) expect(found.state).toBe("whole");
    expect(await proven(replicas[0] as Store)).toMatchObject({ state: "whole", decisions: 72 }); // three were opened
    for (const replica of replicas) await replica.close();
  },
);

describe.each(engines())("a record on $name", ({ open }) => {
  it("that finds no head of the chain is an error, and is not stored", async () => {
    const store = await open();
    onTestFinished(() => store.close());
    await store.db.deleteFrom("decision_head").execute();
    await expect(appendDecision(store.db, verdict(1, "one"), at(1))).rejects.toThrow("head");
    expect(await store.db.selectFrom("decisions").selectAll().execute()).toEqual([]);
  });

  it("is appended once by two runs of a lane that overlap, and never by the earlier one after the later one began", async () => {
    const store = await open();
    onTestFinished(() => store.close());
    for (const number of Array.from({ length: 20 }, (_, index) => index)) {
      const lane = `pull:1:${number}`;
      const record = { ...verdict(1, `${number}`), number };
      const first = await enterLane(store.db, lane, at(1));
      const later = async () =>
        appendDecision(store.db, record, at(1), await enterLane(store.db, lane, at(1)));
      const [, isLaterOnRecord] = await Promise.all([
        appendDecision(store.db, record, at(1), first),
        later(),
      ]);
      expect(isLaterOnRecord).toBe(true);
      expect(await appendDecision(store.db, { ...record, digest: "late" }, at(1), first)).toBe(false);
    }
    const rows = await store.db.selectFrom("decisions").select("number").orderBy("number").execute();
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });
});
