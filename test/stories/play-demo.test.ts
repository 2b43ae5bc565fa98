import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, useChromium, watchPage } from "../pages/chromium.ts";
import { eventually } from "../world/eventually.ts";

const ROOT = join(import.meta.dirname, "../..");
/** How soon a page shows what the server has, in ms. */
const FOLLOW = { timeout: 2_000 };

describe.runIf(chromiumPath)("the demo, played in Chromium", () => {
  const launched = useChromium();
  let said = "";
  let end: () => Promise<void>;
  beforeAll(async () => {
    const demo = spawn(process.execPath, ["src/cli/main.ts", "demo"], { cwd: ROOT, stdio: "pipe" });
    for (const stream of [demo.stdout, demo.stderr])
      stream.setEncoding("utf8").on("data", (text) => (said += text));
    end = async () => {
      const ended = once(demo, "exit");
      demo.kill("SIGTERM");
      await ended;
    };
    await eventually(() => expect(said).toContain("Press Ctrl+C"));
  });
  afterAll(() => end());

  const addressOf = (number: number) =>
    new RegExp(`http://\\S+/example/shop-infra/pull/${number}(?= )`).exec(said)?.[0] ?? "";

  /** Opens a pull request's page; `answers` waits until the server has a text, then until the open page shows it without being loaded again. */
  async function openPull(number: number, options: { readonly javaScriptEnabled?: boolean } = {}) {
    const { page, problems } = await watchPage(launched(), options);
    const url = addressOf(number);
    await page.goto(url);
    const merging = page.getByRole("region", { name: "Merging" });
    return {
      ...{ page, problems, url, merging },
      become: (login: string) => become(page, login),
      send: async (text: string, as = "Comment") => {
        await page.locator("#comment").fill(text);
        await page.getByLabel("What it is").selectOption(as);
        const loaded = page.waitForEvent("load");
        await page.getByRole("button", { name: "Send" }).click();
        await loaded;
      },
      answers: async (text: string) => {
        await eventually(async () => expect(await (await fetch(url)).text()).toContain(text));
        await page.getByText(text).first().waitFor(FOLLOW);
      },
    };
  }

  async function become(page: Page, login: string): Promise<void> {
    await page.locator(".who summary").click();
    await page.locator(".who button", { hasText: login }).click();
    await page.locator(".who summary", { hasText: login }).waitFor();
  }

  const readCommand = (page: Page) => page.locator(".post pre").first().innerText();

  test("an approval lets the check pass, a larger push blocks it, a smaller one is merged; each page shows it by itself", async () => {
    const { page, problems, merging, url, become, send, answers } = await openPull(2);
    const command = await readCommand(page);
    await become("octocat");
    await send(command);
    await answers("Not approved: you opened this pull request or worked on it");
    await become("bob");
    await send(command);
    await answers("Not approved: the policy names others to approve");
    await become("grace");
    await send(command);
    await page.locator("#comment").fill("typed meanwhile");
    await answers("Merging is allowed");
    expect(await page.locator("#comment").inputValue()).toBe("typed meanwhile");

    await merging.getByRole("link", { name: "Details" }).first().click();
    await page.getByRole("button", { name: "Re-check" }).click();
    await page.getByText("Tollgate was asked to look again").waitFor();
    await page.getByRole("link", { name: "Conversation" }).click();
    await merging.getByText("Merging is allowed").waitFor();
    await eventually(async () => expect(await page.locator("#comment").inputValue()).toBe("typed meanwhile"));
    await page.getByRole("button", { name: "Push large" }).click();
    await answers("is no longer in force: the rule finds more than was approved");
    await answers("Merging is blocked");
    expect(await merging.getByRole("button", { name: "Merge" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Push a deletion" }).click();
    await answers("databases that would be deleted: 1");
    await page.getByRole("button", { name: "Push small" }).click();
    await answers("Merging is allowed");
    await send("Is the second zone enough?", "Review: request changes");
    await answers("Merging is blocked");
    await send("It is.", "Review: approve");
    await answers("Merging is allowed");
    await merging.getByRole("button", { name: "Merge" }).click();
    await answers("merged this as");
    expect(problems).toEqual([]);

    const details = await page.getByRole("link", { name: "All details" }).first().getAttribute("href");
    await page.goto(new URL("/sign-in/start?return_to=%2F", details ?? "").href);
    await page.getByRole("button", { name: "Authorize as grace" }).click();
    await page.waitForURL("**/");
    await eventually(async () => {
      await page.goto(details ?? "");
      expect(await page.getByRole("main").innerText()).toContain("Merged");
    });
    expect(new URL(details ?? "").origin).not.toBe(new URL(url).origin);
  });

  test("without scripts, everything is done by forms and seen when the page is loaded again", async () => {
    const { page, problems, merging, url, become, send } = await openPull(3, { javaScriptEnabled: false });
    /** Loads the page again until it shows the text. */
    const reloadUntil = (text: string) =>
      eventually(async () => {
        await page.getByRole("link", { name: "load it again" }).click();
        expect(await page.getByText(text).count()).toBeGreaterThan(0);
      });
    await become("monalisa");
    await send("/tollgate help");
    expect(await page.getByRole("alert").innerText()).toContain(
      "monalisa has no access to example/shop-infra",
    );
    expect(await page.locator("#comment").inputValue()).toBe("/tollgate help");
    await page.goto(url);
    await become("grace");
    await send("/tollgate explain");
    await reloadUntil("monthly-increase");
    await page.getByRole("button", { name: "Run again" }).click();
    await reloadUntil("Merging is allowed");
    await merging.getByRole("button", { name: "Merge" }).click();
    await reloadUntil("merged this as");
    expect(problems).toEqual([
      "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)",
    ]);
  });
});
