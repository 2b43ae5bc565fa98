import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { TollgateError } from "../../src/kernel/errors.ts";
import { decimal } from "../../src/kernel/money.ts";
import { recordApply } from "../../src/store/after-merge/applies.ts";
import { recordMerge } from "../../src/store/after-merge/merged-pulls.ts";
import { buildApiDocument } from "../../src/web/api/document.ts";
import { OPERATIONS } from "../../src/web/api/operations.ts";
import { createApiRoutes } from "../../src/web/api/routes.ts";
import { setPageHeaders } from "../../src/web/page/frame.ts";
import type { Reader } from "../../src/web/reader.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { appendAll, buildApproval, buildVerdict } from "../pages/decisions/decision-records.ts";
import { createReader } from "../pages/page-server.ts";
import { blockedEvaluation } from "../pages/pull/evaluations.ts";
import { createPullStore, evaluates } from "../pages/pull/pull-store.ts";
import { money, tagLine } from "../render/evaluation-builder.ts";
import { mergeOutcome } from "../store/merge-outcome.ts";

const FILE = fileURLToPath(new URL("../../docs/api.openapi.json", import.meta.url));
const ONE = "/api/v1/repositories/acme/payments/pulls/12/evaluations";

/** Asks the API of a store as a reader; null: nobody is signed in. */
function connect({ db }: Database, reader: Reader | null | (() => Promise<Reader>) = createReader([1])) {
  const clock = { now: Date.now, monotonicMs: () => 0 };
  const deps = {
    db,
    clock,
    fiscalYearStarts: "01-01",
    github: "http://127.0.0.1:1",
    publicUrl: "http://127.0.0.1:2",
  };
  const app = new Hono().use(setPageHeaders());
  app.route(
    "/",
    createApiRoutes(deps, async () => (typeof reader === "function" ? reader() : reader)),
  );
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    app.request(`http://127.0.0.1:2${path}`, { headers });
  return { ask, reads: async (path: string): Promise<unknown> => (await ask(path)).json() };
}

/** acme/payments with #12 and #13 blocked, evaluated twice, a verdict and an approval up to 900 USD. */
async function openSeeded({ figures = true } = {}): Promise<Database> {
  const database = await createPullStore();
  const report = { byTag: { key: "team", lines: [tagLine("value", "5", { value: "search" })] } };
  for (const number of [12, 13])
    await evaluates(database, blockedEvaluation({ pull: { number, figures }, report }));
  const later = blockedEvaluation({ pull: { figures, baseRef: "next" } });
  await evaluates(database, later, { digest: "later" });
  await database.db.updateTable("repositories").set({ figures }).execute();
  await appendAll(database, [
    buildVerdict({
      number: 12,
      findings: [{ rule: "monthly-increase", outcome: "violated", subject: null }],
    }),
    buildApproval({ number: 12, upTo: { amount: decimal("900"), currency: "USD" } }),
  ]);
  for (const at of [1, 2]) await recordApply(database.db, REFUSED_APPLY, new Date(at));
  return database;
}

/** The head of #12 would replace a database and cost 60 USD more. */
const REFUSED_APPLY: Parameters<typeof recordApply>[1] = {
  ...{ repositoryId: 1, number: 12, headSha: "a".repeat(40), baseRef: "main", sha: "b".repeat(40) },
  ...{ workspace: "prod", stage: "default/payments/prod", mergedMs: 1, actor: "token apply", pulls: [12] },
  tolerance: { kind: "percent", percent: decimal("5") },
  result: {
    kind: "exceeds",
    differences: [
      { kind: "action", address: "aws_db_instance.a", expected: ["changed"], found: "replaced" },
      {
        ...{ kind: "cost", currency: "USD", expected: decimal("40") },
        ...{ allowed: decimal("42"), found: decimal("60") },
      },
    ],
    more: 0,
  },
};

/** For the tests that only read. */
let seeded: Database;
beforeAll(async () => {
  seeded = await openSeeded();
});
afterAll(() => seeded.close());

describe("the document", () => {
  test("docs/api.openapi.json is what the operations make, and another's validator finds nothing wrong", async () => {
    const document = buildApiDocument();
    expect(readFileSync(FILE, "utf8"), "run `npm run generate:openapi`").toBe(
      `${JSON.stringify(document, null, 2)}\n`,
    );
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect([valid, errors]).toEqual([true, undefined]);
  });

  test("it is published to everybody, and names every route", async () => {
    const { ask } = connect(seeded, null);
    const published = await ask("/api/v1/openapi.json");
    expect(published.status).toBe(200);
    expect(await published.json()).toEqual(JSON.parse(JSON.stringify(buildApiDocument())));
    expect(Object.keys(buildApiDocument().paths)).toEqual([
      ...OPERATIONS.map(({ path }) => path),
      "/api/v1/applies",
    ]);
  });
});

const ADDRESSES: Readonly<Record<string, string>> = {
  listRepositories: "/api/v1/repositories",
  listPulls: "/api/v1/pulls?repository=acme/payments",
  listEvaluations: ONE,
  getEvaluation: `${ONE}/latest`,
  listApplies: ONE.replace("evaluations", "applies"),
  listRules: "/api/v1/rules?owner=acme&days=30",
  listDecisions: "/api/v1/decisions?owner=acme",
};

describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))("%s", (id, { path }) => {
  const address = ADDRESSES[id] ?? "";
  const { responses } = buildApiDocument().paths[path]?.get ?? { responses: {} };
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  const check = (status: string, body: unknown) => {
    const document = JSON.parse(JSON.stringify({ responses, components: buildApiDocument().components }));
    const { schema } = document.responses[status].content["application/json"];
    const own = "$ref" in schema ? document.components.schemas.Error : schema;
    ajv.validate(own, body);
    return ajv.errors ?? [];
  };

  test("answers as documented, with rows", async () => {
    const { ask } = connect(seeded);
    const response = await ask(address);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const body: unknown = await response.json();
    expect(body).not.toEqual([]);
    expect(check("200", body)).toEqual([]);
    const etag = response.headers.get("etag") ?? "";
    expect((await ask(address, { "if-none-match": etag })).status).toBe(304);
  });

  test("answers as documented to who is not signed in, may not read, or asks wrongly, and while GitHub is silent", async () => {
    const expectError = async (response: Response, status: number) => {
      expect(response.status).toBe(status);
      expect(check(String(status), await response.json())).toEqual([]);
    };
    await expectError(await connect(seeded, null).ask(address), 401);
    const wrong = `${address}${address.includes("?") ? "&" : "?"}nonsense=1`;
    await expectError(await connect(seeded).ask(wrong), 400);
    const silent = async (): Promise<never> => {
      throw new TollgateError("github_failed", "silent", { retryable: true });
    };
    await expectError(await connect(seeded, silent).ask(address), 503);
    const hidden = await connect(seeded, createReader([2])).ask(address);
    if (id === "listRepositories") expect(await hidden.json()).toEqual([]);
    else await expectError(hidden, 404);
  });
});

test("amounts are exact decimal texts with their currency, and unknown is null", async () => {
  const { reads } = connect(seeded);
  expect(await reads("/api/v1/pulls?text=%2313")).toMatchObject([
    { number: 13, costs: [{ currency: "USD", change: expect.stringMatching(/^-?\d+(\.\d+)?$/) }] },
  ]);
  expect(await reads("/api/v1/decisions?kind=approval")).toMatchObject([
    { up_to: { amount: "900", currency: "USD" }, person: "grace" },
  ]);
});

test("pull requests and evaluations have their change by tag, and a tag filters pull requests", async () => {
  const { reads } = connect(seeded);
  const tag = { key: "team", kind: "value", value: "search", currency: "USD", change: "5", state: "known" };
  expect(await reads("/api/v1/pulls?tag=search")).toMatchObject([{ number: 13, tags: [tag] }]);
  expect(await reads("/api/v1/pulls?tag=(untagged)")).toEqual([]);
  expect(await reads(`${ONE.replace("12", "13")}/latest`)).toMatchObject({ tags: [{ ...tag, after: "5" }] });
});

test("where readers may not see figures, no answer has an amount", async () => {
  const hidden = await openSeeded({ figures: false });
  onTestFinished(() => hidden.close());
  const { reads } = connect(hidden);
  const tagged = `${ONE.replace("12", "13")}/latest`;
  for (const address of [...Object.values(ADDRESSES), tagged]) {
    const text = JSON.stringify(await reads(address));
    expect([address, /USD|"amount":"|"change":"|search/.test(text)]).toEqual([address, false]);
  }
});

test("pages of a list follow one another by their links, without a gap or a repetition", async () => {
  const { ask } = connect(seeded);
  for (const [first, key] of [
    ["/api/v1/pulls?limit=1", "number"],
    [`${ONE}?limit=1`, "id"],
    ["/api/v1/decisions?limit=1&owner=acme&kind=apply", "record"],
  ] as const) {
    const seen: unknown[] = [];
    for (let path: string | undefined = first; path !== undefined && seen.length < 9; ) {
      const response: Response = await ask(path);
      const rows: Readonly<Record<string, unknown>>[] = JSON.parse(await response.text());
      seen.push(...rows.map((row) => row[key]));
      const link: string = response.headers.get("link") ?? "";
      path = /^<http:\/\/127\.0\.0\.1:2([^>]+)>; rel="next"$/.exec(link)?.[1];
    }
    expect(seen).toHaveLength(2);
    expect(new Set(seen).size).toBe(2);
  }
});

test("an earlier evaluation has its own address, and another's id is none of this pull request", async () => {
  const { ask, reads } = connect(seeded);
  const listed = JSON.parse(JSON.stringify(await reads(ONE)));
  const [newest, earlier] = listed;
  expect(newest.ended_at).toBeNull();
  expect(await reads(`${ONE}/${earlier.id}`)).toMatchObject({ id: earlier.id, verdict: "block" });
  const other = ONE.replace("12", "13");
  expect((await ask(`${other}/${earlier.id}`)).status).toBe(404);
  expect((await ask(`${ONE}/0`)).status).toBe(404);
});

test("a reader has at most 300 requests a minute", async () => {
  const { ask } = connect(seeded, createReader([]));
  const statuses: number[] = [];
  for (let time = 0; time < 301; time += 1) statuses.push((await ask("/api/v1/nothing")).status);
  expect([statuses.slice(0, 300).every((status) => status === 404), statuses[300]]).toEqual([true, 429]);
});

describe("merged pull requests", () => {
  const PATH = "/api/v1/pulls?state=merged&repository=acme/payments&period=30";
  const open = async (figures: boolean) => {
    const database = await openSeeded({ figures });
    for (const number of [1, 2, 2_000_000])
      await recordMerge(
        database.db,
        {
          ...{ repositoryId: 1, number, mergedMs: Date.now() - 86_400_000, compareMs: null },
          outcome: mergeOutcome({
            ...{ way: number === 1 ? "approved" : "passed" },
            consents: number === 1 ? [{ id: 3, login: "grace", upTo: money("900") }] : [],
          }),
        },
        [
          {
            ...{ org: "o", project: "p", workspace: "w", stage: "prod", currency: "USD", plannedMs: 1 },
            ...{ before: decimal("0"), after: decimal("12.5"), change: decimal("12.5") },
          },
        ],
      );
    return connect(database);
  };

  test("are listed page by page, the newest first, each once", async () => {
    const { ask, reads } = await open(true);
    const first = await ask(`${PATH}&limit=2`);
    expect(await first.json()).toMatchObject([
      { number: 2_000_000, how: "passed", author: "octocat", merged_by: "hubot", verdict: "pass" },
      { number: 2, cost: "known", changes: [{ currency: "USD", change: "12.5" }], stages: ["prod"] },
    ]);
    const next = new URL(/<(.*)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "");
    const second = await ask(next.pathname + next.search);
    const consents = [{ login: "grace", amount: "900", currency: "USD" }];
    expect(await second.json()).toMatchObject([{ number: 1, how: "approved", consents }]);
    expect(second.headers.get("link")).toBeNull();
    expect(await reads(`${PATH}&change_at_least=12.51`)).toEqual([]);
    expect(await reads("/api/v1/pulls?repository=acme/payments&state=open")).toHaveLength(2);
  });

  test("have no amount where figures are hidden", async () => {
    const { ask, reads } = await open(false);
    const text = await (await ask(`${PATH}&how=approved`)).text();
    expect(JSON.parse(text)).toMatchObject([{ cost: "hidden", changes: [], stages: [] }]);
    expect(text).not.toMatch(/900|12\.5/);
    expect(await reads(`${PATH}&change_at_least=0`)).toEqual([]);
  });

  test.each([
    ["&from=2026-02-01", "period"],
    ["&outcome=block", "outcome"],
    ["&how=magic", "how"],
    ["&change_at_least=much", "change_at_least"],
    ["&after=1-2", "after"],
  ])("refuse %s", async (query, parameter) => {
    const answer = await connect(seeded).ask(PATH + query);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ problems: [{ parameter }] });
  });

  test.each([
    ["state=merged&from=2026-03-02&to=2026-03-01", "from"],
    ["state=merged&period=fortnight", "period"],
    ["how=passed", "how"],
  ])("refuse %s", async (query, parameter) => {
    const answer = await connect(seeded).ask(`/api/v1/pulls?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ problems: [{ parameter }] });
  });
});
