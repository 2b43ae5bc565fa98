import { expect, test } from "vitest";
import { createReader, servePages } from "./page-server.ts";
import { readText } from "./page-text.ts";
import { evaluatePull, openStoreWith } from "./stored-pulls.ts";

test("the home page says where pull requests wait for a person, those repositories first", async () => {
  const repositories = Array.from({ length: 60 }, (_, at) => ({ id: at + 1, name: `acme/r${at + 1}` }));
  const database = await openStoreWith(...repositories, { id: 99, name: "umbrella/web" });
  const { db } = database;
  const at = new Date();
  await evaluatePull(db, { repositoryId: 60, number: 1, verdict: "approval" }, at);
  await evaluatePull(db, { repositoryId: 60, number: 2, verdict: "block" }, at);
  await evaluatePull(db, { repositoryId: 59, number: 3 }, at);
  await evaluatePull(db, { repositoryId: 58, number: 4, verdict: "block" }, at);
  const readable = repositories.flatMap(({ id }) => (id === 58 ? [] : [id]));
  const html = await (await fetch(await servePages(database, createReader([...readable, 99])))).text();
  const text = readText(html);
  expect(text).toContain(
    "acme 2 pull requests wait for a person r60 1 Blocked 1 Needs approval 2 open r1 none open",
  );
  expect(text).toContain("9 more repositories of acme");
  expect(html).toContain('href="/r/acme/r60?verdict=approval"');
  expect(text.indexOf("umbrella")).toBeGreaterThan(text.indexOf("acme"));
});

test("browsers neither keep nor frame a page, and run nothing in it", async () => {
  const response = await fetch(await servePages(await openStoreWith(), createReader([])));
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "private, no-store",
    "x-frame-options": "DENY",
    "content-security-policy":
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  });
});

test("a reader who asks for hundreds of pages a minute has to wait", async () => {
  const url = await servePages(await openStoreWith(), createReader([]));
  for (let asked = 0; asked < 300; asked += 1) await (await fetch(`${url}/r/no/such`)).text();
  const answers = await Promise.all(["/r/no/such", "/", "/operator"].map((path) => fetch(url + path)));
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
});
