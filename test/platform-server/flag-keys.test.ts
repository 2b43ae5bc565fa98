import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, openPlatform, START_MS, servePlatform } from "./platform-world.ts";

const START_S = START_MS / 1000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(usualEngines())("keys of an environment on $name", async (engine) => {
  /** An environment for each story. */
  let number = 0;
  const scope = (environment = `env-${number}`, account = ACCOUNT) =>
    `accountIdentifier=${account}&orgIdentifier=acme&projectIdentifier=payments&environmentIdentifier=${environment}`;
  const at = (path = "", more = "") => `/cf/admin/apikey${path}?${scope()}${more}`;
  const create = (json: object = {}) =>
    world.call("POST", at(), { json: { identifier: "sdk", name: "SDK", type: "Server", ...json } });
  const get = async (id = "sdk") => (await world.call("GET", at(`/${id}`))).body;
  const list = async (more = "") => (await world.call("GET", at("", more))).body;
  const useIt = async (key: string) =>
    (await world.call("GET", "/api/orgs/acme/projects/payments/executions", { key })).status;

  const world = await openPlatform(engine);
  beforeEach(() => {
    number++;
    world.clock.ms = START_MS;
  });
  afterAll(() => world.close());

  it("are shown whole by the answer that makes them, and never again", async () => {
    const made = await create({ description: "for the shop" });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      apiKey: expect.stringMatching(UUID),
      key: expect.stringMatching(UUID),
      identifier: "sdk",
      name: "SDK",
      description: "for the shop",
      type: "server",
      expiredAt: 0,
      applicationIds: [],
    });
    const { key } = made.body;
    const masked = { ...made.body, key: `********-****-****-****-********${key.slice(-4)}` };
    expect(await get()).toEqual(masked);
    expect((await list()).apiKeys).toEqual([masked]);
    const kept = await world.store.db.selectFrom("platform_flag_keys").selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(key.slice(0, -4));
    expect(world.errors).toEqual([]);
  });

  it("have an identifier that the environment gives once", async () => {
    await create();
    expect(await create({ name: "Another" })).toMatchObject({ status: 409 });
    expect((await get()).name).toBe("SDK");
    const other = `/cf/admin/apikey?${scope("elsewhere-of-sdk")}-${number}`;
    const json = { identifier: "sdk", name: "SDK", type: "Server" };
    expect((await world.call("POST", other, { json })).status).toBe(201);
    expect((await world.call("DELETE", at("/sdk"))).status).toBe(204);
    expect((await create()).status).toBe(201);
  });

  it("are listed by identifier in pages that count from 0", async () => {
    expect(await list()).toEqual({
      itemCount: 0,
      pageCount: 0,
      pageIndex: 0,
      pageSize: 30,
      version: 0,
      apiKeys: [],
    });
    for (const identifier of ["c", "A", "b", "a"]) await create({ identifier });
    const identifiers = (body: { apiKeys: { identifier: string }[] }) =>
      body.apiKeys.map(({ identifier }) => identifier);
    expect(identifiers(await list())).toEqual(["A", "a", "b", "c"]);
    const second = await list("&pageNumber=1&pageSize=3");
    expect(second).toMatchObject({ itemCount: 4, pageCount: 2, pageIndex: 1, pageSize: 3, version: 4 });
    expect(identifiers(second)).toEqual(["c"]);
    expect(identifiers(await list("&pageNumber=9007199254740991&pageSize=100"))).toEqual([]);
    for (const page of ["pageSize=0", "pageSize=101", "pageNumber=-1", "pageNumber=x"])
      expect((await world.call("GET", at("", `&${page}`))).status).toBe(400);
  });

  it("count each write in the version of the environment", async () => {
    const version = async () => (await list()).version;
    await create();
    expect(await version()).toBe(1);
    await create();
    expect(await version()).toBe(1);
    await world.call("PUT", at("/sdk"), { json: { name: "Renamed" } });
    expect(await version()).toBe(2);
    await world.call("PUT", at("/nobody"), { json: { name: "Renamed" } });
    expect(await version()).toBe(2);
    await world.call("DELETE", at("/sdk"));
    await world.call("DELETE", at("/sdk"));
    expect(await version()).toBe(3);
  });

  it("change in name, description and expiry, and answer that without a body", async () => {
    const { body: made } = await create();
    const changed = await world.call("PUT", at("/sdk"), { json: { name: "Renamed", expiredAt: 7 } });
    expect(changed).toMatchObject({ status: 200, body: null });
    expect(await get()).toMatchObject({ name: "Renamed", expiredAt: 7, apiKey: made.apiKey, type: "server" });
    await world.call("PUT", at("/sdk"), { json: { description: "d", identifier: "x", type: "Client" } });
    expect(await get()).toMatchObject({
      identifier: "sdk",
      name: "Renamed",
      description: "d",
      type: "server",
    });
    expect(await world.call("PUT", at("/sdk"), { json: {} })).toMatchObject({ status: 200 });
  });

  it("note their use to the minute, and open nothing", async () => {
    const { key } = (await create()).body;
    expect(await get()).not.toHaveProperty("lastUsed");
    world.clock.ms += 5_999;
    expect(await useIt(key)).toBe(403);
    expect((await get()).lastUsed).toBe(START_S + 5);
    world.clock.ms = START_MS + 64_000;
    expect(await useIt(key)).toBe(403);
    expect((await get()).lastUsed).toBe(START_S + 5);
    world.clock.ms = START_MS + 65_000;
    expect(await useIt(key)).toBe(403);
    expect((await get()).lastUsed).toBe(START_S + 65);
  });

  it("past their expiry are shown, and refused like no key at all", async () => {
    const { key } = (await create({ expiredAt: START_S + 10 })).body;
    world.clock.ms += 9_999;
    expect(await useIt(key)).toBe(403);
    world.clock.ms = START_MS + 10_000;
    expect(await useIt(key)).toBe(401);
    expect(await get()).toMatchObject({ expiredAt: START_S + 10, lastUsed: START_S + 9 });
    expect((await list()).itemCount).toBe(1);
    expect((await create()).status).toBe(409);
    await world.call("PUT", at("/sdk"), { json: { expiredAt: 0 } });
    world.clock.ms += 1_000_000_000_000;
    expect(await useIt(key)).toBe(403);
  });

  it("that were deleted, masked or made up are refused", async () => {
    const { key } = (await create()).body;
    expect(await useIt((await get()).key)).toBe(401);
    expect(await useIt(key.replace(/.$/, (last: string) => (last === "0" ? "1" : "0")))).toBe(401);
    await world.call("DELETE", at("/sdk"));
    expect(await useIt(key)).toBe(401);
  });

  it("open nothing by the identifier of their record", async () => {
    const { apiKey } = (await create()).body;
    expect(await useIt(apiKey)).toBe(401);
    expect((await get()).apiKey).toBe(apiKey);
  });

  it("are written in the live dialect with the secret as apiKey and a hash as key", async () => {
    const live = await servePlatform(world.store, ACCOUNT, { dialect: "live" });
    const json = { identifier: "sdk", name: "SDK", type: "Server" };
    const made = (await live.call("POST", at(), { json })).body;
    expect(made).toMatchObject({
      apiKey: expect.stringMatching(UUID),
      key: expect.stringMatching(/^[0-9a-f]{18}$/),
    });
    expect((await live.call("GET", at("/sdk"))).body).toEqual({
      ...made,
      apiKey: `********-****-****-****-********${made.apiKey.slice(-4)}`,
    });
    expect(await useIt(made.apiKey)).toBe(403);
    await live.close();
  });
});
