import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { REPOSITORY } from "../world/places.ts";

const DAY = 86_400_000;
const BUDGET = `version: 1
budgets:
  - { id: room, amount: 1000 USD }
`;
const adds = (change: string) => ({ before: "100", after: String(100 + Number(change)), change });

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: BUDGET });
});
afterAll(() => world.ends());

async function opened(workspace: string, change: string, base = "main") {
  const pull = world.opensPullRequest({ base });
  await world.ci.runs({ sha: pull.headSha, workspace, cost: adds(change), changes: [] });
  await world.settles();
  return pull;
}

const onMain = async (policy: string) => {
  world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": policy } });
  await world.settles();
};

const branch = async (name: string, policy: string) => {
  world.github.push({ repository: REPOSITORY, branch: name, files: { ".github/tollgate.yml": policy } });
  await world.settles();
};

describe("a budget", () => {
  it("lets one of two pull requests pass that fit only one by one, and the other when the first is closed", async () => {
    const first = await opened("first", "500");
    expect(world.gate(first)).toBe("success");
    const second = await opened("second", "600");
    expect(world.gate(second)).toBe("failure");
    expect(world.gate(first)).toBe("success");
    world.github.closePullRequest(first);
    await world.settles();
    expect(world.gate(second)).toBe("success");
    world.github.closePullRequest(second);
    await world.settles();
  });

  it("lets one of two pull requests pass that are evaluated at the same time", async () => {
    const pulls = [world.opensPullRequest(), world.opensPullRequest()];
    await Promise.all(
      pulls.map(({ headSha: sha }, index) =>
        world.ci.runs({ sha, workspace: `twin-${index}`, cost: adds("500"), changes: [] }),
      ),
    );
    await world.settles();
    expect(pulls.map((pull) => world.gate(pull)).sort()).toEqual(["failure", "success"]);
    for (const pull of pulls) world.github.closePullRequest(pull);
    await world.settles();
  });

  it("counts what was merged, though the plan of the other was made before", async () => {
    const [first, second] = [await opened("third", "200"), await opened("third", "250")];
    expect([first, second].map((pull) => world.gate(pull))).toEqual(["success", "success"]);
    world.github.mergePullRequest(first);
    await world.settles();
    expect(world.gate(second)).toBe("success");
    await onMain(BUDGET.replace("1000", "900"));
    expect(world.gate(second)).toBe("failure");
    await onMain(BUDGET);
    expect(world.gate(second)).toBe("success");
    world.github.closePullRequest(second);
    await world.settles();
  });

  it("is undecided while a pull request that may be merged does not say what it costs", async () => {
    await branch("unpriced", "version: 1\nrules:\n  - { id: none, limit: { deletions: 0 } }\n");
    const silent = world.opensPullRequest({ base: "unpriced" });
    await world.ci.runs({ sha: silent.headSha, workspace: "silent", changes: [] });
    await world.settles();
    expect(world.gate(silent, "tollgate: unpriced")).toBe("success");
    const other = await opened("fourth", "1");
    expect(world.gate(other)).toBe("failure");
    expect(world.comment(other)).toMatch(/could not/i);
    world.github.closePullRequest(silent);
    await world.settles();
    expect(world.gate(other)).toBe("success");
  });
});

describe("a budget for a period", () => {
  const month = (amount: string) =>
    `version: 1\nbudgets:\n  - { id: growth, amount: ${amount} USD, period: month }\nreport: { year: true }\n`;
  const at = (months: number, day: number) => {
    const now = new Date(Date.now()); // the world's time
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day);
  };

  it("counts merges in it alone, from their day on, and is new with the next period", async () => {
    // The first of next month: a whole period, and the other tests' merges are in the one before.
    await world.timePasses(at(1, 1) + 60_000 - Date.now());
    await branch("growing", month("600"));
    const check = "tollgate: growing";
    const [first, second, third] = [
      await opened("g-1", "300", "growing"),
      await opened("g-2", "250", "growing"),
      await opened("g-3", "200", "growing"),
    ];
    const gates = () => [first, second, third].map((pull) => world.gate(pull, check));
    expect(gates()).toEqual(["success", "success", "failure"]);
    expect(world.comment(third)).toMatch(
      /\*\*\$750\.00\*\* until \d+ \w+ \d+ with everything .* for the month\)/,
    );
    world.github.closePullRequest(second);
    await world.settles();
    expect(gates()[2]).toBe("success");
    world.github.mergePullRequest(first);
    await world.settles();
    expect(gates()[2]).toBe("success");
    await branch("growing", month("301"));
    expect(gates()[2]).toBe("failure");
    const yearLine = () => /^Until .*$/m.exec(world.comment(third))?.[0];
    const written = yearLine();
    expect(written).toMatch(/^Until 31 Dec \d+, if merged on 1 \w+ \d+: \*\*\+\$[\d,.]+\*\*\.$/);

    await world.timePasses(5 * DAY);
    expect(gates()[2]).toBe("failure");
    expect(world.comment(third)).not.toContain("$500.00");
    expect(yearLine()).toBe(written);
    await world.timePasses(at(1, 1) - Date.now() - 5_000);
    expect(gates()[2]).toBe("failure");
    await world.timePasses(10_000);
    expect(gates()[2]).toBe("success");
    world.github.closePullRequest(third);
    await world.settles();
  });

  it("lets one of two pull requests pass that are evaluated at the same time", async () => {
    await branch("growing-2", month("9000"));
    const pulls = [
      world.opensPullRequest({ base: "growing-2" }),
      world.opensPullRequest({ base: "growing-2" }),
    ];
    await Promise.all(
      pulls.map(({ headSha: sha }, index) =>
        world.ci.runs({ sha, workspace: `grown-${index}`, cost: adds("6000"), changes: [] }),
      ),
    );
    await world.settles();
    expect(pulls.map((pull) => world.gate(pull, "tollgate: growing-2")).sort()).toEqual([
      "failure",
      "success",
    ]);
    for (const pull of pulls) world.github.closePullRequest(pull);
    await world.settles();
  });
});

describe("a waiver", () => {
  it("causes a reminder two weeks before it ends, and closes the gate by itself when it does", async () => {
    const until = new Date(Date.now() + 20 * DAY).toISOString().slice(0, 10);
    await branch(
      "excepted",
      `version: 1
rules:
  - { id: no-more, limit: { increase: 100 USD } }
waivers:
  - { rule: no-more, up_to: 900 USD, until: ${until}, reason: "load test", owner: finops }
`,
    );
    const pull = await opened("fifth", "500", "excepted");
    expect(world.gate(pull, "tollgate: excepted")).toBe("success");
    expect(world.comment(pull)).toMatch(/waived until \d+ \w+ \d+ by `finops`/);
    await world.timePasses(10 * DAY);
    expect(world.comment(pull)).toContain("(ends in 11 days) by `finops`");

    expect(world.gate(pull, "tollgate: excepted")).toBe("success");
    await world.timePasses(11 * DAY);
    expect(world.gate(pull, "tollgate: excepted")).toBe("failure");
  });
});

describe("a rule with a first day", () => {
  it("warns until then and says so, and closes the gate by itself on that day", async () => {
    const first = new Date(Date.now() + 5 * DAY).toISOString().slice(0, 10);
    await branch(
      "announced",
      `version: 1
rules:
  - { id: no-more, limit: { increase: 100 USD }, enforce_from: ${first}, docs: "https://wiki.example/costs" }
`,
    );
    const pull = await opened("eighth", "500", "announced");
    expect(world.gate(pull, "tollgate: announced")).toBe("neutral");
    expect(world.comment(pull)).toMatch(
      / · blocks from \d+ \w+ \d+ \(UTC\) on · \[why\]\(https:\/\/wiki.example\/costs\)/,
    );
    await world.timePasses(Date.parse(first) - Date.now() - 5_000);
    expect(world.gate(pull, "tollgate: announced")).toBe("neutral");
    await world.timePasses(10_000);
    expect(world.gate(pull, "tollgate: announced")).toBe("failure");
    expect(world.comment(pull)).not.toContain("blocks from");
  });
});

describe("after the merge", () => {
  const ROOMY = "version: 1\nrules:\n  - { id: much, limit: { increase: 5000 USD } }\n";
  const line = (pull: { repositoryId: number; number: number }) =>
    /^.*after the merge.*$/m.exec(world.comment(pull))?.[0] ?? null;

  async function merged(workspace: string) {
    const pull = await opened(workspace, "60", "roomy");
    world.github.mergePullRequest(pull);
    await world.settles();
    return pull;
  }

  it("the outcome is reported once, after seven days, also when the bot was restarted meanwhile", async () => {
    await branch("roomy", ROOMY);
    const [pull, other] = [await merged("sixth"), await merged("seventh")];
    await world.timePasses(DAY);
    await world.ci.runs({
      sha: "c".repeat(40),
      workspace: "sixth",
      cost: { before: "172.5", after: "180", change: "7.5" },
      bind: "none",
    });
    await world.ci.runs({ sha: "c".repeat(40), workspace: "seventh", cost: adds("0"), bind: "none" });
    await world.restarts();
    await world.settles();
    expect(line(pull)).toBeNull();
    await world.timePasses(7 * DAY);
    expect(line(pull)).not.toBeNull();

    expect(line(pull)).toMatchInlineSnapshot(
      `"**7 days after the merge:** estimated $160.00 per month, actual $172.50 (+$12.50)."`,
    );
    expect(line(other)).toBeNull();
    const rows = await world.bot.session.store.db.selectFrom("part_comparisons").selectAll().execute();
    expect(rows.map(({ number, kind, name }) => [number, kind, name])).toEqual([
      [pull.number, "module", "root"],
    ]);
    expect(rows.map(({ estimated, actual }) => [Number(estimated), Number(actual)])).toEqual([[60, 72.5]]);
    const written = world.comments(pull);
    await world.timePasses(7 * DAY);
    await world.settles();
    expect(world.comments(pull)).toEqual(written);
  });

  it("the comment says how past changes of a module came out, and stays as it is when one more was compared", async () => {
    const { db } = world.bot.session.store;
    const compares = (count: number, actual: string) =>
      db
        .insertInto("part_comparisons")
        .values(
          Array.from({ length: count }, (_, at) => ({
            ...{
              repository_id: world.repositoryId,
              number: 9000 + at + Number(actual),
              kind: "module" as const,
            },
            ...{ name: "root", currency: "USD", estimated: "100", actual, compared_at: new Date() },
          })),
        )
        .execute();
    const ranges = (pull: { repositoryId: number; number: number }) =>
      /^Of .*$/m.exec(world.comment(pull))?.[0] ?? null;
    await compares(7, "95");
    const early = await opened("ninth", "60", "roomy");
    expect(ranges(early)).toBeNull();
    await compares(2, "120");
    const pull = await opened("tenth", "60", "roomy");
    const words =
      "Of 10 compared changes of `root`, most came out between \u22125% and +20% against the estimate.";
    expect(ranges(pull)).toBe(words);
    const written = world.comments(pull);
    await compares(9, "300");
    world.github.addComment(pull, { body: "/tollgate recheck" });
    await world.settles();
    expect(ranges(pull)).toBe(words);
    expect(world.comments(pull)[0]).toEqual(written[0]);
    const other = await opened("eleventh", "60", "roomy");
    expect(ranges(other)).toContain(
      "Of 19 compared changes of `root`, most came out between \u22125% and +200%",
    );
  });
});
