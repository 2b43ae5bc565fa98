import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { createChainVerifier } from "../../../src/web/pages/decisions/decisions-page.ts";
import { usualEngines } from "../../world/engines.ts";
import { eventually } from "../../world/eventually.ts";
import { appendAll, buildVerdict } from "./decision-records.ts";

const HOUR_MS = 3_600_000;

describe.each(usualEngines())("the verification of the stored chain on $name", ({ open }) => {
  async function openChain(length: number) {
    const database = await open();
    onTestFinished(() => database.close());
    const records = Array.from({ length }, (_, number) => buildVerdict({ number: number + 1 }));
    await appendAll(database, records);
    let nowMs = 0;
    const clock = { now: () => nowMs, monotonicMs: () => nowMs };
    return {
      database,
      clock,
      passes: (ms: number) => {
        nowMs += ms;
      },
    };
  }

  test("an empty chain is whole", async () => {
    const { database, clock } = await openChain(0);
    const verifier = createChainVerifier({ db: database.db, clock }, { patienceMs: 30_000 });
    expect(await verifier.examine()).toEqual({ state: "whole", decisions: 0, verifiedMs: 0 });
  });

  test("a long chain is verified in parts, and new records are added to what is verified", async () => {
    const { database, clock } = await openChain(700);
    const impatient = createChainVerifier({ db: database.db, clock }, { patienceMs: 0 });
    const comesTo = (decisions: number) =>
      eventually(async () => expect(await impatient.examine()).toMatchObject({ state: "whole", decisions }));
    expect((await impatient.examine()).state).toBe("verifying");
    await comesTo(700);
    await appendAll(database, [buildVerdict({ number: 9_999 })]);
    await comesTo(701);
  });

  test("a change of an old record is found within the hour, and its repair after a minute", async () => {
    const { database, clock, passes } = await openChain(3);
    const verifier = createChainVerifier({ db: database.db, clock }, { patienceMs: 30_000 });
    expect((await verifier.examine()).state).toBe("whole");
    await sql`alter table decisions disable trigger decisions_append_only`.execute(database.db);
    const update = (to: string) =>
      sql`update decisions set record = replace(record, ${to === "neutral" ? "success" : "neutral"}, ${to}) where seq = 2`.execute(
        database.db,
      );
    await update("neutral");
    passes(HOUR_MS + 1);
    expect(await verifier.examine()).toMatchObject({ state: "broken", seq: 2, problem: "changed" });
    await update("success");
    expect((await verifier.examine()).state).toBe("broken");
    passes(HOUR_MS / 60 + 1);
    expect((await verifier.examine()).state).toBe("whole");
  });

  test.each([
    ["a missing record", "delete from decisions where seq = 2", { seq: 2, problem: "gap" }],
    ["missing newest records", "delete from decisions where seq = 3", { seq: 3, problem: "gap" }],
    [
      "a head that was set back",
      "update decision_head set seq = 2, hash = repeat('0', 64)",
      { problem: "other_head" },
    ],
  ])("%s is found", async (_, statement, found) => {
    const { database, clock } = await openChain(3);
    await sql`alter table decisions disable trigger decisions_append_only`.execute(database.db);
    await sql.raw(statement).execute(database.db);
    const verifier = createChainVerifier({ db: database.db, clock }, { patienceMs: 30_000 });
    expect(await verifier.examine()).toMatchObject({ state: "broken", ...found });
  });
});
