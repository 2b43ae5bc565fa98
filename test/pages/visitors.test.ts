import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PULL_VIEWS } from "../../src/web/pages/pull/subject/pull-subject.ts";
import { EXPENSIVE, STRICT } from "../world/costs.ts";
import type { Visitor } from "../world/visitor.ts";
import { createWorld, type World } from "../world/world.ts";
import { chromiumPath, launchChromium, watchPage } from "./chromium.ts";

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

describe.runIf(chromiumPath)("each page in Chromium, as", () => {
  let browser: Browser;
  let world: World;
  beforeAll(async () => {
    browser = await launchChromium();
    world = await createWorld({
      policy: STRICT,
      operator: () => ({ admins: { teams: ["acme/platform"] } }),
    });
    world.github.createTeam({ organisation: "acme", slug: "platform", members: ["grace"] });
    await world.opensPlanned(EXPENSIVE);
  });
  afterAll(async () => {
    await browser.close();
    await world.ends();
  });

  /** Status and main heading of each of these pages, and what went wrong on them, as a person sees them who has these cookies. */
  async function looksAt(visitor: Visitor, paths: readonly string[]) {
    const { page, problems } = await watchPage(browser);
    await page.context().addCookies(visitor.browserCookies);
    const seen: (readonly [string, number | undefined, string])[] = [];
    for (const path of paths) {
      const answer = await page.goto(world.settings.publicUrl + path);
      seen.push([path, answer?.status(), (await page.locator("h1").innerText()).trim()]);
    }
    return { seen, problems, url: page.url() };
  }
  test("a reader: all but the operator's", async () => {
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

  test("an admin: all", async () => {
    const { seen, problems } = await looksAt(await world.signsIn("grace"), PATHS);
    expect(seen.map(([, status]) => status)).toEqual(PATHS.map(() => 200));
    expect(problems).toEqual([]);
  });

  test("somebody who cannot read the repository: nothing, in the words for a page that does not exist", async () => {
    const { seen } = await looksAt(await world.signsIn("mallory", "stranger"), ALL);
    expect(seen).toEqual(ALL.map((path) => [path, 404, "Nothing here"]));
  });

  test("nobody in particular: the way to sign in, which leads back", async () => {
    const visitor = world.visits();
    const { seen, url, problems } = await looksAt(visitor, ALL);
    expect(seen).toEqual(ALL.map((path) => [path, 200, "Sign in to Tollgate"]));
    expect(new URL(url).searchParams.get("return_to")).toBe(ABSENT);
    expect(problems).toEqual([]);
  });
});
