import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { expireChangeDetails, purgeStages } from "../../src/platform-server/changes/retention.ts";
import { setPushDisabled } from "../../src/platform-server/settings/push-disabled.ts";
import { usualEngines } from "../world/engines.ts";
import { DAY_MS, type PlatformWorld, servePlatform } from "./platform-world.ts";
import {
  CHANGES,
  change,
  commit,
  countsOf,
  createStage,
  EXECUTIONS,
  NO_COUNTS,
  PROJECT,
  STAGE,
  upload,
} from "./stories.ts";

describe.each(usualEngines())("uploads on $name", async (engine) => {
  let world: PlatformWorld;
  /** A tenant for each story: they share the tables and see nothing of each other. */
  let account = "acc-0";
  const rows = async (query = "", category = "planned_changes") =>
    (await world.call("GET", `${CHANGES}/${category}/rows${query}`)).body;
  const names = async (category?: string) =>
    (await rows("?page_size=100", category)).rows.map((row: { name: string }) => row.name);
  const store = await engine.open();
  beforeEach(async () => {
    account = `acc-${Number(account.slice(4)) + 1}`;
    world = await servePlatform(store, account);
    await createStage(world);
  });
  afterEach(() => world.close());
  afterAll(() => store.close());

  it("are invisible until the counts marker has come", async () => {
    const reads = ["planned_changes/rows", "planned_changes/rows/0", "filter-counts"];
    const statuses = async () =>
      Promise.all(reads.map(async (path) => (await world.call("GET", `${CHANGES}/${path}`)).status));
    const listing = async () => (await world.call("GET", `${EXECUTIONS}/run-1/resource-changes`)).status;
    expect(await statuses()).toEqual([404, 404, 404]);
    expect(await upload(world, "planned_changes/1", [change("added", "web")])).toMatchObject({
      status: 200,
      body: null,
    });
    expect(await statuses()).toEqual([404, 404, 404]);
    expect(await listing()).toBe(404);
    expect(await commit(world)).toMatchObject({ status: 200, body: null });
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await listing()).toBe(200);
  });

  it("come in pages in any order, and a page sent again replaces the earlier one until the commit", async () => {
    await upload(world, "planned_changes/2", [change("added", "c")]);
    await upload(world, "planned_changes/1", [change("added", "wrong"), change("added", "x")]);
    await upload(world, "planned_changes/1", [change("deleted", "a"), change("added", "b")]);
    await commit(world);
    expect(await names()).toEqual(["a", "b", "c"]);
  });

  it("are final once committed: the same again is fine, anything else is a conflict", async () => {
    const page = [change("added", "web")];
    await upload(world, "planned_changes/1", page);
    expect((await commit(world)).status).toBe(200);
    expect((await commit(world)).status).toBe(200);
    expect((await upload(world, "planned_changes/1", page)).status).toBe(200);
    expect((await upload(world, "planned_changes/1", [change("added", "db")])).status).toBe(409);
    expect((await upload(world, "planned_changes/2", page)).status).toBe(409);
    expect((await commit(world, { ...NO_COUNTS, Drift: 1 })).status).toBe(409);
    expect(await names()).toEqual(["web"]);
  });

  it("are not committed while a page is missing", async () => {
    await upload(world, "planned_changes/1", [change("added", "a")]);
    await upload(world, "planned_changes/3", [change("added", "c")]);
    expect(await commit(world)).toMatchObject({
      status: 409,
      body: { message: "page 2 of planned_changes has not been uploaded" },
    });
    await upload(world, "planned_changes/2", [change("added", "b")]);
    expect((await commit(world)).status).toBe(200);
    expect(await names()).toEqual(["a", "b", "c"]);
  });

  it("of one change type are counted and form no rows", async () => {
    await upload(world, "planned_changes/1", [change("deleted", "a"), change("added", "b")]);
    expect((await upload(world, "planned_changes/1?change=added", [change("added", "b")])).status).toBe(200);
    await upload(world, "planned_changes/1?change=deleted", [change("deleted", "a")]);
    const wrong = await upload(world, "planned_changes/2?change=deleted", [change("added", "b")]);
    expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringContaining("element 0") } });
    expect((await upload(world, "resources/1?change=added", [])).status).toBe(400);
    await commit(world);
    expect(await names()).toEqual(["a", "b"]);
    const pages = store.db.selectFrom("platform_pages").where("account", "=", account);
    const kept = await pages.selectAll().where("change", "!=", "").execute();
    expect(kept.map(({ category, change: kind, page }) => `${category}/${kind}/${page}`).sort()).toEqual([
      "planned_changes/added/1",
      "planned_changes/deleted/1",
    ]);
  });

  it("take a byte-order mark before a page", async () => {
    const bytes = `\ufeff${JSON.stringify([change("added", "x")])}`;
    expect((await world.call("POST", `${CHANGES}/planned_changes/1`, { bytes })).status).toBe(200);
  });

  it.each([
    ["not UTF-8", new Uint8Array([0x5b, 0xff, 0x5d]), 400],
    ["an element of another kind", JSON.stringify([{ name: "x", sensitive: true }]), 400],
    ["an unknown change type", JSON.stringify([change("exploded", "x")]), 400],
    ["null elements", "[null]", 400],
    ["more than 20,000 elements", JSON.stringify(Array.from({ length: 20_001 }, () => 0)), 400],
    ["more than 8 MiB", new Uint8Array(8 * 1024 * 1024 + 1), 413],
  ])("refuse a page with %s", async (_, bytes, status) => {
    const answer = await world.call("POST", `${CHANGES}/planned_changes/1`, { bytes });
    expect(answer.status).toBe(status);
    expect((await commit(world)).status).toBe(200);
    expect(await names()).toEqual([]);
  });

  it("say what is wrong with an element, without marks of a program", async () => {
    const bytes = JSON.stringify([change("added", "a"), { ...change("exploded", "b"), name: 5 }]);
    expect(await world.call("POST", `${CHANGES}/planned_changes/1`, { bytes })).toMatchObject({
      status: 400,
      body: {
        message:
          "element 1 of the page: name: expected a text; change: expected one of deleted, added, changed, unchanged, removed, imported",
      },
    });
  });

  it.each([
    ["resources", { changes: { login: null } }, 400],
    ["resources", { attributes: "secret" }, 400],
    ["planned_changes", { sensitive_attributes: "password" }, 400],
    ["outputs", { changes: { login: null }, attributes: "no member of an output" }, 200],
  ])("of %s with %j are read by the category's own members", async (category, over, status) => {
    expect((await upload(world, `${category}/1`, [change("added", "web", over)])).status).toBe(status);
  });

  it("have the digest that their header says, if it says one", async () => {
    const bytes = "[]";
    const post = async (path: string, headers = {}) =>
      (await world.call("POST", path, { bytes, headers })).status;
    expect(await post(`${CHANGES}/outputs/1`, { "content-digest": `sha256=${"0".repeat(64)}` })).toBe(400);
    const digest = createHash("sha256").update(bytes);
    const base64 = digest.copy().digest("base64");
    expect(await post(`${CHANGES}/outputs/1`, { "content-digest": `sha-256=:${base64}:` })).toBe(200);
    expect(await post(`${CHANGES}/outputs/1`, { "content-digest": `sha256=${digest.digest("hex")}` })).toBe(
      200,
    );
  });

  it("are locked while the project may not push", async () => {
    const project = { org: "acme", project: "payments" };
    await setPushDisabled(store.db, account, [project, { ...project, org: "other" }, project]);
    expect((await world.call("GET", `${PROJECT}/settings/disabled`)).body).toEqual({ disabled: true });
    expect(await upload(world, "outputs/1", [])).toMatchObject({ status: 423, body: { name: "locked" } });
    expect((await commit(world)).status).toBe(423);
    await setPushDisabled(store.db, "another", []);
    expect((await upload(world, "outputs/1", [])).status).toBe(423);
    await setPushDisabled(store.db, account, [{ ...project, project: "billing" }]);
    expect((await upload(world, "outputs/1", [])).status).toBe(200);
  });

  it("lose their attribute data after retention, and only that", async () => {
    await upload(world, "planned_changes/1", [change("added", "web"), change("added", "db")]);
    await upload(world, "planned_changes/1?change=added", [change("added", "web"), change("added", "db")]);
    await commit(world);
    const detail = async () => (await world.call("GET", `${CHANGES}/planned_changes/rows/1`)).status;
    const kept = async () => {
      await expireChangeDetails(store.db, world.clock.ms, async () => {});
      const details = store.db.selectFrom("platform_rows").where("account", "=", account);
      return (await details.select("position").where("detail", "is not", null).execute()).length;
    };
    world.clock.ms += 30 * DAY_MS - 1;
    expect(await detail()).toBe(200);
    expect(await kept()).toBe(2);
    world.clock.ms += 1;
    expect(await detail()).toBe(404);
    expect(await kept()).toBe(0);
    expect(await detail()).toBe(404);
    expect(await names()).toEqual(["db", "web"]);
  });

  it("past retention are gone and stay so, also when the first purge was interrupted", async () => {
    const page = [change("added", "web"), change("added", "db")];
    await upload(world, "planned_changes/1", page);
    await commit(world);
    let pauses = 0;
    const purge = (upTo: number) =>
      purgeStages(store.db, {
        rowsBeforeMs: world.clock.ms + 1,
        stagesBeforeMs: 0,
        isNeeded: ({ account: owner }) => owner !== account,
        pause: () => (++pauses > upTo ? Promise.reject(new Error("killed")) : Promise.resolve()),
      });
    await expect(purge(0)).rejects.toThrow("killed");
    const answers = async () =>
      Promise.all([
        ...["planned_changes/rows", "planned_changes/rows/0", "filter-counts"].map((path) =>
          world.call("GET", `${CHANGES}/${path}`),
        ),
        upload(world, "planned_changes/1", page),
        upload(world, "planned_changes/2", page),
        commit(world, countsOf({ planned_changes: page })),
        commit(world, NO_COUNTS),
      ]);
    const gone = { status: 404, body: { message: expect.stringContaining("past retention") } };
    expect(await answers()).toMatchObject(Array(7).fill(gone));
    await purge(Number.POSITIVE_INFINITY);
    for (const table of ["platform_rows", "platform_indexes", "platform_pages"] as const)
      expect(
        await store.db.selectFrom(table).select("category").where("account", "=", account).execute(),
      ).toEqual([]);
    expect(await answers()).toMatchObject(Array(7).fill(gone));
  });

  it("may contain any text that JSON can", async () => {
    const odd = "a\u0000b\ud800\n\t\u2028ü😀%_\\";
    await upload(world, "planned_changes/1", [
      change("added", odd, {
        resource_address: `aws_instance.${odd}`,
        attributes: { [odd]: odd, __proto__: 1 },
      }),
    ]);
    expect((await commit(world)).status).toBe(200);
    const { body } = await world.call("GET", `${CHANGES}/planned_changes/rows/0`);
    expect(body.name).toBe("a\ufffdb\ufffd\n\t\u2028ü😀%_\\");
    expect(body.attributes[odd]).toBe(odd);
    for (const part of ["ü😀", "%_\\", " "])
      expect((await rows(`?search=${encodeURIComponent(part)}`)).totalItems).toBe(1);
    expect(world.errors).toEqual([]);
  });

  it("several at once for one stage take turns", async () => {
    const pages = Array.from({ length: 12 }, (_, index) =>
      upload(world, `planned_changes/${index + 1}`, [change("added", `n${index}`)]),
    );
    expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect((await Promise.all([commit(world), commit(world)])).map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    expect(await names()).toHaveLength(12);
    expect((await world.call("GET", STAGE)).body.status).toBe("none");
  });
});
