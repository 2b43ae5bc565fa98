import { describe, expect, test } from "vitest";
import { createToken } from "../../../src/store/tokens.ts";
import type { OperatorAccess, OperatorState } from "../../../src/web/page/page.ts";
import type { Database } from "../../../src/wiring/database/schema.ts";
import { chromiumPath, expectAccessible, useChromium, watchPage } from "../chromium.ts";
import { createReader, servePages } from "../page-server.ts";
import { evaluatePull, openStoreWith } from "../stored-pulls.ts";

const HOSTILE = "</title><script>alert(1)</script>\u202E";

const STATE: OperatorState = {
  version: "1.2.3",
  node: "v24.0.0",
  database: "pglite",
  parts: [
    { name: "database", health: { state: "ok" } },
    { name: "github", health: { state: "failed", reason: "the App's credentials are rejected" } },
  ],
  queues: [{ name: "lane", due: 3, scheduled: 1, active: 2, oldestDueSeconds: 400 }],
  deliveries: [
    {
      ...{ id: "11111111-1111-4111-8111-111111111111", event: "pull", repository: "acme/shop", pull: 7 },
      ...{ state: "failed", receivedMs: 0, problem: "GitHub does not answer" },
    },
    { id: "2", event: null, repository: HOSTILE, pull: null, state: "done", receivedMs: 0, problem: HOSTILE },
  ],
  failedWork: [{ queue: "comment", lane: "pull:1:7", failedMs: 0, problem: "the disk is full" }],
  failedCalls: [{ name: "platform getWorkspace", outcome: "timed_out", atMs: 0 }],
  pausedInstallations: new Set([5]),
};

interface ActionRequest {
  readonly what: string;
  readonly about: unknown;
}

function createAccess(state: Partial<OperatorState> = {}) {
  const asked: ActionRequest[] = [];
  const note = (what: string) => (about: unknown) => void asked.push({ what, about });
  const operator: OperatorAccess = {
    readState: async () => ({ ...STATE, ...state }),
    evaluate: async (repositoryId, number) => note("evaluate")(`${repositoryId}#${number}`),
    sweep: note("sweep"),
    retryDelivery: async (id) => note("retry")(id),
    record: ({ login }, action) => note("record")(`${login}: ${action}`),
  };
  return { operator, asked };
}

async function openStore(): Promise<Database> {
  const database = await openStoreWith({ id: 1, name: "acme/shop" });
  const { db } = database;
  for (const [id, login, suspended] of [
    [5, "acme", false],
    [6, "umbrella", true],
  ] as const)
    await db
      .insertInto("installations")
      .values({
        ...{ installation_id: id, owner_id: id, owner_login: login },
        ...{ repository_selection: "all", suspended, updated_at: new Date(0) },
      })
      .execute();
  await evaluatePull(db, { repositoryId: 1, number: 7 }, new Date(0));
  return database;
}

const ADMIN = createReader([], "ada", true);

async function serve({ operator }: { operator: OperatorAccess }, reader = ADMIN, database?: Database) {
  return servePages(database ?? (await openStore()), reader, Date.now(), { operator });
}

const posts = (url: string, action: string, form: Readonly<Record<string, string>>) =>
  fetch(`${url}/operator/${action}`, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

test("an admin sees parts, queues, installations, deliveries, failures and tokens", async () => {
  const html = await (await fetch(`${await serve(createAccess())}/operator`)).text();
  for (const words of [
    "credentials are rejected",
    "will be tried again|failed",
    "GitHub does not answer",
    "suspended on GitHub",
    "waits for GitHub",
    "the disk is full",
    "platform getWorkspace",
    "Tollgate 1.2.3",
    "embedded database",
  ])
    expect(html).toMatch(new RegExp(words));
  expect(html).toContain('href="/r/acme/shop/pull/7"');
  expect(html).not.toContain("<script");
});

test.each(["/operator", "/operator?format=csv&table=tokens", "/operator/evaluate"])(
  "for a reader who is no admin, %s does not exist",
  async (path) => {
    const access = createAccess();
    const url = await serve(access, createReader([1]));
    const [page, form, missing] = await Promise.all([
      fetch(url + path),
      posts(url, "evaluate", { pull: "acme/shop#7" }),
      fetch(`${url}/r/no/such`),
    ]);
    const answers = await Promise.all([page.text(), form.text(), missing.text()]);
    expect([page.status, form.status]).toEqual([404, 404]);
    expect(new Set(answers).size).toBe(1);
    expect(access.asked).toEqual([]);
  },
);

test.each([
  ["evaluate", { pull: "Acme/shop#7" }, { what: "evaluate", about: "1#7" }],
  ["sweep", { installation: "5" }, { what: "sweep", about: 5 }],
  ["deliver", { delivery: STATE.deliveries[0]?.id ?? "" }, { what: "retry", about: STATE.deliveries[0]?.id }],
])("an admin's form %s starts work again, and who did it is recorded", async (action, form, expected) => {
  const access = createAccess();
  const answer = await posts(await serve(access), action, form);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/operator?done=${action}`]);
  expect(access.asked).toEqual([expected, { what: "record", about: `ada: ${action}` }]);
});

test.each([
  ["evaluate", { pull: "acme/shop#8" }],
  ["evaluate", { pull: "acme/other#7" }],
  ["evaluate", { pull: "7" }],
  ["sweep", { installation: "9" }],
  ["sweep", {}],
  ["deliver", { delivery: "2" }],
  ["revoke", { token: "nothing" }],
])("%s of what does not exist (%o) does nothing and says so", async (action, form) => {
  const access = createAccess();
  const url = await serve(access);
  const answer = await posts(url, action, form);
  expect(answer.headers.get("location")).toBe("/operator?done=nothing");
  expect(access.asked).toEqual([]);
  expect(await (await fetch(`${url}/operator?done=nothing`)).text()).toContain("Nothing was done");
});

test("an admin revokes a token; its secret is on no page", async () => {
  const database = await openStore();
  const clock = { now: Date.now, monotonicMs: () => performance.now() };
  const made = await createToken(database.db, { purpose: "api", account: "a" }, clock, {
    name: "ci of acme",
  });
  const url = await serve(createAccess(), ADMIN, database);
  const before = await (await fetch(`${url}/operator`)).text();
  expect(before).toContain("ci of acme");
  expect(before).not.toContain(made.secret.slice(-20));
  await posts(url, "revoke", { token: made.id });
  const rows = await (await fetch(`${url}/operator?format=json&table=tokens`)).json();
  expect(rows).toMatchObject([{ name: "ci of acme", state: "revoked" }]);
});

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  const launched = useChromium();

  test.each(["light", "dark"] as const)(
    "the operator's page has no barrier in %s colours, on a phone too",
    async (colorScheme) => {
      const viewport = { width: 390, height: 800 };
      const { page, problems } = await watchPage(launched(), { colorScheme, viewport });
      await page.goto(`${await serve(createAccess())}/operator`);
      await expectAccessible(page);
      expect(problems).toEqual([]);
    },
  );
});
