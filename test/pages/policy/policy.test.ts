import { describe, expect, test } from "vitest";
import { storedEvaluation } from "../../../src/store/json/stored-values.ts";
import type { BranchFiles, PolicyAccess } from "../../../src/web/page/page.ts";
import type { Database } from "../../../src/wiring/database/schema.ts";
import { performHere } from "../../policy/perform-here.ts";
import { evaluatedSituation, evaluation, report, stage } from "../../render/evaluation-builder.ts";
import { chromiumPath, expectAccessible, useChromium, watchPage } from "../chromium.ts";
import { createReader, servePages } from "../page-server.ts";
import { readText } from "../page-text.ts";
import { blockedEvaluation } from "../pull/evaluations.ts";
import { evaluates, openPullStore } from "../pull/pull-store.ts";

const PAGE = "/r/acme/payments/policy";
const LENIENT = 'version: 1\nrules:\n  - id: never\n    when: "1 > 2"\n';
const STRICT = LENIENT.replace(">", "<");
const found = (text: string) => ({
  state: "found" as const,
  name: "acme/payments:.github/tollgate.yml",
  text,
});

/** Files on GitHub as the page reads them. */
function open(change: Partial<BranchFiles> | null): PolicyAccess {
  const files = {
    branch: "main",
    repository: found(LENIENT),
    organisation: { state: "absent" as const },
    organisationRepositoryId: null,
    ...change,
  };
  return { perform: performHere, readFiles: async () => (change === null ? null : files) };
}

async function serve(policies: PolicyAccess, database?: Database, readable: readonly number[] = [1]) {
  const store = database ?? (await openPullStore());
  return servePages(store, createReader(readable), Date.now(), { policies });
}

const tries = (url: string, policy: string, path = PAGE): Promise<Response> =>
  fetch(url + path, { method: "POST", body: new URLSearchParams({ policy }) });

test("the page shows the policy in force and leads to GitHub's editor", async () => {
  const html = await (await fetch((await serve(open({}))) + PAGE)).text();
  expect(html).toContain("id: never");
  expect(html).toContain("http://127.0.0.1:1/acme/payments/edit/main/.github/tollgate.yml");
});

test("a request for the page's headers tries no policy", async () => {
  const performed: string[] = [];
  const perform: PolicyAccess["perform"] = (task) => {
    performed.push(task.kind);
    return performHere(task);
  };
  const answer = await fetch((await serve({ ...open({}), perform })) + PAGE, { method: "HEAD" });
  expect(answer.status).toBe(200);
  expect(performed).toEqual([]);
});

test("a new file's text is in the address of GitHub's editor while it is short enough", async () => {
  const url = await serve(open({ repository: { state: "absent" }, branch: "release/1" }));
  const short = await (await tries(url, STRICT)).text();
  expect(short).toContain("/acme/payments/new/release/1?filename=.github%2Ftollgate.yml&amp;value=version");
  const long = await (await tries(url, `${STRICT}#${"x".repeat(7_000)}`)).text();
  expect(long).toContain('new/release/1?filename=.github%2Ftollgate.yml"');
});

test("all mistakes are listed with line, column and the line itself", async () => {
  const policy = "version: 1\nrules:\n  - id: a\n    limit: { increase: 5k }\n  - id: a\n    limt: {}\n";
  const html = await (await tries(await serve(open({})), policy)).text();
  const places = [...html.matchAll(/<span class="place">(\d+:\d+)<\/span>/g)].map(([, place]) => place);
  expect(places.length).toBeGreaterThanOrEqual(2);
  expect(places[0]).toMatch(/^4:/);
  expect(html).toContain("<code>    limit: { increase: 5k }</code>");
  expect(html).toContain(`${policy.split("\n")[5]}`);
});

test("a proposed policy shows which pull requests would have another outcome, and stores nothing", async () => {
  const database = await openPullStore();
  for (const number of [12, 13]) await evaluates(database, blockedEvaluation({ pull: { number } }));
  const count = () => database.db.selectFrom("evaluations").selectAll().execute();
  const before = await count();
  const html = await (await tries(await serve(open({}), database), STRICT)).text();
  expect(html).toContain(
    "Of 2 pull requests of the last 90 days, <strong>2 would have another outcome</strong>",
  );
  expect(html).toMatch(
    /href="\/r\/acme\/payments\/pull\/13"><bdi>#13<\/bdi><\/a><\/td>\s*<td class="success">[\s\S]*?<bdi>Passed<\/bdi><\/td>/,
  );
  expect(html).toContain("Changed rules:");
  expect(await count()).toEqual(before);
  const same = await (await tries(await serve(open({}), database), `${LENIENT}# a comment\n`)).text();
  expect(same).toContain("It says the same as the policy in force.");
  expect(same).toContain("2 pull requests of the last 90 days would have the same outcome");
});

test("a proposed policy is tried on the pull requests of the chosen time, and says whom it would have asked", async () => {
  const database = await openPullStore();
  const nowMs = Date.UTC(2026, 4, 20);
  for (const [number, day] of [
    [12, Date.UTC(2026, 1, 25)],
    [13, Date.UTC(2026, 3, 19)],
    [14, Date.UTC(2026, 3, 21)],
  ] as const)
    await evaluates(database, blockedEvaluation({ pull: { number } }), { now: new Date(day) });
  const url = await servePages(database, createReader([1]), nowMs, { policies: open({}) });
  const asks = `version: 1
rules:
  - { id: a, when: "true", approve: { teams: [finops], count: 2 } }
  - { id: b, when: "true", approve: { teams: [finops] } }
  - { id: c, when: "true", approve: { users: [ada] } }
  - { id: d, when: "true", enforce: warn, approve: { users: [bob] } }
`;
  const read = async (period: string) => {
    const body = new URLSearchParams({ policy: asks, period });
    return readText(await (await fetch(url + PAGE, { method: "POST", body })).text());
  };
  const last = await read("90");
  expect(last).toContain("Of 3 pull requests of the last 90 days, 3 would");
  expect(last).toContain("Would have had to approve Pull requests Approvals @acme/finops 3 6 @ada 3 3 ");
  expect(last).not.toContain("@bob");
  expect(await read("30")).toContain("Of 1 pull request of the last 30 days, 1 would");
  expect(await read("last-quarter")).toContain("Of 1 pull request of last quarter, 1 would");
});

/** 20 pull requests that raise the monthly cost by 0, 10, … 190 USD. */
async function raiseOften(database: Database, figures = true): Promise<void> {
  for (let number = 1; number <= 20; number += 1) {
    const made = {
      pull: { repositoryId: 1, number, figures },
      report: report([stage("prod", ["1000", String(990 + 10 * number)])]),
    };
    await evaluates(database, evaluation({ ...made, situation: evaluatedSituation("pass", []) }));
  }
}

test("limits are suggested from the history when they are asked for, each as a rule to copy", async () => {
  const database = await openPullStore();
  await raiseOften(database);
  const url = await serve(open({}), database);
  expect(readText(await (await fetch(url + PAGE)).text())).not.toContain("Would have held");
  const text = readText(await (await fetch(`${url}${PAGE}?suggest=90`)).text());
  expect(text).toContain("From 20 evaluated pull requests.");
  expect(text).toContain("- { id: increase, limit: { increase: 180 USD } } 1 of 20 10%");
  expect((await fetch(`${await serve(open({}), database, [])}${PAGE}?suggest=90`)).status).toBe(404);
});

test("few pull requests suggest no limit, and hidden figures none either", async () => {
  const database = await openPullStore();
  await evaluates(database, blockedEvaluation());
  const few = readText(await (await fetch(`${await serve(open({}), database)}${PAGE}?suggest=90`)).text());
  expect(few).toContain("1 evaluated pull request says nothing about limits: 20 are needed.");
  const hidden = await openPullStore();
  await raiseOften(hidden);
  await hidden.db.updateTable("repositories").set({ figures: false }).execute();
  const html = await (await fetch(`${await serve(open({}), hidden)}${PAGE}?suggest=90`)).text();
  expect(readText(html)).toContain("20 are left out, because readers may not see figures");
  expect(html.replace(/<textarea[\s\S]*?<\/textarea>/, "")).not.toMatch(/\d USD/);
});

test("a history says how many of its evaluations it lacks, and those without stages fill no place", async () => {
  const database = await openPullStore();
  await raiseOften(database);
  for (const number of [21, 22])
    await evaluates(database, evaluation({ pull: { repositoryId: 1, number }, report: report([]) }));
  const unreadable = {
    evaluation: storedEvaluation.write(evaluation({})).replace(/"version":\d+/, '"version":0'),
  };
  await database.db.updateTable("evaluations").set(unreadable).where("number", "=", 1).execute();
  const url = await serve(open({}), database);
  const missing = "1 is left out, because it is very large or cannot be read.";
  const suggested = readText(await (await fetch(`${url}${PAGE}?suggest=90`)).text());
  expect(suggested).toContain(
    `19 evaluated pull requests say nothing about limits: 20 are needed. ${missing}`,
  );
  const body = new URLSearchParams({ policy: "version: 1\n" });
  const tried = readText(await (await fetch(url + PAGE, { method: "POST", body })).text());
  expect(tried).toContain(
    `19 pull requests of the last 90 days would have the same outcome, approvals aside. ${missing}`,
  );
});

test("limits that are tried one after the other tell no cost that readers may not see", async () => {
  const limitTo = (amount: number): string =>
    `version: 1\nrules:\n  - { id: probe, limit: { total: ${amount} USD } }\n`;
  const hides: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
    evaluation: (database) => evaluates(database, blockedEvaluation({ pull: { figures: false } })),
    repository: async (database) => {
      await evaluates(database, blockedEvaluation());
      await database.db.updateTable("repositories").set({ figures: false }).execute();
    },
  };
  for (const hide of Object.values(hides)) {
    const database = await openPullStore();
    await hide(database);
    const url = await serve(open({}), database);
    for (const amount of [0, 1_000_000]) {
      const html = await (await tries(url, limitTo(amount))).text();
      expect(html).toContain("This policy is valid");
      expect(html).toContain("1 is left out, because readers of this repository may not see figures");
      expect(html).not.toContain("outcome, approvals aside");
      expect(html.replace(/<textarea[\s\S]*?<\/textarea>/, "")).not.toMatch(/\$\d|USD/);
    }
  }
});

test("the organisation's rules count, and its text is shown to those only who can read its repository", async () => {
  const text = "version: 1\nrules:\n  - { id: company-total, mandatory: true, limit: { total: 1 USD } }\n";
  const files: Partial<BranchFiles> = {
    organisation: { state: "found", name: "acme/.github:tollgate.yml", text },
    organisationRepositoryId: 7,
  };
  const loosened = "version: 1\nrules:\n  - { id: company-total, limit: { total: 9 USD } }\n";
  const [outside, inside] = [await serve(open(files)), await serve(open(files), undefined, [1, 7])];
  expect(await (await fetch(inside + PAGE)).text()).toContain("id: company-total");
  const hidden = await (await fetch(outside + PAGE)).text();
  expect(hidden).not.toContain("company-total");
  expect(hidden).toContain("You cannot read its repository on GitHub");
  expect(await (await tries(outside, loosened)).text()).toContain('<span class="place">3:');
});

test("mistakes of the organisation's file are counted and not shown", async () => {
  const organisation = {
    state: "found" as const,
    name: "acme/.github:tollgate.yml",
    text: "secret-key: 1\n",
  };
  const html = await (await tries(await serve(open({ organisation })), LENIENT)).text();
  expect(html).toMatch(/The organisation&#39;s policy has mistakes|The organisation's policy has mistakes/);
  expect(html).not.toContain("secret-key");
});

test("a valid policy can be tried while the one in force has mistakes, and is compared with nothing", async () => {
  const answer = await tries(await serve(open({ repository: found("version: 7\n") })), LENIENT);
  expect(answer.status).toBe(200);
  const html = await answer.text();
  expect(html).toContain("This policy is valid");
  expect(html).toContain("The policy in force has mistakes, so there is nothing to compare with.");
});

test("while GitHub does not answer, the text stays in the form", async () => {
  const html = await (await tries(await serve(open(null)), "version: 1 # mine\n")).text();
  expect(html).toContain("GitHub does not return the policy files now.");
  expect(html).toContain("version: 1 # mine");
});

test("who posts a policy without being signed in gets the text back, escaped, with a way to sign in and nothing else that was sent", async () => {
  const url = await servePages(await openPullStore(), null);
  const policy = "\nversion: 1 # </textarea><script>\n";
  const body = new URLSearchParams({ policy, form_token: "old", other: "canary" });
  const refused = await fetch(url + PAGE, { method: "POST", body, redirect: "manual" });
  const html = await refused.text();
  expect(refused.status).toBe(401);
  expect(html).toContain("Your session has ended");
  expect(html).toMatch(
    /<textarea name="policy"[^>]*>\n\nversion: 1 # &lt;\/textarea&gt;&lt;script&gt;\n<\/textarea>/,
  );
  expect(html).toContain(`<form method="post" action="${PAGE}">`);
  expect(html).toContain('href="/sign-in?return_to=%2Fr%2Facme%2Fpayments%2Fpolicy" target="_blank"');
  expect(html).not.toMatch(/canary|"old"/);
  for (const [path, field] of [
    ["/operator/evaluate", "policy"],
    [PAGE, "pull"],
  ] as const) {
    const form = {
      method: "POST",
      body: new URLSearchParams({ [field]: policy }),
      redirect: "manual",
    } as const;
    expect((await fetch(url + path, form)).status).toBe(302);
  }
});

test("who cannot read the repository gets the page of what does not exist, also for a form", async () => {
  const url = await serve(open({}), undefined, []);
  expect((await fetch(url + PAGE)).status).toBe(404);
  expect((await tries(url, LENIENT)).status).toBe(404);
});

test.each([
  ["too many bytes", "é".repeat(40_000), 413],
  ["a far too long request", "x".repeat(400_000), 413],
  ["text that is no YAML", "\u0000: [", 200],
  ["no field at all", "", 200],
])("%s does not fail the server", async (_, text, status) => {
  expect((await tries(await serve(open({})), text)).status).toBe(status);
});

test("a person tries one policy at a time, and what a second tab sends waits for its turn", async () => {
  const slow = open({});
  const { promise: release, resolve } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const running: number[] = [];
  let now = 0;
  const readFiles: PolicyAccess["readFiles"] = async (repository) => {
    now += 1;
    running.push(now);
    start();
    await release;
    const files = await slow.readFiles(repository);
    now -= 1;
    return files;
  };
  const url = await serve({ ...slow, readFiles });
  const answers = [tries(url, LENIENT)];
  await started;
  answers.push(tries(url, LENIENT));
  expect((await fetch(`${url}/r/no/such/policy`)).status).toBe(404);
  resolve();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  expect(running).toEqual([1, 1]);
});

test("a person's fifth policy at a time is not tried: the page says so and keeps its text", async () => {
  const { readFiles } = open({});
  const { promise: release, resolve } = Promise.withResolvers<void>();
  let reads = 0;
  const url = await serve({
    perform: performHere,
    readFiles: async (repository) => {
      reads += 1;
      if (reads === 1) await release;
      return readFiles(repository);
    },
  });
  const answers = Array.from({ length: 5 }, () => tries(url, LENIENT).then((answer) => answer.text()));
  const first = await Promise.race(answers);
  expect(first).toContain("Many policies are being tried now.");
  expect(first).toContain("id: never");
  resolve();
  const texts = await Promise.all(answers);
  expect(texts.filter((text) => text.includes("This policy is valid"))).toHaveLength(4);
});

test("names and texts from outside are text, and hidden characters are shown, except in the field that is sent back", async () => {
  const hostile = "</textarea><script>alert(1)</script>\u202E";
  const url = await serve(open({ repository: found(hostile), branch: hostile }));
  for (const response of [await fetch(url + PAGE), await tries(url, `${hostile}: 1`)]) {
    const html = await response.text();
    expect(html).not.toContain("<script");
    expect(html.replace(/(?<=<textarea[^>]*>)[^<]*/, "")).not.toContain("\u202E");
  }
});

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  const launched = useChromium();

  test.each(["light", "dark"] as const)(
    "the policy page has no barrier in %s colours, on a phone too, and works without JavaScript",
    async (colorScheme) => {
      const database = await openPullStore();
      await evaluates(database, blockedEvaluation());
      const url = (await serve(open({}), database)) + PAGE;
      const viewport = { width: 390, height: 800 };
      const { page, problems } = await watchPage(launched(), { colorScheme, viewport });
      await page.goto(url);
      for (const policy of [STRICT, "version: 2\n"]) {
        await page.fill("textarea", policy);
        await page.click("button.primary");
        expect(await page.inputValue("textarea")).toBe(policy);
        await expectAccessible(page);
      }
      expect(problems).toEqual([]);
    },
  );

  test("one click selects a suggested rule, on a page without a script", async () => {
    const database = await openPullStore();
    await raiseOften(database);
    const url = (await serve(open({}), database)) + PAGE;
    const { page, problems } = await watchPage(launched());
    await page.goto(url);
    await page.getByRole("button", { name: "Suggest limits" }).click();
    await page.locator(".copy code").first().click();
    expect(await page.locator("script").count()).toBe(0);
    expect(await page.evaluate("String(getSelection())")).toBe(
      "- { id: increase, limit: { increase: 180 USD } }",
    );
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
