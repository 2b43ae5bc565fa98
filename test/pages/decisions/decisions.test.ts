import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { decimal } from "../../../src/kernel/money.ts";
import { verifyAudit } from "../../../src/store/audit/chain.ts";
import type { DecisionRecord } from "../../../src/store/audit/decision-record.ts";
import { createApiRoutes } from "../../../src/web/api/routes.ts";
import type { Database } from "../../../src/wiring/database/schema.ts";
import { chromiumPath, useChromium, watchPage } from "../chromium.ts";
import { createReader, servePages } from "../page-server.ts";
import { blockedEvaluation } from "../pull/evaluations.ts";
import { evaluates } from "../pull/pull-store.ts";
import { openStoreWith } from "../stored-pulls.ts";
import { appendAll, buildApproval, buildVerdict, REPOSITORIES } from "./decision-records.ts";

const DECISIONS = "/r/acme/shop/decisions";

async function openStore(records: readonly DecisionRecord[]): Promise<Database> {
  const database = await openStoreWith(...REPOSITORIES);
  await appendAll(database, records);
  return database;
}

async function read(
  database: Database,
  path: string,
  readable: readonly number[] = [1],
  isAdmin = false,
): Promise<string> {
  const response = await fetch((await servePages(database, createReader(readable, "ada", isAdmin))) + path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

const outcomes = (html: string): readonly string[] =>
  [
    ...html.matchAll(
      /<strong>(.*?)<\/strong> ?<\/p>|<a href="[^"]*">[^#]*#\d+<\/a> <strong>(.*?)<\/strong>/g,
    ),
  ].map(([, first, second]) => (first ?? second ?? "").replaceAll(/<[^>]*>/g, ""));

describe("the page of decisions", () => {
  test("decisions are told in plain words, the newest first", async () => {
    const database = await openStore([
      buildVerdict({
        decision: "action_required",
        findings: [
          { rule: "monthly-increase", outcome: "violated", subject: "production" },
          { rule: "untidy", outcome: "violated", subject: null, holds: false },
          { rule: "deletions", outcome: "passed", subject: null },
        ],
      }),
      buildApproval(),
      buildVerdict({ digest: "later" }),
      buildApproval({ turn: "lapsed", why: { kind: "over_amount" } }),
    ]);
    const html = await read(database, DECISIONS);
    expect(outcomes(html)).toEqual([
      "Approval by @grace no longer counts",
      "Passed",
      "Approved by @grace",
      "Blocked until it is approved",
    ]);
    expect(html).toContain("A rule found more than was approved.");
    expect(html).toContain("agreed with finance");
    expect(html).toContain("<bdi>monthly-increase</bdi> · <bdi>production</bdi>");
    expect(html).toMatch(/label attention">[^/]*does not hold the check back.*<bdi>untidy/s);
    expect(html).not.toContain("deletions");
    expect(html).toContain('href="http://127.0.0.1:1/acme/shop/pull/7#issuecomment-5"');
  });

  test("an override, the verdict that it lets pass, and a merge over a failing check say who and what; amounts only where figures are shown", async () => {
    const open = {
      situation: "deadline_passed",
      open: [
        {
          ...{ rule: "monthly-increase", outcome: "violated" as const, subject: "production" },
          ...{ amount: { amount: decimal("1234.5"), currency: "USD" }, limit: null },
        },
      ],
    };
    const place = { repositoryId: 1, number: 7, headSha: "b".repeat(40), baseRef: "main" };
    const database = await openStore([
      {
        ...{ ...place, ...open, kind: "override", turn: "given", override: "comment:9", policyBlobs: "x" },
        ...{ person: { id: 5, login: "judy" }, reason: "an incident", why: null },
      },
      buildVerdict({ situation: "deadline_passed", override: "comment:9" }),
      {
        ...{ ...place, ...open, kind: "merge", mergeSha: null, mergedAt: "2026-11-01T00:00:00Z" },
        ...{ mergedBy: { id: 6, login: "octocat" }, checkName: "tollgate: main", check: "missing" },
      },
    ]);
    const hidden = await read(database, DECISIONS);
    expect(outcomes(hidden)).toEqual([
      "Merged by @octocat although the check was missing",
      "Passed by an override",
      "Overridden by @judy",
    ]);
    expect(hidden).not.toContain("1,234");
    await database.db.updateTable("repositories").set({ figures: true }).execute();
    expect(await read(database, DECISIONS)).toContain("<bdi>production</bdi> · $1,234.50 per month");
    expect(outcomes(await read(database, `${DECISIONS}?person=judy`))).toHaveLength(1);
    expect(outcomes(await read(database, `${DECISIONS}?rule=monthly-increase`))).toHaveLength(2);
  });

  test("filters find kind, person in any case, rule, pull request and time, also in records of approvals", async () => {
    const database = await openStore([
      buildVerdict({ findings: [{ rule: "deletions", outcome: "violated", subject: null }] }),
      buildApproval({ rules: ["other", "deletions"] }),
      buildApproval({
        number: 8,
        approver: { id: 4, login: "Ada" },
        reason: '"login":"grace" "rule":"deletions"',
      }),
    ]);
    const count = async (query: string) => outcomes(await read(database, `${DECISIONS}?${query}`)).length;
    expect(await count("kind=approval")).toBe(2);
    expect(await count("person=%40GRACE")).toBe(1);
    expect(await count("rule=deletions")).toBe(2);
    expect(await count("rule=del.tions")).toBe(0);
    expect(await count("pull=%238")).toBe(1);
    expect(await count("from=2026-11-01&to=2026-11-01")).toBe(3);
    expect(await count("to=2026-10-31")).toBe(0);
  });

  test("filters that cannot be read are named, and are not applied", async () => {
    const database = await openStore([buildVerdict({}), buildApproval({})]);
    const html = await read(database, `${DECISIONS}?kind=nonsense&pull=x&from=yesterday&person=&rule=`);
    expect(outcomes(html)).toHaveLength(2);
    expect(html).toContain("<strong>Kind, Pull request, From</strong>");
    expect(await read(database, `${DECISIONS}?kind=approval&to=2026-11-01`)).not.toContain("cannot be read");
  });

  test("a long list has pages that neither repeat nor skip a decision", async () => {
    const database = await openStore(
      Array.from({ length: 120 }, (_, number) => buildVerdict({ number: number + 1 })),
    );
    const url = await servePages(database, createReader([1]));
    const numbers: number[] = [];
    for (let path: string | undefined = DECISIONS; path !== undefined; ) {
      const html = await (await fetch(url + path)).text();
      numbers.push(...[...html.matchAll(/>#(\d+)<\/a>/g)].map(([, number]) => Number(number)));
      path = /rel="next" href="([^"]*)"/.exec(html)?.[1];
    }
    expect(numbers).toEqual(Array.from({ length: 120 }, (_, at) => 120 - at));
  });

  test("an organisation's page has the decisions of the repositories that the reader can read, and no trace of another", async () => {
    const database = await openStore([
      buildVerdict({ repositoryId: 1 }),
      buildVerdict({ repositoryId: 2 }),
      buildVerdict({
        repositoryId: 3,
        findings: [{ rule: "hidden-rule", outcome: "violated", subject: null }],
      }),
    ]);
    const html = await read(database, "/o/acme/decisions", [1, 2]);
    expect(outcomes(html)).toHaveLength(2);
    expect(html).toContain("of the 2 repositories that you can read");
    expect(html).not.toMatch(/secret|hidden-rule/);
    expect(outcomes(await read(database, "/o/acme/decisions", [2]))).toHaveLength(1);
  });

  test("a record that was changed by hand is shown as unreadable, and the chain as broken at it", async () => {
    const database = await openStore([
      buildVerdict(),
      buildVerdict({ number: 8 }),
      buildVerdict({ number: 9 }),
    ]);
    await changeRecord(database, 2, "no JSON");
    const html = await read(database, DECISIONS);
    expect(html).toContain("A record that this version cannot read");
    expect(html).toContain("A record of the chain was changed after it was written.");
    expect(await read(database, DECISIONS, [1], true)).toContain("Record 2 of the chain was changed");
  });

  test("CSV and JSON have the filtered decisions, and spreadsheets run nothing in them", async () => {
    const database = await openStore([buildVerdict(), buildApproval({ reason: "=HYPERLINK(1)" })]);
    const query = "?kind=approval";
    const csv = await read(database, `${DECISIONS}${query}&format=csv`);
    expect(csv.split("\n")[1]).toContain("'=HYPERLINK(1)");
    const rows: unknown = JSON.parse(await read(database, `${DECISIONS}${query}&format=json`));
    expect(rows).toMatchObject([
      {
        record: expect.stringMatching(/^[0-9a-f-]{36}$/),
        person: "grace",
        rules: "monthly-increase",
        outcome: "approved",
      },
    ]);
  });

  test("names from outside are text", async () => {
    const name = "</title><script>alert(1)</script>\u202Egpj";
    const finding = { rule: name, outcome: "violated", subject: name };
    const database = await openStore([
      buildVerdict({ baseRef: name, decision: "failure", findings: [finding] }),
      buildApproval({ approver: { id: 1, login: name }, reason: name, why: { kind: name }, rules: [name] }),
    ]);
    const html = await read(database, `${DECISIONS}?person=&rule=`);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("\u202E");
  });
});

describe("the chain of one repository", () => {
  const UP_TO = { amount: decimal("900"), currency: "USD" };

  async function exportChain(database: Database): Promise<string> {
    return read(database, `${DECISIONS}/chain.jsonl`, [1], true);
  }
  async function* each(text: string) {
    yield* text.trim().split("\n");
  }

  test("it can be verified, and has the records of no other repository", async () => {
    const database = await openStore([
      buildVerdict(),
      buildVerdict({ repositoryId: 3, checkName: "hidden" }),
      buildApproval(),
    ]);
    const text = await exportChain(database);
    expect(await verifyAudit(each(text))).toMatchObject({ state: "whole", decisions: 3, included: 2 });
    expect(text).not.toContain("hidden");
  });

  test("where readers may not see figures it has no record with an amount, and can still be verified", async () => {
    const database = await openStore([buildVerdict(), buildApproval({ upTo: UP_TO })]);
    const text = await exportChain(database);
    expect(text).not.toContain("900");
    expect(await verifyAudit(each(text))).toMatchObject({ state: "whole", decisions: 2, included: 1 });
    for (const path of [DECISIONS, `${DECISIONS}?format=csv`, `${DECISIONS}?format=json`])
      expect(await read(database, path)).not.toContain("900");
  });

  test("where readers may see figures, an approval says up to which amount, and the chain has its record", async () => {
    const database = await openStore([buildApproval({ upTo: UP_TO })]);
    await database.db.updateTable("repositories").set({ figures: true }).execute();
    expect(await read(database, DECISIONS)).toContain("up to <strong>$900.00</strong> per month");
    expect(JSON.parse(await read(database, `${DECISIONS}?format=json`))).toMatchObject([
      { up_to: "900", currency: "USD" },
    ]);
    expect(await verifyAudit(each(await exportChain(database)))).toMatchObject({ included: 1 });
  });

  test("only admins get it, and are told how many decisions there are: others cannot count those of other repositories", async () => {
    const database = await openStore([buildVerdict(), buildVerdict({ repositoryId: 3 }), buildVerdict()]);
    const html = await read(database, DECISIONS);
    expect(html).toContain("Every record was verified");
    expect(html).not.toMatch(/chain\.jsonl|\d records?/);
    const url = await servePages(database, createReader([1]));
    const [refused, missing] = [`${DECISIONS}/chain.jsonl`, "/r/no/such/decisions/chain.jsonl"];
    const answers = await Promise.all([refused, missing].map(async (path) => fetch(url + path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const [text, other] = await Promise.all(answers.map((answer) => answer.text()));
    expect(text).toBe(other);
    const admins = await read(database, DECISIONS, [1], true);
    expect(admins).toContain("3 records were verified");
    expect(admins).toContain("chain.jsonl");
  });

  test("nothing that a reader gets of decisions tells how many of other repositories lie between them", async () => {
    const stranger = buildVerdict({ repositoryId: 3 });
    const between = Array.from({ length: 6 }, () => stranger);
    const near = await openStore([buildVerdict(), buildApproval()]);
    const far = await openStore([...between, buildVerdict(), ...between, buildApproval()]);
    await sql`alter table decisions disable trigger decisions_append_only`.execute(far.db);
    await far.db
      .updateTable("decisions")
      .set({ at: new Date(0) })
      .execute();
    await sql`alter table decisions disable trigger decisions_append_only`.execute(near.db);
    await near.db
      .updateTable("decisions")
      .set({ at: new Date(0) })
      .execute();
    for (const path of [DECISIONS, `${DECISIONS}?format=csv`, `${DECISIONS}?format=json`]) {
      const shown = async (database: Database) =>
        (await read(database, path)).replace(/[0-9a-f]{8}-[0-9a-f-]{27}|<time[^>]*>/g, "");
      expect(await shown(far)).toBe(await shown(near));
    }
    const answer = async ({ db }: Database) => {
      const addresses = { github: "http://127.0.0.1:1", publicUrl: "http://127.0.0.1:2" };
      const routes = createApiRoutes(
        { db, clock: systemClock, fiscalYearStarts: "01-01", ...addresses },
        async () => createReader([1]),
      );
      const pages = ["", "?limit=1"].map((query) => routes.request(`/api/v1/decisions${query}`));
      const read = async (page: Response) => `${page.headers.get("link")} ${await page.text()}`;
      return (await Promise.all((await Promise.all(pages)).map(read))).join("\n");
    };
    const texts = [await answer(far), await answer(near)];
    expect(texts[0]).toContain('"outcome"');
    const [one, other] = texts.map((text) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ""));
    expect(one).toBe(other);
  });

  test("where readers may not see figures, they get no hash from which an amount could be guessed", async () => {
    const database = await openStore([buildVerdict(), buildApproval({ upTo: UP_TO }), buildVerdict()]);
    const rows = await database.db.selectFrom("decisions").select("hash").execute();
    const paths = [DECISIONS, `${DECISIONS}?format=csv`, `${DECISIONS}?format=json`];
    const showsHashes = async (): Promise<readonly boolean[]> => {
      const texts = await Promise.all(paths.map((path) => read(database, path)));
      return texts.map((text) => rows.some(({ hash }) => text.includes(hash.slice(0, 12))));
    };
    expect(await showsHashes()).toEqual([false, false, false]);
    await database.db.updateTable("repositories").set({ figures: true }).execute();
    expect(await showsHashes()).toEqual([true, true, true]);
  });

  test.each([
    ["decisions", DECISIONS, "?format=csv"],
    ["a pull request", "/r/acme/shop/pull/7", "?view=resources&format=csv"],
    ["an overview", "/o/acme", "?format=csv&table=pulls"],
  ])(
    "a reader who fetches files of %s again and again has to wait, and pages still come",
    async (_, path, file) => {
      const database = await openStore([buildVerdict()]);
      await evaluates(database, blockedEvaluation({ pull: { repository: "acme/shop", number: 7 } }));
      const url = await servePages(database, createReader([1]));
      const statuses: number[] = [];
      for (let time = 0; time < 21; time += 1) {
        const response = await fetch(url + path + file);
        await response.text();
        statuses.push(response.status);
      }
      const page = await fetch(url + path);
      expect([statuses[0], statuses.indexOf(429), page.status]).toEqual([200, 20, 200]);
    },
  );

  test("an admin who fetches it again and again has to wait", async () => {
    const url = await servePages(await openStore([buildVerdict()]), createReader([1], "ada", true));
    const statuses: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      const response = await fetch(`${url}${DECISIONS}/chain.jsonl`);
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });
});

/** Changes a record as somebody with access to the database could. */
async function changeRecord({ db }: Database, seq: number, record: string): Promise<void> {
  await sql`alter table decisions disable trigger decisions_append_only`.execute(db);
  await db.updateTable("decisions").set({ record }).where("seq", "=", seq).execute();
}

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  const launched = useChromium();

  test("decisions are filtered by the form", async () => {
    const { page, problems } = await watchPage(launched());
    const database = await openStore([buildVerdict({ decision: "failure" }), buildApproval()]);
    await page.goto((await servePages(database, createReader([1]))) + DECISIONS);
    await page.selectOption("select[name=kind]", "approval");
    await page.click("form.filters button");
    expect(await page.locator(".log li").count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("kind")).toBe("approval");
    expect(problems).toEqual([]);
  });
});
