import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSeal } from "../../../src/store/seal.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../../simulation/simulated-world.ts";

const MINUTE = 60_000;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld();
  world.github.addMember({ organisation: "acme", login: "ada" });
  world.github.createOwner({ login: "eve", type: "user" });
});
afterAll(() => world.ends());

const isSignedIn = async (visitor: ReturnType<SimulatedWorld["visits"]>) =>
  (await visitor.opens("/")).status === 200;

describe("the way back from GitHub", () => {
  test("a callback that no browser began signs nobody in", async () => {
    const eve = world.visits();
    const back = await eve.authorizes(await eve.startsSignIn(), "eve");
    const victim = world.visits();
    const answer = await victim.opens(back);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("It was not begun in this browser");
    expect(await isSignedIn(victim)).toBe(false);
  });

  test("a callback with the state of another browser signs nobody in", async () => {
    const [ada, eve] = [world.visits(), world.visits()];
    await ada.startsSignIn();
    const answer = await ada.opens(await eve.authorizes(await eve.startsSignIn(), "eve"));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("It was not begun in this browser");
    expect(await isSignedIn(ada)).toBe(false);
  });

  test("a code of another sign-in is refused although the state is right", async () => {
    const [ada, eve] = [world.visits(), world.visits()];
    const own = new URL(await ada.startsSignIn()).searchParams.get("state") ?? "";
    const foreign = new URL(await eve.authorizes(await eve.startsSignIn(), "eve"));
    foreign.searchParams.set("state", own);
    const answer = await ada.opens(foreign.href);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("does not accept the code"),
    ]);
    expect(await isSignedIn(ada)).toBe(false);
  });

  test("a sign-in that was begun more than ten minutes ago does not count", async () => {
    const ada = world.visits();
    const at = await ada.startsSignIn();
    await world.timePasses(10 * MINUTE + 1_000);
    const back = await ada.authorizes(at, "ada");
    expect((await ada.opens(back)).status).toBe(400);
    expect(await isSignedIn(ada)).toBe(false);
  });

  test("a callback that is replayed with its cookie signs nobody in", async () => {
    const ada = world.visits();
    const back = await ada.authorizes(await ada.startsSignIn(), "ada");
    const thief = world.visits();
    for (const [name, value] of ada.cookies) thief.cookies.set(name, value);
    expect((await ada.opens(back)).status).toBe(303);
    expect((await thief.opens(back)).status).toBe(400);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("who cancels at GitHub is not signed in, and is told so", async () => {
    const ada = world.visits();
    const answer = await ada.opens(await ada.authorizes(await ada.startsSignIn(), ""));
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining("cancelled at GitHub"),
    ]);
  });

  test("more than sixty attempts of one client in a minute are refused, until the minute is over", async () => {
    const eve = world.visits();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 70; attempt += 1)
      statuses.push((await eve.opens("/sign-in/callback?state=a&code=b")).status);
    expect(new Set(statuses.slice(0, 50))).toEqual(new Set([400]));
    expect(statuses.at(-1)).toBe(429);
    await world.timePasses(MINUTE);
    expect((await eve.opens("/sign-in/callback?state=a&code=b")).status).toBe(400);
  });
});

describe("cookies", () => {
  test("a session that somebody put into the browser before ends when its owner signs in", async () => {
    const eve = world.visits();
    await eve.signsIn("eve");
    const ada = world.visits();
    for (const [name, value] of eve.cookies) ada.cookies.set(name, value);
    await ada.signsIn("ada");
    expect(await ada.reads("/")).toContain("ada");
    expect(ada.cookie).not.toBe(eve.cookie);
    expect(await isSignedIn(eve)).toBe(false);
  });

  test("a cookie that was changed in any place opens nothing", async () => {
    const ada = await world.signsIn("ada");
    const [name = "", value = ""] = [...ada.cookies][0] ?? [];
    for (let at = 0; at < value.length; at += 7) {
      const changed = value.slice(0, at) + (value[at] === "A" ? "B" : "A") + value.slice(at + 1);
      ada.cookies.set(name, changed);
      expect(`${at} ${await isSignedIn(ada)}`).toBe(`${at} false`);
    }
    for (const wrong of [
      "",
      "x",
      "e30.e30.e30.e30.e30",
      value.slice(0, -20),
      `${value}.x`,
      "%00",
      "a".repeat(9_000),
    ]) {
      ada.cookies.set(name, wrong);
      expect(await isSignedIn(ada)).toBe(false);
    }
  });

  test("a cookie of a sign-in that has begun is no session", async () => {
    const ada = world.visits();
    await ada.startsSignIn();
    ada.cookies.set("tollgate", ada.cookies.get("tollgate-sign-in") ?? "");
    expect(await isSignedIn(ada)).toBe(false);
  });

  test("a copy of the database and of the settings opens no session and contains no token", async () => {
    const { db } = world.bot.session.store;
    await db.deleteFrom("sessions").execute();
    await world.signsIn("ada");
    const rows = await db.selectFrom("sessions").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/gh[ur]_/);
    const secret = world.settings.signIn?.clientSecret ?? "";
    const seal = createSeal(secret, "session cookies");
    const thief = world.visits();
    for (const key of ["", "A".repeat(43), secret]) {
      thief.cookies.set("tollgate", await seal.seal({ id: rows[0]?.session_id, key, seenMs: Date.now() }));
      expect(await isSignedIn(thief)).toBe(false);
    }
  });

  test("scripts cannot read the cookie, and other sites cannot send it with a form", async () => {
    const ada = world.visits();
    const answer = await ada.signsIn("ada");
    const line = answer.headers.getSetCookie().find((one) => one.startsWith("tollgate=")) ?? "";
    expect(line).toMatch(/; HttpOnly/);
    expect(line).toMatch(/; SameSite=Lax/);
    expect(line).toMatch(/; Path=\//);
  });
});

describe("forms", () => {
  test("a form of the person's own page ends the session", async () => {
    const ada = await world.signsIn("ada");
    expect((await ada.signsOut()).status).toBe(303);
    expect(await isSignedIn(ada)).toBe(false);
  });

  test("a form of another site, or without an origin, changes nothing, even with the form token", async () => {
    const ada = await world.signsIn("ada");
    const form = { form_token: await ada.findFormToken() };
    for (const origin of [
      "https://evil.example",
      "null",
      "",
      "http://localhost.evil.example",
      "http://127.0.0.1.evil.example",
    ]) {
      const { status } = await ada.opens("/sign-out", { method: "POST", form, headers: { origin } });
      expect([origin, status]).toEqual([origin, 403]);
    }
    expect(await isSignedIn(ada)).toBe(true);
  });

  test("a form without the form token, or with one of another session, changes nothing", async () => {
    const [ada, eve] = [await world.signsIn("ada"), world.visits()];
    await eve.signsIn("eve");
    for (const form of [{}, { form_token: await eve.findFormToken() }] as const) {
      const { status } = await ada.opens("/sign-out", { method: "POST", form });
      expect(status).toBe(403);
    }
    expect(await isSignedIn(ada)).toBe(true);
  });
});

test("a host name that somebody else points to this machine gets no page", async () => {
  const asksHost = async (host: string) =>
    (await world.fetch(`${world.bot.url}/sign-in`, { headers: { host } })).status;
  for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.", "evil.example:80"])
    expect([host, await asksHost(host)]).toEqual([host, 421]);
  expect(await asksHost(new URL(world.bot.url).host)).toBe(200);
});
