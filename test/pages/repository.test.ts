import { expect, onTestFinished, test } from "vitest";
import {
  buildOwnerTabs,
  buildRepositoryTabs,
  buildRepositoryTrail,
  findReadableRepository,
} from "../../src/web/pages/scope.ts";
import { usualEngine } from "../world/engines.ts";
import { createReader } from "./page-server.ts";

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

test("the pages of a repository and of an organisation link to one another", () => {
  expect(buildRepositoryTabs("acme/shop", "rules").filter(({ current }) => current)).toEqual([
    { text: "Rules", icon: "law", href: "/r/acme/shop/rules", current: true },
  ]);
  expect(buildOwnerTabs("acme", "overview").map(({ href }) => href)).toEqual([
    "/o/acme",
    "/o/acme/rules",
    "/o/acme/decisions",
  ]);
  expect(buildRepositoryTrail({ owner: "acme", name: "shop" }).map(({ href }) => href)).toEqual([
    "/o/acme",
    "/r/acme/shop",
  ]);
});
