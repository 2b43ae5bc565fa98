import { sql } from "kysely";
import { expect, test } from "vitest";
import { savePull } from "../../../src/store/pulls.ts";
import { createReader, servePages } from "../page-server.ts";
import { blockedEvaluation } from "./evaluations.ts";
import { evaluates, openPullStore } from "./pull-store.ts";

const PAGE = "/r/acme/payments/pull/12";

test("who cannot read the repository gets the page of what does not exist", async () => {
  const database = await openPullStore();
  await evaluates(database, blockedEvaluation());
  const answers = await Promise.all([
    servePages(database, createReader([2])).then((url) => fetch(url + PAGE)),
    servePages(database, createReader([1])).then((url) => fetch(`${url}/r/acme/payments/pull/13`)),
    servePages(database, createReader([1])).then((url) => fetch(`${url}/r/acme/nothing/pull/12`)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  const [hidden, ...others] = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(others)).toEqual(new Set([hidden]));
});

test.each([
  "?view=nothing",
  "?view=resource&resource=none",
  "?view=resources&format=csv&table=nothing",
  "/evaluations/99",
])("%s of a pull request does not exist", async (rest) => {
  const database = await openPullStore();
  await evaluates(database, blockedEvaluation());
  const url = await servePages(database, createReader([1]));
  expect((await fetch(url + PAGE + rest)).status).toBe(404);
});

test("a pull request without an evaluation says that it is not evaluated yet", async () => {
  const database = await openPullStore();
  const { headSha, baseRef } = blockedEvaluation().pull;
  const key = { repositoryId: 1, number: 12 };
  await savePull(database.db, { ...key, headSha, baseRef, mergeSha: null, state: "open" }, new Date());
  const html = await (await fetch((await servePages(database, createReader([1]))) + PAGE)).text();
  expect(html).toContain("<h1>Not evaluated yet</h1>");
});

test("an evaluation that cannot be read says how to get another one", async () => {
  const database = await openPullStore();
  await evaluates(database, blockedEvaluation());
  await database.db
    .updateTable("evaluations")
    .set({ evaluation: sql`'{"version":99,"value":{}}'::jsonb` })
    .execute();
  const html = await (await fetch((await servePages(database, createReader([1]))) + PAGE)).text();
  expect(html).toContain("<code>/tollgate recheck</code>");
});

test("an evaluation that was completed later is shown as it is now, not as it was first read", async () => {
  const database = await openPullStore();
  await evaluates(database, blockedEvaluation());
  const url = (await servePages(database, createReader([1]))) + PAGE;
  expect(await (await fetch(url)).text()).toContain("+$600.00");
  await evaluates(database, blockedEvaluation({ report: { totals: [] } }));
  expect(await (await fetch(url)).text()).not.toContain("· +$600.00");
});
