import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../../simulation/simulated-world.ts";
import type { Visitor } from "../../world/visitor.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RENEWAL = { method: "POST", path: /^\/login\/oauth\/access_token/ };

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld();
});
afterEach(() => world.github.faults.clear());
afterAll(() => world.ends());

const isSignedIn = async (visitor: Visitor) => (await visitor.opens("/")).status === 200;

test("who signs out is signed out in every copy of the cookie, and GitHub's token ends", async () => {
  const ada = await world.signsIn("ada");
  const copy = world.visits();
  for (const [name, value] of ada.cookies) copy.cookies.set(name, value);
  expect(await isSignedIn(copy)).toBe(true);
  world.github.requests.clear();
  await ada.signsOut();
  expect(ada.cookies.size).toBe(0);
  expect(await isSignedIn(copy)).toBe(false);
  const ended = { method: "DELETE", path: /^\/applications\/[^/]+\/token$/ };
  expect(world.github.requests.list(ended).map(({ status }) => status)).toEqual([204]);
});

test("who revokes the authorization at GitHub is signed out everywhere", async () => {
  const [ada, phone, grace] = [await world.signsIn("ada"), world.visits(), await world.signsIn("grace")];
  await phone.signsIn("ada");
  world.github.revokeAuthorization({ appId: world.appId, login: "ada" });
  await world.settles();
  expect([await isSignedIn(ada), await isSignedIn(phone), await isSignedIn(grace)]).toEqual([
    false,
    false,
    true,
  ]);
});

test("a session that is not used for a day ends, and one that is used stays for seven days", async () => {
  const [ada, grace] = [await world.signsIn("ada"), await world.signsIn("grace")];
  for (let day = 0; day < 7; day += 1) {
    await world.timePasses(23 * HOUR);
    expect([day, await isSignedIn(ada)]).toEqual([day, true]);
  }
  expect(await isSignedIn(grace)).toBe(false);
  await world.timePasses(10 * HOUR);
  expect(await isSignedIn(ada)).toBe(false);
});

test("ten requests at once with an expired token of GitHub renew it once", async () => {
  const ada = await world.signsIn("ada");
  await world.timePasses(9 * HOUR);
  world.github.requests.clear();
  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await ada.opens("/")).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(world.github.requests.count(RENEWAL)).toBe(1);
  await world.timePasses(9 * HOUR);
  expect(await ada.reads("/")).toContain("shop");
});

test("a renewal that GitHub refuses ends the session", async () => {
  const ada = await world.signsIn("ada");
  world.github.deliveries.drop(); // the event that would end the session is lost
  world.github.revokeAuthorization({ appId: world.appId, login: "ada" });
  await world.timePasses(9 * HOUR);
  await ada.opens("/");
  expect(await isSignedIn(ada)).toBe(false);
});

test("while GitHub does not answer, nothing is shown, and nobody loses the session", async () => {
  const ada = await world.signsIn("ada");
  const works = world.github.faults.add({
    kind: "status",
    status: 502,
    match: { path: /^\/user\/installations/ },
    times: Number.POSITIVE_INFINITY,
  });
  const silent = await ada.opens("/");
  const text = await silent.text();
  expect([silent.status, text]).toEqual([503, expect.stringContaining("GitHub does not answer")]);
  expect(text).not.toContain("shop");
  works();
  expect(await ada.reads("/")).toContain("shop");
});

test("a renewal that GitHub does not answer is tried again later", async () => {
  const ada = await world.signsIn("ada");
  await world.timePasses(9 * HOUR);
  world.github.faults.add({ kind: "status", status: 502, match: RENEWAL });
  expect((await ada.opens("/")).status).toBe(503);
  expect(await ada.reads("/")).toContain("shop");
});

test("a right that is withdrawn at GitHub is noticed within five minutes", async () => {
  world.github.createOwner({ login: "carl", type: "user" });
  world.github.setCollaborator({ repository: "acme/shop", login: "carl", permission: "read" });
  const carl = world.visits();
  await carl.signsIn("carl");
  expect(await carl.reads("/")).toContain("shop");
  world.github.setCollaborator({ repository: "acme/shop", login: "carl", permission: "none" });
  await world.timePasses(5 * MINUTE);
  expect(await carl.reads("/")).not.toContain("shop");
});

test("a right that was known is not used any longer while GitHub is down", async () => {
  const ada = await world.signsIn("ada");
  expect(await ada.reads("/")).toContain("shop");
  world.github.faults.add({
    kind: "status",
    status: 502,
    match: { path: /^\/user\// },
    times: Number.POSITIVE_INFINITY,
  });
  await world.timePasses(4 * MINUTE);
  expect((await ada.opens("/")).status).toBe(200);
  await world.timePasses(1 * MINUTE);
  expect((await ada.opens("/")).status).toBe(503);
});
