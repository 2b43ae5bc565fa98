import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { CREATE_TOKEN, TokenRequest } from "../../../src/web/local/tokens.ts";
import {
  createSimulatedWorld,
  type SimulatedWorld,
  type SimulatedWorldOptions,
} from "../../simulation/simulated-world.ts";

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({
    people: ["root", "ops", "deputy"],
    operator: ({ idOf }) => ({
      admins: { users: [idOf("root")], teams: ["acme/operators", "acme/deputies", "elsewhere/operators"] },
    }),
  });
  world.github.createTeam({ organisation: "acme", slug: "operators", members: ["ops"] });
  world.github.createTeam({ organisation: "acme", slug: "deputies", members: ["deputy"] });
});
afterAll(() => world.ends());

/** A world of a test's own, with these settings. */
async function opens(options: SimulatedWorldOptions): Promise<SimulatedWorld> {
  const own = await createSimulatedWorld(options);
  onTestFinished(() => own.ends());
  return own;
}

/** What a program sees that sends this token. */
const asks = (token: string, path = "/") =>
  world.visits().opens(path, { headers: { authorization: `Bearer ${token}` } });

async function makesToken(request: object): Promise<string> {
  const { db } = world.bot.session.store;
  const deps = { db, clock: world.bot.session.clock, account: "acc" };
  const nothing = { repository: null, org: null, project: null };
  const made = await CREATE_TOKEN.perform(deps, TokenRequest.parse({ ...nothing, ...request }));
  return made.secret;
}

test("a person who signs in with GitHub sees the repositories that GitHub lets them read", async () => {
  const ada = await world.signsIn("ada");
  const home = await ada.opens("/");
  expect(home.status).toBe(200);
  expect(await home.text()).toContain("shop");
});

test("a person whom GitHub lets read nothing signs in and sees nothing", async () => {
  const eve = await world.signsIn("eve", "stranger");
  const home = await eve.opens("/");
  expect(home.status).toBe(200);
  expect(await home.text()).not.toContain("shop");
});

test("who is not signed in is asked to sign in and comes back to the page", async () => {
  world.github.addMember({ organisation: "acme", login: "ada" });
  const ada = world.visits();
  const sent = await ada.opens("/r/acme/shop?x=1");
  expect(sent.headers.get("location")).toBe("/sign-in?return_to=%2Fr%2Facme%2Fshop%3Fx%3D1");
  const back = await ada.signsIn("ada", "/r/acme/shop?x=1");
  expect(back.headers.get("location")).toBe(`${world.settings.publicUrl}/r/acme/shop?x=1`);
});

test("a read token sees its repository, its owner's, or all, and is no admin", async () => {
  world.github.createRepository({ owner: "acme", name: "other" });
  await world.bot.sweep();
  const shop = await makesToken({ purpose: "read", repository: "acme/shop", name: "dashboard" });
  const owner = await makesToken({ purpose: "read", owner: "acme" });
  const all = await makesToken({ purpose: "read" });
  const shown = async (token: string) => {
    const text = await (await asks(token)).text();
    return ["shop", "other", "Operator"].filter((word) => text.includes(`>${word}<`));
  };
  expect(await shown(shop)).toEqual(["shop"]);
  expect(await shown(owner)).toEqual(["shop", "other"]);
  expect(await shown(all)).toEqual(["shop", "other"]);
});

test("a token for something else is no reader, and a read token does nothing else", async () => {
  for (const request of [
    { purpose: "api" },
    { purpose: "import", repository: "acme/shop" },
    { purpose: "notify", repository: "acme/shop" },
  ])
    expect((await asks(await makesToken(request))).status).toBe(302);
  const read = await makesToken({ purpose: "read" });
  const platform = await world.fetch(`${world.bot.url}/api/orgs/acme/projects/shop/settings/disabled`, {
    headers: { "x-api-key": read },
  });
  expect(platform.status).toBe(403);
  const notification = await world.fetch(`${world.bot.url}/api/executions`, {
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
  const ada = await world.signsIn("ada");
  for (const token of ["tg_0123456789abcdef_aaaa", "ghu_nobody00000000000000", "x"]) {
    const { status } = await ada.opens("/", { headers: { authorization: `Bearer ${token}` } });
    expect([token, status]).toEqual([token, 302]);
  }
  expect((await ada.opens("/", { headers: { authorization: "Basic cHJveHk6cHJveHk=" } })).status).toBe(200);
});

test("a user token of this App has the rights of its person until it is revoked; one of another App has none", async () => {
  world.github.addMember({ organisation: "acme", login: "ada" });
  const { token } = world.github.authorizeApp({ appId: world.appId, login: "ada" });
  expect(await (await asks(token)).text()).toContain("shop");
  const other = await world.github.registerApp({ name: "Other" });
  const foreign = world.github.authorizeApp({ appId: other.id, login: "ada" });
  expect((await asks(foreign.token)).status).toBe(302);
  world.github.revokeAuthorization({ appId: world.appId, login: "ada" });
  await world.timePasses(5 * 60_000);
  expect((await asks(token)).status).toBe(302);
});

test("admins are people by id and members of teams, as they are at the moment", async () => {
  const isAdmin = async (login: string) =>
    (await (await world.signsIn(login)).reads("/")).includes('href="/operator"');
  expect([await isAdmin("root"), await isAdmin("ops"), await isAdmin("ada")]).toEqual([true, true, false]);
  world.github.removeTeamMember({ organisation: "acme", slug: "operators", login: "ops" });
  await world.timePasses(5 * 60_000);
  expect(await isAdmin("ops")).toBe(false);
});

test("while the members of a team cannot be read, nobody is an admin by it", async () => {
  await world.timePasses(5 * 60_000);
  const down = { method: "GET", path: /^\/orgs\/acme\/teams\/deputies/ };
  world.github.faults.add({ kind: "status", status: 502, match: down, times: 3 });
  const deputy = await world.signsIn("deputy");
  expect(await deputy.reads("/")).not.toContain('href="/operator"');
  expect(await deputy.reads("/")).toContain('href="/operator"');
});

test("without client id and secret, every page says how to enable sign-in and shows nothing", async () => {
  const visitor = (await opens({ signIn: false })).visits();
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
  const own = await opens({ settings: { publicUrl: "http://tollgate.example.com" } });
  const answer = await own.fetch(`${own.bot.url}/sign-in`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("https://")]);
});
