import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createWorld, type WorldOptions } from "../../world/world.ts";
import { chromiumPath, findBarriers, isTooWide, launchChromium, watchPage } from "../chromium.ts";

describe.runIf(chromiumPath)("signing in with Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  const opens = async (options: WorldOptions = {}) => {
    const world = await createWorld(options);
    onTestFinished(() => world.ends());
    return world;
  };

  test("a person comes back from GitHub to the page that they wanted, and signs out, without JavaScript", async () => {
    const world = await opens();
    world.github.addMember({ organisation: "acme", login: "ada" });
    const { page, problems } = await watchPage(browser, { javaScriptEnabled: false });
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
    const world = await opens();
    const { page, problems } = await watchPage(browser);
    await page.goto(`${world.settings.publicUrl}/sign-in`);
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
      const [world, disabled] = [await opens(), await opens({ signIn: false })];
      const viewport = { width: 390, height: 844 };
      const { page } = await watchPage(browser, { colorScheme, viewport, bypassCSP: true });
      const signIn = `${world.settings.publicUrl}/sign-in`;
      await page.goto(signIn);
      await page.getByRole("link", { name: "Sign in with GitHub" }).click();
      const authorize = page.url();
      for (const address of [
        signIn,
        authorize,
        `${signIn}/callback`,
        `${disabled.settings.publicUrl}/sign-in`,
      ]) {
        await page.goto(address);
        expect([address, await findBarriers(page), await isTooWide(page)]).toEqual([address, [], false]);
      }
    },
  );
});
