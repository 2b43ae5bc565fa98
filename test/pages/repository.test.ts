import { expect, onTestFinished, test } from "vitest";
import { findReadableRepository } from "../../src/web/pages/scope.ts";
import { usualEngine } from "../world/engines.ts";
import { createReader } from "./page-server.ts";
import { fetchAs } from "./page-text.ts";
import { openStoreWith } from "./stored-pulls.ts";

test("a repository is found by its newest names in any case, by those who can read it", async () => {
  const database = await usualEngine().open();
  onTestFinished(() => database.close());
  const row = { installation_id: 1, owner_id: null, owner_login: "Acme", name: "Shop", listed_at: null };
  await database.db
    .insertInto("repositories")
    .values([
      { ...row, repository_id: 1, updated_at: new Date(1_000) },
      { ...row, repository_id: 2, updated_at: new Date(2_000) },
    ])
    .execute();
  const find = (readable: number[], name: string) =>
    findReadableRepository(database, createReader(readable), { owner: "acme", name });
  expect(await find([1, 2], "shop")).toEqual({ repositoryId: 2, owner: "Acme", name: "Shop" });
  expect(await find([1], "shop")).toBeNull();
  expect(await find([1, 2], "shops")).toBeNull();
});

test("the pages of a repository and of an organisation link to one another", async () => {
  const database = await openStoreWith({ id: 1, name: "acme/shop" });
  const listLinks = async (path: string) =>
    [...(await fetchAs(database, [1], path)).body.matchAll(/<a href="([^"]*)"( aria-current="page")?/g)]
      .map(([, href, current]) => `${href}${current === undefined ? "" : " (here)"}`)
      .filter((link) => /^\/[ro]\/acme[^?]*$/.test(link));
  expect(await listLinks("/r/acme/shop/rules")).toEqual([
    "/o/acme",
    "/r/acme/shop",
    "/r/acme/shop",
    "/r/acme/shop/merged",
    "/r/acme/shop/rules (here)",
    "/r/acme/shop/decisions",
    "/r/acme/shop/policy",
  ]);
  expect((await listLinks("/o/acme")).slice(0, 4)).toEqual([
    "/o/acme (here)",
    "/o/acme/merged",
    "/o/acme/rules",
    "/o/acme/decisions",
  ]);
});
