import { existsSync } from "node:fs";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";

/** Path of Chromium or Chrome; undefined: this machine has none, and tests of pages do not run. */
export const chromiumPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);
if (chromiumPath === undefined) process.stderr.write("Chromium: not found; the pages were NOT looked at.\n");

const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });

/** Chromium for the tests of one `describe`; the function returns it while they run. */
export function useChromium(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return () => browser ?? expect.fail("Chromium is launched before the tests");
}

/** A page in a context of its own, and what went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Requests to other hosts than loopback, messages of the console, refused by the content policy; empty: all is well. */
  readonly problems: readonly string[];
}

/** Opens a page that watches itself: every request, console message and violation of the content policy. */
export async function watchPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== "data:" && hostname !== "127.0.0.1") problems.push(`request to ${request.url()}`);
  });
  return { page, problems };
}

/** Whether a page suits everybody, also on a phone: no barrier, and not wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  const found = { at: page.url(), barriers: await findBarriers(page), isTooWide: await isTooWide(page) };
  expect(found).toEqual({ at: page.url(), barriers: [], isTooWide: false });
}

/** What a person with a screen reader, a keyboard or weak eyes would stumble over: axe's violations as `rule: element`. */
async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate("axe.run()");
  return (found as axe.AxeResults).violations.flatMap(
    (
      { id, nodes }, // what axe-core documents
    ) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

/** Whether the page is wider than the window, so that a phone would have to scroll sideways. */
const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
