import { describe, expect, test } from "vitest";
import { openLab } from "./lab.ts";

const repository = "acme/infra";

/** The lab with pages read as text. */
async function openPages() {
  const lab = await openLab();
  const open = (path: string) => fetch(`${lab.sandbox.url}${path}`, { headers: { accept: "text/html" } });
  return { ...lab, open, read: async (path: string) => (await open(path)).text() };
}

describe("pages of code", () => {
  test("a file has an address for each line, on a branch whose name has a slash and at a commit", async () => {
    const { sandbox, read, open } = await openPages();
    const files = { "in fra/web.tf": "one\ntwo\n" };
    const { after } = sandbox.push({ repository, branch: "feature/a b", files });
    for (const ref of ["feature/a%20b", after, after.slice(0, 8)]) {
      const page = await read(`/acme/infra/blob/${ref}/in%20fra/web.tf`);
      expect(page).toMatch(/<tr id="L2">.*<td>two<\/td>/);
      expect(page).not.toContain('id="L3"');
    }
    expect((await open("/acme/infra/blob/main/in%20fra/web.tf")).status).toBe(404);
    expect(await read("/acme/infra/tree/feature/a%20b/in%20fra")).toContain(
      'href="/acme/infra/blob/feature/a%20b/in%20fra/web.tf"',
    );
  });

  test("a commit shows the shortest difference, its parents, its checks and its pull request", async () => {
    const { sandbox, appId, read } = await openPages();
    const before = "a\nb\nc\nd\ne\nf\ng\nh\n";
    const first = sandbox.push({ repository, branch: "list", files: { "list.txt": before } }).after;
    const files = { "list.txt": before.replace("b", "B").replace("g\n", "") };
    const { after: sha } = sandbox.push({
      repository,
      branch: "list",
      files,
      message: "Shorten\n\nIt is long.",
    });
    sandbox.openPullRequest({ repository, head: "list", title: "List" });
    sandbox.postCheckRun({ repository, sha, appId, name: "lint", conclusion: "success" });
    const page = await read(`/acme/infra/commit/${sha}`);
    for (const text of ["It is long.", `/commit/${first}"`, "/pull/1", "1 check: 1 passed", "+1", "−2"])
      expect(page).toContain(text);
    const lines = [...page.matchAll(/<tr class="(added|removed)">.*?<\/span>(.*?)<\/td>/g)];
    expect(lines.map(([, kind, text]) => `${kind} ${text}`)).toEqual(["removed b", "added B", "removed g"]);
    expect(await read("/acme/infra/commits/list")).toMatch(/Shorten[\s\S]*Initial commit/);
    expect(await read("/acme/infra/branches")).toMatch(/list[\s\S]*#1/);
  });

  test("names and contents from outside are text, and links lead to the web only", async () => {
    const { sandbox, appId, open, read } = await openPages();
    const path = `x"><script>alert(1).md`;
    const hostile = "<script>alert(2)</script> [a](javascript:alert(3))\n";
    const files = { [path]: hostile, "README.md": hostile };
    const { after: sha } = sandbox.push({ repository, branch: "evil", files, message: "<script>alert(4)" });
    sandbox.openPullRequest({ repository, head: "evil", title: "<script>alert(5)" });
    const output = { title: "<script>alert(6)", summary: hostile, text: hostile };
    sandbox.postCheckRun({ repository, sha, appId, name: "<script>", conclusion: "failure", output });
    sandbox.postStatus({
      repository,
      sha,
      context: "ci",
      state: "success",
      targetUrl: "javascript:alert(7)",
    });
    const pages = ["", "/tree/evil", `/blob/evil/${encodeURIComponent(path)}`, `/commit/${sha}`];
    const tabs = ["", "/commits", "/checks", "/files"].map((tab) => `/pull/1${tab}`);
    for (const address of [...pages, ...tabs, "/pulls", "/branches", "/commits/evil"]) {
      const answer = await open(`/acme/infra${address}`);
      expect(answer.status, address).toBe(200);
      const page = await answer.text();
      expect(page.replace(/<script src="\/-\/(lines|follow)\.js"( defer)?><\/script>/, "")).not.toMatch(
        /<script|href="javascript/i,
      );
    }
    expect(await read("/acme/infra/tree/evil")).toContain("x%22%3E%3Cscript%3Ealert(1).md");
  });
});

describe("pages of pull requests", () => {
  test("a check's page has its text as Markdown and its annotations with links to their lines", async () => {
    const { sandbox, appId, asBot, read } = await openPages();
    const pull = sandbox.openPullRequest({ repository, head: "more", title: "More" });
    const place = { path: "main.tf", start_line: 2, end_line: 3, annotation_level: "warning" };
    const output = {
      ...{ title: "Two **things**", summary: "Over the **limit**.", text: "| a |\n|--|\n| 1 |" },
      annotations: [{ ...place, title: "Expensive", message: "Costs <b>much</b>" }],
    };
    const run = { name: "cost", head_sha: pull.headSha, conclusion: "failure", output };
    const { id } = (await asBot(`POST /repos/${repository}/check-runs`, run)).body;
    sandbox.postCheckRun({ repository, sha: pull.headSha, appId, name: "lint", conclusion: "success" });
    for (const address of [`runs/${id}`, `pull/1/checks?check_run_id=${id}`]) {
      const page = await read(`/acme/infra/${address}`);
      for (const text of ["Over the <strong>limit", "<td>1</td>", "Costs &lt;b&gt;much", "warning"])
        expect(page).toContain(text);
      expect(page).toContain(`href="/acme/infra/blob/${pull.headSha}/main.tf#L2-L3"`);
    }
    expect(await read("/acme/infra/pull/1")).toContain(`/acme/infra/pull/1/checks?check_run_id=${id}"`);
    expect(await read("/acme/infra/pull/1/files")).toMatch(/three<\/td><\/tr><tr class="note">.*Expensive/);
  });

  test("lists have 25 a page and show the open ones, the closed ones or all", async () => {
    const { sandbox, read } = await openPages();
    for (let number = 1; number <= 27; number += 1) {
      const branch = `b${number}`;
      sandbox.push({ repository, branch, files: { [`${branch}.tf`]: "x\n" } });
      sandbox.openPullRequest({ repository, head: branch, title: `Change ${number}` });
    }
    const { id: repositoryId } = sandbox.repository(repository);
    sandbox.closePullRequest({ repositoryId, number: 27 });
    const list = async (query: string) =>
      [...(await read(query)).matchAll(/class="title" href="[^"]*\/pull\/(\d+)"/g)].map(([, number]) =>
        Number(number),
      );
    for (const address of ["/", "/acme/infra/pulls"]) {
      expect(await list(address)).toEqual(Array.from({ length: 25 }, (_, n) => 26 - n));
      expect(await list(`${address}?state=open&page=2`)).toEqual([1]);
      expect(await list(`${address}?state=closed`)).toEqual([27]);
      expect(await list(`${address}?state=all&page=2`)).toEqual([2, 1]);
    }
  });
});

describe("pages of people", () => {
  test("an organisation, its people, teams and Apps have pages that lead to each other", async () => {
    const { sandbox, open, read } = await openPages();
    sandbox.createTeam({ organisation: "acme", slug: "finops", members: ["grace"] });
    const pull = sandbox.openPullRequest({ repository, head: "more", title: "More", author: "grace" });
    const { id } = sandbox.addComment(pull, { body: "@acme/finops and @grace", by: "tollgate[bot]" });
    const comment = await read("/acme/infra/pull/1");
    for (const href of ["/orgs/acme/teams/finops", "/grace", "/apps/tollgate"])
      expect(comment).toContain(`href="${href}"`);
    expect(comment).toContain(`id="issuecomment-${id}"`);
    const links = [
      ["/acme", "/acme/infra", "/ada", "/grace", "/orgs/acme/teams/finops", "/apps/tollgate"],
      ["/grace", "/acme", "/orgs/acme/teams/finops", "/acme/infra/pull/1"],
      ["/orgs/acme/teams/finops", "/acme", "/grace"],
      ["/apps/tollgate", "/acme/infra"],
    ];
    for (const [address = "", ...expected] of links) {
      const page = await read(address);
      for (const href of expected) expect(page, address).toContain(`href="${href}"`);
    }
    expect((await open("/nobody")).status).toBe(404);
  });

  test("a program that asks for a team's or an App's address gets the API's answer", async () => {
    const { sandbox, asBot } = await openPages();
    sandbox.createTeam({ organisation: "acme", slug: "finops", members: ["grace"] });
    expect((await asBot("GET /orgs/acme/teams/finops")).body.slug).toBe("finops");
    expect((await asBot("GET /apps/tollgate")).body.slug).toBe("tollgate");
  });
});
