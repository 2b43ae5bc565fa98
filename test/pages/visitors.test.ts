import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PULL_VIEWS } from "../../src/web/pages/pull/pull-subject.ts";
import { EXPENSIVE, STRICT } from "../world/costs.ts";
import type { Visitor } from "../world/visitor.ts";
import { createWorld, type World } from "../world/world.ts";
import { chromiumPath, expectAccessible, useChromium, watchPage } from "./chromium.ts";

/** The pages about one repository and its organisation; the last is for operators. */
const PATHS = [
  ...PULL_VIEWS.map((view) => `/r/acme/shop/pull/1?view=${view}`),
  "/r/acme/shop",
  "/r/acme/shop/rules",
  "/r/acme/shop/decisions",
  "/r/acme/shop/policy",
  "/o/acme",
  "/o/acme/rules",
  "/o/acme/decisions",
  "/operator",
];
const ABSENT = "/r/acme/none";
const ALL = [...PATHS, ABSENT];

describe.runIf(chromiumPath)("in Chromium", () => {
  const launched = useChromium();
  let world: World;
  let signIn: string;
  beforeAll(async () => {
    world = await createWorld({
      policy: STRICT,
      operator: () => ({ admins: { teams: ["acme/platform"] } }),
    });
    world.github.createTeam({ organisation: "acme", slug: "platform", members: ["grace"] });
    world.github.addMember({ organisation: "acme", login: "ada" });
    signIn = `${world.settings.publicUrl}/sign-in`;
    await world.opensPlanned(EXPENSIVE);
  });
  afterAll(() => world.ends());

  /** Status and main heading of each of these pages, and what went wrong on them, as a person sees them who has these cookies. */
  async function looksAt(visitor: Visitor, paths: readonly string[]) {
    const { page, problems } = await watchPage(launched());
    await page.context().addCookies(visitor.browserCookies);
    const seen: (readonly [string, number | undefined, string])[] = [];
    for (const path of paths) {
      const answer = await page.goto(world.settings.publicUrl + path);
      seen.push([path, answer?.status(), (await page.locator("h1").innerText()).trim()]);
    }
    return { seen, problems, url: page.url() };
  }
  test("a reader sees all pages but the operator's", async () => {
    const { seen } = await looksAt(await world.signsIn("ada"), PATHS);
    expect(seen.map((one) => one.join(" "))).toMatchInlineSnapshot(`
      [
        "/r/acme/shop/pull/1?view=overview 200 Change the infrastructure #1",
        "/r/acme/shop/pull/1?view=resources 200 Change the infrastructure #1",
        "/r/acme/shop/pull/1?view=modules 200 Change the infrastructure #1",
        "/r/acme/shop/pull/1?view=rules 200 Change the infrastructure #1",
        "/r/acme/shop/pull/1?view=facts 200 Change the infrastructure #1",
        "/r/acme/shop/pull/1?view=history 200 Change the infrastructure #1",
        "/r/acme/shop 200 acme/shop",
        "/r/acme/shop/rules 200 Rules",
        "/r/acme/shop/decisions 200 Decisions",
        "/r/acme/shop/policy 200 Policy",
        "/o/acme 200 acme",
        "/o/acme/rules 200 Rules",
        "/o/acme/decisions 200 Decisions",
        "/operator 404 Nothing here",
      ]
    `);
  });

  test("an admin sees all pages", async () => {
    const { seen, problems } = await looksAt(await world.signsIn("grace"), PATHS);
    expect(seen.map(([, status]) => status)).toEqual(PATHS.map(() => 200));
    expect(problems).toEqual([]);
  });

  test("somebody who cannot read the repository sees nothing, in the words for a page that does not exist", async () => {
    const { seen } = await looksAt(await world.signsIn("mallory", "stranger"), ALL);
    expect(seen).toEqual(ALL.map((path) => [path, 404, "Nothing here"]));
  });

  test("nobody in particular sees the way to sign in, which leads back", async () => {
    const visitor = world.visits();
    const { seen, url, problems } = await looksAt(visitor, ALL);
    expect(seen).toEqual(ALL.map((path) => [path, 200, "Sign in to Tollgate"]));
    expect(new URL(url).searchParams.get("return_to")).toBe(ABSENT);
    expect(problems).toEqual([]);
  });

  test("a person comes back from GitHub to the page that they wanted, and signs out, without JavaScript", async () => {
    const { page, problems } = await watchPage(launched(), { javaScriptEnabled: false });
    const home = `${world.settings.publicUrl}/`;
    await page.goto(home);
    await page.getByRole("link", { name: "Sign in with GitHub" }).click();
    expect(page.url()).toContain(`${world.github.url}/login/oauth/authorize`);
    await page.getByRole("button", { name: "Authorize as ada" }).click();
    expect(page.url()).toBe(home);
    expect(await page.getByRole("link", { name: "shop" }).count()).toBe(1);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(home);
    expect(await page.getByRole("link", { name: "Sign in with GitHub" }).count()).toBe(1);
    expect(problems).toEqual([]);
  });

  test("who cancels at GitHub can try again", async () => {
    const { page, problems } = await watchPage(launched());
    await page.goto(signIn);
    await page.getByRole("link", { name: "Sign in with GitHub" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("heading").first().textContent()).toBe("You are not signed in");
    await page.getByRole("link", { name: "Sign in again" }).click();
    expect(await page.getByRole("link", { name: "Sign in with GitHub" }).count()).toBe(1);
    expect(problems.filter((problem) => !problem.includes("403"))).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "the pages of the sign-in have no barrier in %s colours, on a phone too",
    async (colorScheme) => {
      const viewport = { width: 390, height: 844 };
      const { page } = await watchPage(launched(), { colorScheme, viewport, bypassCSP: true });
      await page.goto(signIn);
      await page.getByRole("link", { name: "Sign in with GitHub" }).click();
      for (const address of [signIn, page.url(), `${signIn}/callback`]) {
        await page.goto(address);
        await expectAccessible(page);
      }
    },
  );
});
