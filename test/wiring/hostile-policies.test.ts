import { afterAll, describe, expect, test } from "vitest";
import type { ParsedPolicy } from "../../src/policy/file/parse.ts";
import type { Policy } from "../../src/policy/model/policy.ts";
import { buildReport } from "../../src/report/build.ts";
import type { Report, ReportedRow } from "../../src/report/model/report.ts";
import { startPolicyTasks } from "../../src/wiring/evaluation/policy-tasks.ts";
import { CONTEXT } from "../policy/policies.ts";
import { cost, facts, known, stage } from "../report/facts.ts";

/** No time limit: steps are what stops these policies. */
const LIMITS = { timeoutMs: 600_000 };
const threads = startPolicyTasks(LIMITS);
afterAll(() => threads.close());

const OWNER = "1";
const quoted = (condition: string) => `'${condition.replaceAll("'", "''")}'`;
const fileOf = (conditions: readonly string[]): string =>
  `version: 1\nrules:\n  - { id: limit, limit: { increase: 50 USD } }\n${conditions
    .map((condition, at) => `  - { id: r${at}, when: ${quoted(condition)} }`)
    .join("\n")}\n`;

const parse = (text: string): Promise<ParsedPolicy> => {
  const given = { repository: { file: "tollgate.yml", text }, organisation: null };
  return threads.inForce({ kind: "parse", input: given, owner: OWNER });
};

async function policyOf(conditions: readonly string[]): Promise<Policy> {
  const parsed = await parse(fileOf(conditions));
  if (parsed.state === "invalid") throw new Error(JSON.stringify(parsed.problems));
  return parsed.policy;
}

const rowAt = (at: number): ReportedRow => ({
  workspace: "production",
  stage: "production",
  address: `module.m${at}.aws_instance.web[${at}]`,
  type: "aws_instance",
  module: `m${at}`,
  change: "deleted",
});
const small = buildReport(facts(stage({ cost: known(cost("100 > 200")) })), { stages: [] });
const rows: Report = { ...small, rows: Array.from({ length: 1_000 }, (_, at) => rowAt(at)) };

/** Each rule's outcome, with the reason of those that are undecided. */
async function tell(conditions: readonly string[], report: Report = rows): Promise<Record<string, string>> {
  const policy = await policyOf(conditions);
  const given = { report, policy, context: CONTEXT };
  const { findings } = await threads.inForce({ kind: "evaluate", input: given, owner: OWNER });
  return Object.fromEntries(
    findings.map(({ rule, outcome, because }) => [
      rule,
      [outcome, ...because.map((one) => ("problem" in one ? one.problem : one.kind))].join(": "),
    ]),
  );
}

/** It takes 0.02 of what the evaluation takes at most; all of it, where the evaluation itself ran there. */
const MAIN_THREAD_SHARE = 0.25;

/**
 * How much of the processor time that `work` took was this thread's, which answers others: 1 is all of it. Unlike times it is
 * about the same on a slow machine and on a busy one.
 */
async function shareOfMainThread(work: () => Promise<unknown>): Promise<number> {
  const before = { thread: process.threadCpuUsage(), all: process.cpuUsage() };
  await work();
  const [thread, all] = [process.threadCpuUsage(before.thread), process.cpuUsage(before.all)];
  return (thread.user + thread.system) / (all.user + all.system);
}

const chain = (step: string, times: number): string => step.repeat(times);
const nested = (times: number): string => `[["a"]]${chain(".map(x, [x, x])", times)}`;

describe("a policy whose conditions never end", () => {
  test.each<[string, string, RegExp]>([
    ["lists of lists that are compared", `${nested(40)} == ${nested(40)}`, /more than 10,000,000 steps/],
    ["a list looked for among its like", `${nested(30)} in [${nested(30)}]`, /more than 10,000,000 steps/],
    [
      "a text doubled 27 times",
      `["aaaa"]${chain(".map(x, x + x)", 27)}[0].size() > 0`,
      /a text of more than/,
    ],
    [
      "lists that grow",
      `[[1]]${chain(".map(x, x + x + x)", 30)}.size() > 0`,
      /a list of more than 1,000,000/,
    ],
    [
      "an amount squared again and again",
      `[cost.change + 1.23]${chain(".map(x, x * x)", 30)}[0] < 1`,
      /steps/,
    ],
    [
      "patterns in two loops",
      'changes.rows.exists(a, changes.rows.exists(b, a.address.like("(a|b|m|o|d)*x{3}$")))',
      /more than 10,000,000 steps/,
    ],
    ["texts joined by themselves", 'pull.paths.map(p, pull.paths.join("x")).size() > 0', /^passed|violated/],
    ["an error that || swallows", `${nested(40)} == ${nested(40)} || true`, /more than 10,000,000 steps/],
    ["an error that a loop swallows", `changes.rows.exists(r, ${nested(30)} == ${nested(30)})`, /steps/],
  ])("%s leaves its rule undecided, and the others are evaluated", async (_, condition, reason) => {
    const told = await tell([condition, "cost.change > 50"]);
    expect(told["r0"]).toMatch(reason);
    expect(told).toMatchObject({ limit: "violated", r1: "violated" });
  });

  test("fills a file of 64 KB, and what comes after the budget of the file is undecided", async () => {
    const loop = (at: number) => `changes.rows.all(a, changes.rows.all(b, a.address != b.type + "${at}"))`;
    const conditions = Array.from({ length: 540 }, (__, at) => loop(at));
    let told: Record<string, string> = {};
    const share = await shareOfMainThread(async () => {
      told = await tell(conditions);
    });
    expect(told["r0"]).toContain("that one condition may take");
    expect(told["r539"]).toContain("the conditions of the policy together");
    expect(told["limit"]).toBe("violated");
    expect(share).toBeLessThan(MAIN_THREAD_SHARE);
  });
});

describe("a condition that has to be stopped", () => {
  const unlimited = { rule: Number.MAX_SAFE_INTEGER, file: Number.MAX_SAFE_INTEGER };
  const ENDLESS = `${nested(40)} == ${nested(40)}`;
  const GROWING =
    "changes.rows.map(a, changes.rows.map(b, [a.address + b.address, b.address + a.address])).size() > 0";

  test.each([
    [
      "takes too long",
      ENDLESS,
      { timeoutMs: 1_500, problem: "it took longer than 1.5 seconds; make its loops and patterns shorter" },
    ],
    [
      "needs too much memory",
      GROWING,
      { heapMb: 64, problem: "it needed more than 64 MB of memory; make the lists that it builds shorter" },
    ],
  ])(
    "because it %s is undecided with the reason, once, and the others are evaluated",
    async (_, condition, { problem, ...limits }) => {
      const own = startPolicyTasks({ ...LIMITS, ...limits });
      try {
        const policy = await policyOf(["cost.change > 50", condition, "cost.change > 60"]);
        const largest = { ...rows, rows: Array.from({ length: 1_000 }, (__, at) => rowAt(at)) };
        const given = { report: largest, policy, context: CONTEXT };
        const evaluate = async () => {
          const { findings } = await own.inForce({
            kind: "evaluate",
            input: given,
            owner: OWNER,
            limits: unlimited,
          });
          const found = findings.map(({ rule, outcome, because: [why] }) => [
            rule,
            why !== undefined && "problem" in why ? why.problem : outcome,
          ]);
          return Object.fromEntries(found);
        };
        let first: Record<string, string> = {};
        const share = await shareOfMainThread(async () => {
          first = await evaluate();
        });
        expect(first).toMatchObject({ limit: "violated", r0: "violated", r1: problem });
        expect(first["r2"]).toContain("another condition of the policy took too long");
        expect(share).toBeLessThan(MAIN_THREAD_SHARE);
        expect(await evaluate()).toMatchObject({
          limit: "violated",
          r0: "violated",
          r1: problem,
          r2: "violated",
        });
      } finally {
        await own.close();
      }
    },
  );

  test("leaves a proposed policy no thread, which is refused as busy after a while", async () => {
    const own = startPolicyTasks(LIMITS);
    const input = { report: small, policy: await policyOf([ENDLESS]), context: CONTEXT };
    const running = Promise.allSettled(
      [1, 2].map(() => own.inForce({ kind: "evaluate", input, owner: OWNER, limits: unlimited })),
    );
    try {
      const edit = own.proposed({
        kind: "parse",
        input: { repository: null, organisation: null },
        owner: OWNER,
      });
      await expect(edit).rejects.toMatchObject({ code: "evaluation_busy", retryable: true });
    } finally {
      await own.close();
      await running;
    }
  });

  test("in a proposed policy is still evaluated for the policy in force", async () => {
    const own = startPolicyTasks({ timeoutMs: 1_500 });
    const policy = await policyOf([`changes.rows.exists(r, ${ENDLESS})`]);
    const withoutRows = { ...small, rows: [] };
    const evaluate = async (state: "inForce" | "proposed", report: Report) => {
      const given = { report, policy, context: CONTEXT };
      const { findings } = await own[state]({
        kind: "evaluate",
        input: given,
        owner: OWNER,
        limits: unlimited,
      });
      return findings.find(({ rule }) => rule === "r0")?.outcome;
    };
    try {
      expect(await evaluate("proposed", rows)).toBe("undecided");
      expect(await evaluate("proposed", withoutRows)).toBe("undecided");
      expect(await evaluate("inForce", withoutRows)).toBe("passed");
    } finally {
      await own.close();
    }
  });
});

test("thousands of patterns for thousands of changed files delay no other evaluation", async () => {
  const patterns = Array.from({ length: 2_000 }, (_, at) => `"**/a/**/${at}"`).join(", ");
  const parsed = await parse(`version: 1\nexpect:\n  - paths: [${patterns}]\n`);
  if (parsed.state === "invalid") throw new Error(JSON.stringify(parsed.problems));
  const paths = Array.from({ length: 100 }, (_, at) => `${"a/".repeat(60)}main-${at}.tf`);
  const given = { all: parsed.policy.expect, context: { ...CONTEXT, paths } };
  let applicable = 1;
  const share = await shareOfMainThread(async () => {
    applicable = (await threads.inForce({ kind: "expect", input: given, owner: OWNER })).length;
  });
  expect(applicable).toBe(0);
  expect(share).toBeLessThan(MAIN_THREAD_SHARE);
});

test("a file of code owners that takes too long is not tried again for a pull request with other files", async () => {
  const own = startPolicyTasks({ timeoutMs: 1_500 });
  const text = Array.from({ length: 500 }, (_, at) => `${"*a".repeat(400)}b${at} @ada`).join("\n");
  const find = async (name: string) => {
    const paths = Array.from({ length: 500 }, (_, at) => `${"a".repeat(1_000)}/${name}${at}`);
    const input = { file: "CODEOWNERS", text, paths, organisation: "acme", groups: 1 };
    const startMs = performance.now();
    const found = await own.inForce({ kind: "owners", input, owner: OWNER });
    expect(found).toEqual({ kind: "unreadable", file: "CODEOWNERS", reason: "too_slow" });
    return performance.now() - startMs;
  };
  try {
    expect(await find("x")).toBeGreaterThan(1_000);
    expect(await find("y")).toBeLessThan(500);
  } finally {
    await own.close();
  }
});
