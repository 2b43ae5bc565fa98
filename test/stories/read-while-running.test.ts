import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyAudit } from "../../src/store/audit/audit-verify.ts";
import { appendDecision, appendRecord, type VerdictRecord } from "../../src/store/audit/decisions.ts";
import { transact } from "../../src/store/database/one-connection.ts";
import { servePlatform } from "../../src/wiring/platform/serve.ts";
import { findRunningFile, writeRunningFile } from "../../src/wiring/process/running-file.ts";
import { type Spawned, spawned } from "../cli/spawn-tollgate.ts";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { dumpTables } from "../world/dump.ts";
import { eventually } from "../world/eventually.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";
import { killable, kills } from "./killable.ts";

const POLICY = "examples/policies/limits.yml";

async function* linesOf(text: string) {
  yield* text.trimEnd().split("\n");
}

describe("while Tollgate runs on the embedded database", () => {
  let world: World;
  let numbers = { cheap: 0, dear: 0, unpriced: 0 };
  const environment = () => ({ TOLLGATE_DATA: world.settings.dataDirectory });
  const tollgate = (...words: readonly string[]) => spawned(words, environment());
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
    const { number: cheap } = await world.opensPlanned(CHEAP);
    const { number: dear } = await world.opensPlanned(EXPENSIVE);
    const { number: unpriced } = world.opensPullRequest();
    await world.settles();
    numbers = { cheap, dear, unpriced };
    await transact(world.bot.session.store.db, async (trx) => {
      for (let count = 0; count < 1_200; count += 1)
        await appendRecord(trx, record(count), new Date(Date.UTC(2027, 0, 1 + (count % 20))));
    });
  });
  afterAll(() => world.ends());

  it("the chain is written out as it stood at one moment, though decisions are appended meanwhile", async () => {
    const { db } = world.bot.session.store;
    let ended = false;
    let appended = 1_200;
    const exports = Promise.all([tollgate("audit", "export"), tollgate("audit", "export")]).finally(() => {
      ended = true;
    });
    while (!ended) {
      await appendDecision(db, record(appended), new Date());
      appended += 1;
      await sleep(1);
    }
    for (const { code, out, err } of await exports) {
      const proven = await verifyAudit(linesOf(out));
      if (proven.state !== "whole") throw new Error(JSON.stringify(proven));
      expect(proven.included).toBe(proven.decisions);
      expect(proven.decisions).toBeGreaterThan(1_200);
      expect(proven.decisions).toBeLessThan(appended + 50);
      expect(err).toBe(`tollgate: head: ${proven.head.hash} after ${proven.head.seq} decisions\n`);
      expect(code).toBe(0);
    }
    expect(appended).toBeGreaterThan(1_210);
  });

  it("it answers as the database does when Tollgate is stopped, and nothing is written", {
    timeout: 240_000, // it starts eighteen processes one after the other
  }, async () => {
    const explain = ["policy", "explain", "--repository"];
    const questions: readonly (readonly string[])[] = [
      ["audit", "export"],
      ["audit", "export", "--repository", REPOSITORY.toUpperCase(), "--from", "2027-01-05"],
      ["audit", "export", "--repository", "99", "--to", "2027-01-05T00:00:00.001Z", "--from", "1969-01-01"],
      ["audit", "export", "--repository", "acme/no & ne"],
      [...explain, REPOSITORY, "--number", String(numbers.cheap)],
      [...explain, REPOSITORY, "--number", String(numbers.dear), "--json"],
      [...explain, String(world.repositoryId), "--number", String(numbers.unpriced)],
      [...explain, REPOSITORY, "--number", "4000"],
      [...explain, "acme/no & ne", "--number", "1", "--json"],
    ];
    const ask = async () => {
      const answers: Spawned[] = [];
      for (const words of questions) answers.push(await tollgate(...words));
      return answers;
    };
    const left = [
      "queue.queue",
      "queue.version",
      "queue.bam",
      "queue.subscription",
      "queue.schedule",
      "queue.worker",
    ];
    const before = await dumpTables(world.bot.session.store, left);
    const running = await ask();
    expect(await dumpTables(world.bot.session.store, left)).toBe(before);
    await world.bot.stop();
    const stopped = await ask();
    await world.restarts();
    expect(running).toEqual(stopped);
    expect(running.map(({ code }) => code)).toEqual([0, 0, 0, 2, 0, 1, 3, 2, 2]);
    expect(running[4]?.out).toMatch(/^tollgate: main: success, evaluated: pass\n/);
    expect(running[7]?.err).toMatchInlineSnapshot(`
      "tollgate: No evaluation of #4000 of acme/shop is stored here
      tollgate: Name a pull request that Tollgate has evaluated, and run this where its database is.
      "
    `);
  });

  it("policy check reads the pull requests' facts from it, and asks nobody else unless requested", async () => {
    const file = join(world.settings.dataDirectory, "tollgate.yml");
    writeFileSync(
      file,
      'version: 1\nrules: [{ id: r, limit: { deletions: 0 }, enforce: { prodution: block, "*": warn } }]\n',
    );
    const check = (...more: readonly string[]) => tollgate("policy", "check", file, ...more);
    const [unnamed, named] = [await check(), await check("--repository", REPOSITORY)];
    await world.bot.stop();
    const [silent, read] = [await check(), await check("--repository", REPOSITORY)];
    await world.restarts();
    expect(unnamed.err.replace(file, "FILE")).toMatchInlineSnapshot(`
      "tollgate: warning: FILE:2:54 rules[0].enforce.prodution no stage in 2 recent pull requests of acme/shop matches "prodution"; stages there: production (did you mean "production"?)
      "
    `);
    expect(unnamed).toMatchObject({ code: 0, out: "No problem: 1 rule, 1 expectation.\n" });
    expect([named, read]).toEqual([unnamed, unnamed]);
    expect(silent).toEqual({ ...unnamed, err: "" });
  });

  it("a process that does not know the question is named, with the way out", async () => {
    const { dataDirectory } = world.settings;
    const file = findRunningFile(dataDirectory);
    if (file === null) throw new Error("nothing runs");
    writeRunningFile(dataDirectory, { ...file, key: `${file.key}x` });
    const ended = await tollgate("audit", "export");
    const explained = await tollgate("policy", "explain", "--repository", REPOSITORY, "--number", "1");
    const checked = await tollgate("policy", "check", POLICY, "--repository", REPOSITORY);
    const unnamed = await tollgate("policy", "check", POLICY);
    writeRunningFile(dataDirectory, file);
    expect([explained, checked]).toEqual([ended, ended]);
    expect(unnamed).toMatchObject({ code: 0, err: "" });
    expect([ended.code, ended.out]).toEqual([2, ""]);
    expect(ended.err.replace(dataDirectory, "DATA")).toMatchInlineSnapshot(`
      "tollgate: the Tollgate that runs on DATA does not know this question
      tollgate: It is of another version: restart it with this one, or stop it and run the command again.
      "
    `);
    expect((await tollgate("audit", "export")).code).toBe(0);
  });

  it("a platform that runs alone on the directory answers as well", async () => {
    await world.bot.stop();
    const { settings } = world;
    const platform = await servePlatform({ ...settings, port: 0 }, pino({ level: "silent" }));
    const { code, out } = await tollgate("audit", "export");
    await platform.stop();
    await world.restarts();
    expect(code).toBe(0);
    expect((await verifyAudit(linesOf(out))).state).toBe("whole");
  });
});

it("what a killed process left behind prevents no reading", { timeout: 120_000 }, async () => {
  const world = await killable(STRICT);
  try {
    const child = await world.start();
    const { github } = world;
    github.push({ repository: REPOSITORY, branch: "change", files: { "src/a.js": "1\n" } });
    const pull = github.openPullRequest({ repository: REPOSITORY, head: "change", title: "A change" });
    const ask = async () => [
      await spawned(["audit", "export"], { TOLLGATE_DATA: world.data }),
      await spawned(["policy", "explain", "--repository", REPOSITORY, "--number", String(pull.number)], {
        TOLLGATE_DATA: world.data,
      }),
    ];
    const sha = pull.headSha;
    await eventually(() => {
      const [run] = github.checkRuns({ repository: REPOSITORY, sha, appId: world.appId });
      expect(run?.conclusion).toBe("success");
    });
    const running = await ask();
    await kills(child);
    expect(findRunningFile(world.data)).not.toBeNull();
    expect(await ask()).toEqual(running);
    expect(running.map(({ code }) => code)).toEqual([0, 0]);
  } finally {
    await world.ends();
  }
});
