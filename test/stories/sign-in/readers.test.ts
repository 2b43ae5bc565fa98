import { expect, onTestFinished, test } from "vitest";
import { grantToken, TokenRequest } from "../../../src/web/local/tokens.ts";
import { movableClock } from "../../world/time.ts";
import { createWorld, type World, type WorldOptions } from "../../world/world.ts";

const opens = async (options: WorldOptions = {}): Promise<World> => {
  const world = await createWorld(options);
  onTestFinished(() => world.ends());
  return world;
};

/** What a program sees that sends this token. */
const asks = (world: World, token: string, path = "/") =>
  world.visits().opens(path, { headers: { authorization: `Bearer ${token}` } });

async function makesToken(world: World, request: object): Promise<string> {
  const { db } = world.bot.session.store;
  const deps = { db, clock: world.bot.session.clock, account: "acc" };
  const nothing = { repository: null, org: null, project: null };
  const made = await grantToken(deps, TokenRequest.parse({ ...nothing, ...request }));
  if (made.state !== "created") throw new Error(made.message);
  return made.secret;
}

test("a read token sees its repository, its owner's, or all, and is no admin", async () => {
  const world = await opens();
  world.github.createRepository({ owner: "acme", name: "other" });
  await world.bot.sweep();
  const shop = await makesToken(world, { purpose: "read", repository: "acme/shop", name: "dashboard" });
  const owner = await makesToken(world, { purpose: "read", owner: "acme" });
  const all = await makesToken(world, { purpose: "read" });
  const shown = async (token: string) => {
    const text = await (await asks(world, token)).text();
    return ["shop", "other", "Operator"].filter((word) => text.includes(`>${word}<`));
  };
  expect(await shown(shop)).toEqual(["shop"]);
  expect(await shown(owner)).toEqual(["shop", "other"]);
  expect(await shown(all)).toEqual(["shop", "other"]);
});

test("a token for something else is no reader, and a read token does nothing else", async () => {
  const world = await opens();
  for (const request of [
    { purpose: "api" },
    { purpose: "import", repository: "acme/shop" },
    { purpose: "notify", repository: "acme/shop" },
  ])
    expect((await asks(world, await makesToken(world, request))).status).toBe(302);
  const read = await makesToken(world, { purpose: "read" });
  const platform = await fetch(`${world.bot.url}/api/orgs/acme/projects/shop/settings/disabled`, {
    headers: { "x-api-key": read },
  });
  expect(platform.status).toBe(403);
  const notification = await fetch(`${world.bot.url}/api/executions`, {
    method: "POST",
    headers: { "x-api-key": read, "content-type": "application/json" },
    body: JSON.stringify({
      repository: "acme/shop",
      sha: "a".repeat(40),
      org: "acme",
      project: "shop",
      pipeline_execution_id: "x",
    }),
  });
  expect(notification.status).toBe(403);
});

test("a wrong bearer token is nobody, whatever cookie comes with it", async () => {
  const world = await opens();
  const ada = await world.signsIn("ada");
  for (const token of ["tg_0123456789abcdef_aaaa", "ghu_nobody00000000000000", "x"]) {
    const { status } = await ada.opens("/", { headers: { authorization: `Bearer ${token}` } });
    expect([token, status]).toEqual([token, 302]);
  }
  expect((await ada.opens("/", { headers: { authorization: "Basic cHJveHk6cHJveHk=" } })).status).toBe(200);
});

test("a user token of this App has the rights of its person until it is revoked; one of another App has none", async () => {
  const clock = movableClock();
  const world = await opens({ clock });
  world.github.addMember({ organisation: "acme", login: "ada" });
  const { token } = world.github.authorizeApp({ appId: world.appId, login: "ada" });
  expect(await (await asks(world, token)).text()).toContain("shop");
  const other = await world.github.registerApp({ name: "Other" });
  const foreign = world.github.authorizeApp({ appId: other.id, login: "ada" });
  expect((await asks(world, foreign.token)).status).toBe(302);
  world.github.revokeAuthorization({ appId: world.appId, login: "ada" });
  clock.moves(5 * 60_000);
  expect((await asks(world, token)).status).toBe(302);
});

test("admins are people by id and members of teams, as they are at the moment", async () => {
  const clock = movableClock();
  const world = await opens({
    clock,
    people: ["root", "ops", "ada"],
    operator: ({ idOf }) => ({ admins: { users: [idOf("root")], teams: ["acme/operators"] } }),
  });
  world.github.createTeam({ organisation: "acme", slug: "operators", members: ["ops"] });
  const isAdmin = async (login: string) =>
    (await (await world.signsIn(login)).reads("/")).includes('href="/operator"');
  expect([await isAdmin("root"), await isAdmin("ops"), await isAdmin("ada")]).toEqual([true, true, false]);
  world.github.removeTeamMember({ organisation: "acme", slug: "operators", login: "ops" });
  clock.moves(5 * 60_000);
  expect(await isAdmin("ops")).toBe(false);
});

test("while the members of a team cannot be read, nobody is an admin by it", async () => {
  const world = await opens({
    operator: () => ({ admins: { teams: ["acme/operators", "elsewhere/operators"] } }),
  });
  world.github.createTeam({ organisation: "acme", slug: "operators", members: ["ops"] });
  const down = { method: "GET", path: /^\/orgs\/acme\/teams/ };
  world.github.faults.add({ kind: "status", status: 502, match: down, times: 3 });
  const ops = await world.signsIn("ops");
  expect(await ops.reads("/")).not.toContain('href="/operator"');
  expect(await ops.reads("/")).toContain('href="/operator"');
});

test("without client id and secret, every page says how to enable sign-in and shows nothing", async () => {
  const world = await opens({ signIn: false });
  const visitor = world.visits();
  for (const path of ["/", "/r/acme/shop/pull/1", "/operator"]) {
    const sent = await visitor.opens(path);
    expect(sent.headers.get("location")).toMatch(/^\/sign-in\?/);
  }
  const answer = await visitor.opens("/sign-in");
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining("GITHUB_CLIENT_SECRET"),
  ]);
});

test("an address without TLS that is not loopback serves no sign-in", async () => {
  const world = await opens({ settings: { publicUrl: "http://tollgate.example.com" } });
  const answer = await fetch(`${world.bot.url}/sign-in`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("https://")]);
});
