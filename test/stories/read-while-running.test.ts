import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { verifyAudit } from "../../src/store/audit/chain.ts";
import type { VerdictRecord } from "../../src/store/audit/decision-record.ts";
import { appendDecision, appendRecord } from "../../src/store/audit/decisions.ts";
import { transact } from "../../src/store/database/transaction.ts";
import { servePlatform } from "../../src/wiring/platform/serve.ts";
import { typed } from "../cli/run-command.ts";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { dumpTables } from "../world/dump.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

async function* linesOf(text: string) {
  yield* text.trimEnd().split("\n");
}

let world: World;
let numbers = { cheap: 0, expensive: 0, unpriced: 0 };
const record = (count: number): VerdictRecord => ({
  kind: "verdict",
  repositoryId: count % 3 === 0 ? 99 : world.repositoryId,
  number: 70_000 + count,
  headSha: "a".repeat(40),
  baseRef: "main",
  checkName: "tollgate: main",
  digest: `digest ${count}`,
  situation: "evaluated",
  decision: "success",
  policyBlobs: [],
  findings: [{ rule: "größe 東京", outcome: "passed", subject: null }],
});

beforeAll(async () => {
  world = await createWorld({ policy: STRICT, databaseUrl: null });
  vi.stubEnv("TOLLGATE_DATA", world.settings.dataDirectory);
  const { number: cheap } = await world.opensPlanned(CHEAP);
  const { number: expensive } = await world.opensPlanned(EXPENSIVE);
  const { number: unpriced } = world.opensPullRequest();
  await world.settles();
  numbers = { cheap, expensive, unpriced };
  await transact(world.bot.session.store.db, async (trx) => {
    for (let count = 0; count < 1_200; count += 1)
      await appendRecord(trx, record(count), new Date(Date.UTC(2027, 0, 1 + (count % 20))));
  });
}, 240_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.ends();
});

it("the chain that a command reads from a running Tollgate is that of one moment, though decisions are appended meanwhile", async () => {
  const { db } = world.bot.session.store;
  let ended = false;
  let appended = 1_200;
  const exports = Promise.all([typed(["audit", "export"]), typed(["audit", "export"])]).finally(() => {
    ended = true;
  });
  while (!ended) {
    await appendDecision(db, record(appended), new Date());
    appended += 1;
    await turn();
  }
  for (const { code, results, messages } of await exports) {
    const proven = await verifyAudit(linesOf(results));
    if (proven.state !== "whole") throw new Error(JSON.stringify(proven));
    expect(proven.included).toBe(proven.decisions);
    expect(proven.decisions).toBeGreaterThan(1_200);
    expect(proven.decisions).toBeLessThan(appended + 50);
    expect(messages).toEqual([`head: ${proven.head.hash} after ${proven.head.seq} decisions`]);
    expect(code).toBe(0);
  }
  expect(appended).toBeGreaterThan(1_201);
});

it("a running Tollgate answers commands as its database does when it is stopped, and nothing is written", async () => {
  const file = join(world.settings.dataDirectory, "tollgate.yml");
  const misspelt = 'limit: { deletions: 0 }, enforce: { prodution: block, "*": warn }';
  writeFileSync(file, `version: 1\nrules: [{ id: r, ${misspelt} }]\n`);
  const explain = ["policy", "explain", "--repository"];
  const questions: readonly (readonly string[])[] = [
    ["audit", "export", "--repository", REPOSITORY.toUpperCase(), "--from", "2027-01-05"],
    [...explain, REPOSITORY, "--number", String(numbers.expensive), "--json"],
    [...explain, String(world.repositoryId), "--number", String(numbers.unpriced)],
    [...explain, REPOSITORY, "--number", "4000"],
    ["policy", "check", file, "--repository", REPOSITORY],
  ];
  const ask = async () => {
    const answers: unknown[] = [];
    for (const words of questions) answers.push(await typed(words));
    return answers;
  };
  const volatile = ["queue", "version", "bam", "subscription", "schedule", "worker"];
  const left = volatile.map((table) => `queue.${table}`);
  const before = await dumpTables(world.bot.session.store, left);
  const running = await ask();
  const unnamed = await typed(["policy", "check", file]);
  expect(await dumpTables(world.bot.session.store, left)).toBe(before);
  await world.bot.stop();
  const stopped = await ask();
  const silent = await typed(["policy", "check", file]);
  await world.restarts();
  expect(stopped).toEqual(running);
  expect(running).toMatchObject([
    { code: 0, results: expect.stringMatching(/"seq"/) },
    { code: 1, results: expect.stringContaining('"failure"') },
    { code: 3 },
    { code: 2, messages: ["No evaluation of #4000 of acme/shop is stored here", expect.any(String)] },
    { code: 0, results: "No problem: 1 rule." },
  ]);
  expect(unnamed).toEqual(running[4]); // it asks the running Tollgate which stages there are, and nobody else
  expect(silent).toMatchObject({ code: 0, messages: [] });
  expect(unnamed.messages.map((line) => line.replace(file, "FILE"))).toMatchInlineSnapshot(`
    [
      "warning: FILE:2:54 rules[0].enforce.prodution no stage in 2 recent pull requests of acme/shop matches "prodution"; stages there: production (did you mean "production"?)",
    ]
  `);
});

it("a platform that runs alone on the directory answers commands as well", async () => {
  await world.bot.stop();
  const { settings } = world;
  const platform = await servePlatform({ ...settings, port: 0 }, pino({ level: "silent" }));
  const { code, results } = await typed(["audit", "export"]);
  await platform.stop();
  await world.restarts();
  expect(code).toBe(0);
  expect((await verifyAudit(linesOf(results))).state).toBe("whole");
});
