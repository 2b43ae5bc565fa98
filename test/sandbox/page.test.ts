import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { renderMarkdown } from "../../sandbox/resources/markdown.ts";
import { openLab } from "./lab.ts";

const repository = "acme/infra";

const references = {
  person: (login: string) => (login === "ada" ? "/ada" : null),
  team: (organisation: string, slug: string) =>
    organisation === "acme" && slug === "finops" ? "/finops" : null,
  pull: (number: number) => (number === 1 ? "1" : null),
};
const shown = (text: string, breaks = true) => renderMarkdown(text, { references, breaks });

describe("Markdown as GitHub shows it", () => {
  test("what runs, loads or styles is taken out", () => {
    const html = shown(
      '<script>alert(1)</script><img src="x" onerror="alert(1)"><a href="javascript:alert(1)" style="x">a</a><iframe src="/"></iframe>',
    );
    expect(html).toBe('<img src="x"><a>a</a>');
  });

  test("tables, task lists and folded parts stay", () => {
    expect(shown("| a | b |\n|---|--:|\n| 1 | 2 |")).toContain('<td align="right">2</td>');
    expect(shown("- [x] done")).toContain('type="checkbox"');
    expect(shown("<details><summary>more</summary>\n\n**b**\n\n</details>")).toContain("<strong>b</strong>");
  });

  test("a line break breaks the line in a comment and not in a check's output", () => {
    expect(shown("a\nb")).toMatch(/a<br>\s*b/);
    expect(shown("a\nb", false)).toBe("<p>a\nb</p>");
  });

  test("alerts have their colour", () => {
    const html = shown("> [!WARNING]\n> Two **databases**.");
    expect(html).toContain('<div class="markdown-alert markdown-alert-warning">');
    expect(html).toContain("<strong>databases</strong>");
    expect(html).not.toContain("[!WARNING]");
    expect(shown("> [!LOUD]\n> no")).toContain("<blockquote>");
  });

  test("people and numbers that exist become links, but not in code", () => {
    expect(shown("ask @ada about #1")).toContain('<a href="/ada" class="user-mention">@ada</a>');
    expect(shown("ask @ada about #1")).toContain('<a href="1" class="issue-link">#1</a>');
    expect(shown("ask @acme/finops")).toContain('<a href="/finops" class="user-mention">@acme/finops</a>');
    expect(shown("`@ada` @ada/x @acme/nobody #2 @nobody a@ada.com x#1")).not.toMatch(
      /user-mention|issue-link/,
    );
  });
});

/** A pull request with a wide comment, a blocked check and a passed one. */
async function blockedPull() {
  const lab = await openLab();
  const { sandbox, appId } = lab;
  sandbox.protectBranch({
    repository,
    branch: "main",
    requiredChecks: [{ context: "tollgate: main", appId }],
  });
  const pull = sandbox.openPullRequest({
    repository,
    head: "more",
    title: "Add <b>replicas</b>",
    body: "Why",
  });
  const wide = `| Resource | Was |\n|---|--:|\n| \`${"module.ledger.aws_db_instance.replica_".repeat(9)}\` | 1 |`;
  sandbox.addComment(pull, {
    body: `### Blocked\n\n${wide}\n\n<script>document.title = "x"</script>`,
    by: "tollgate[bot]",
  });
  const output = { title: "Blocked: +$1,120.40", summary: "Over the **limit**." };
  const check = { repository, sha: pull.headSha, appId, output };
  sandbox.postCheckRun({ ...check, name: "tollgate: main", conclusion: "failure" });
  sandbox.postStatus({
    repository,
    sha: pull.headSha,
    context: "ci",
    state: "success",
    description: "Built",
  });
  return { ...lab, pull, url: `${sandbox.url}/acme/infra/pull/1` };
}

describe("the page of a pull request", () => {
  test("says title, branches, comment, checks, and why merging is blocked", async () => {
    const { url } = await blockedPull();
    const answer = await fetch(url);
    const html = await answer.text();
    for (const text of ["Add &lt;b&gt;replicas", "<code>main</code>", "<h3>Blocked</h3>"])
      expect(html).toContain(text);
    expect(html).toContain("The required check &quot;tollgate: main&quot; failed.");
    expect(html).toContain("2 checks: 1 failed, 1 passed");
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script src="/-/follow.js" defer>']);
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';/,
    );
  });

  test("says when merging is allowed, waits, or is over", async () => {
    const { sandbox, appId, pull, url } = await blockedPull();
    const text = async () => (await fetch(url)).text();
    const check = { repository, sha: pull.headSha, appId, name: "tollgate: main" };
    sandbox.postCheckRun({ ...check, status: "in_progress" });
    expect(await text()).toMatch(
      /Merging waits for required checks[\s\S]*<button class="button" disabled>Merge/,
    );
    sandbox.postCheckRun({ ...check, conclusion: "success" });
    expect(await text()).toMatch(/Merging is allowed[\s\S]*<button class="button">Merge/);
    sandbox.mergePullRequest(pull);
    expect(await text()).toMatch(/<h2><svg class="icon done"[\s\S]*Merged<\/h2>/);
  });

  test("the list leads to it; what is not there is answered like the API", async () => {
    const { sandbox } = await blockedPull();
    expect(await (await fetch(sandbox.url)).text()).toContain('href="/acme/infra/pull/1"');
    expect((await fetch(`${sandbox.url}/acme/infra/pull/2`)).status).toBe(401);
    expect(await (await fetch(`${sandbox.url}/-/markdown.css`)).text()).toContain(".markdown-body table");
  });

  test("a browser that opens an address of the website without a page here reads so; a program gets the API's answer", async () => {
    const { sandbox } = await blockedPull();
    const address = `${sandbox.url}/acme/infra/blob/main/absent.tf`;
    const page = await fetch(address, { headers: { accept: "text/html,*/*" } });
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("The sandbox has no such page");
    expect((await fetch(address)).headers.get("content-type")).toContain("application/json");
  });
});

const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);

if (browserPath === undefined) {
  process.stderr.write("Chromium: not found; the pages were NOT looked at in a browser.\n");
} else {
  describe("in a browser", () => {
    const looks = ([1000, 390] as const).flatMap((width) =>
      (["light", "dark"] as const).map((colorScheme) => [width, colorScheme] as const),
    );

    test("is readable at every width, light and dark, without anything from elsewhere", async () => {
      const { sandbox, url } = await blockedPull();
      const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
      onTestFinished(() => browser.close());
      const backgrounds = new Set<string>();
      for (const [width, colorScheme] of looks) {
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
        const page = await context.newPage();
        const asked: string[] = [];
        const complaints: string[] = [];
        page.on("request", (request) => asked.push(new URL(request.url()).origin));
        page.on("console", (message) => complaints.push(message.text()));
        await page.goto(url);
        expect(await page.title()).toBe("Add <b>replicas</b> · acme/infra#1");
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        // The room has no DOM types; the browser reads these words itself.
        const table = "document.querySelector('.post .markdown-body table')";
        expect(await page.evaluate(`${table}.scrollWidth > ${table}.clientWidth`)).toBe(true);
        expect(await page.getByRole("region", { name: "Merging" }).innerText()).toContain(
          "Merging is blocked",
        );
        backgrounds.add(String(await page.evaluate("getComputedStyle(document.body).backgroundColor")));
        expect([...new Set(asked)]).toEqual([sandbox.url]);
        expect(complaints).toEqual([]);
        await context.close();
      }
      expect(backgrounds).toEqual(new Set(["rgb(255, 255, 255)", "rgb(13, 17, 23)"]));
    });

    test("a link to lines of a file marks them", async () => {
      const { sandbox } = await blockedPull();
      const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      // The background of every row, none, or that of the marked ones.
      const rows = `[...document.querySelectorAll(".lines tr")].map((row) => getComputedStyle(row.cells[1]).backgroundColor)`;
      const [none, marked] = ["rgba(0, 0, 0, 0)", "rgb(255, 248, 197)"];
      await page.goto(`${sandbox.url}/acme/infra/blob/more/main.tf#L1-L2`);
      expect(await page.evaluate(rows)).toEqual([marked, marked, none]);
      await page.goto(`${sandbox.url}/acme/infra/blob/more/main.tf#L3`);
      expect(await page.evaluate(rows)).toEqual([none, none, marked]);
    });
  });
}
