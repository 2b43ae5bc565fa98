import { describe, expect, test } from "vitest";
import { openLab } from "./lab.ts";

const repository = "acme/infra";
const PATH = `/${repository}/pull/1`;

/** A pull request of "lin", a required check, and people: "ada" administers, "lin" and "bob" write, "ned" reads, "grace" has no access. */
async function openPage() {
  const lab = await openLab();
  const { sandbox, appId, inbox } = lab;
  for (const [login, permission] of [
    ["lin", "write"],
    ["bob", "write"],
    ["ned", "read"],
  ] as const) {
    sandbox.addMember({ organisation: "acme", login });
    sandbox.setCollaborator({ repository, login, permission });
  }
  const requiredChecks = [{ context: "tollgate: main", appId }];
  sandbox.protectBranch({ repository, branch: "main", requiredChecks });
  const pull = sandbox.openPullRequest({ repository, head: "more", title: "More", author: "lin" });
  const check = { repository, sha: pull.headSha, appId, name: "tollgate: main" };
  await sandbox.deliveries.settled();
  inbox.received.length = 0;
  /** Sends a form as a browser does, following the redirection. */
  const send = async (login: string | null, form: Record<string, string>, origin = sandbox.url) => {
    const cookie = login === null ? "" : `sandbox_github_login=${login}`;
    const body = new URLSearchParams(form);
    const headers = { origin, cookie };
    const answer = await fetch(sandbox.url + PATH, { method: "POST", headers, body, redirect: "manual" });
    return {
      status: answer.status,
      to: answer.headers.get("location"),
      refused: /role="alert">.*<\/svg> (.*)<\/p>/.exec(await answer.text())?.[1],
    };
  };
  const read = async (headers: Record<string, string> = {}) => fetch(sandbox.url + PATH, { headers });
  const sent = async () => {
    await sandbox.deliveries.settled();
    return inbox.received.map(({ event, action }) => `${event}.${action}`);
  };
  return { ...lab, pull, check, send, sent, read };
}

const comment = (body: string, as = "comment") => ({ do: "comment", as, body });

describe("acting on the page of a pull request", () => {
  test("a comment is written in the name of the chosen person, and the page comes back at it", async () => {
    const { sandbox, pull, send, sent } = await openPage();
    const { status, to } = await send("bob", comment("/tollgate help <b>"));
    const [written] = sandbox.comments(pull);
    expect([status, to]).toEqual([303, `${PATH}#issuecomment-${written?.id}`]);
    expect(written).toMatchObject({ body: "/tollgate help <b>", appId: null });
    expect(await sent()).toEqual(["issue_comment.created"]);
  });

  test.each([
    [null, comment("hello"), "Choose who you are first."],
    [
      "grace",
      comment("hello"),
      "grace has no access to acme/infra: on GitHub this page does not exist for them.",
    ],
    ["bob", comment(" "), "body can&#39;t be blank"],
    ["lin", comment("fine", "approved"), "On GitHub nobody reviews their own pull request."],
    ["ned", { do: "merge", method: "merge" }, "ned has read access to acme/infra; this needs write access."],
    ["ned", { do: "close" }, "ned has read access to acme/infra; this needs triage access."],
    ["ned", { do: "rerun", id: "1" }, "ned has read access to acme/infra; this needs write access."],
    ["bob", { do: "rerun", id: "1" }, "The head has no such check any more."],
    [
      "ada",
      { do: "merge", method: "merge" },
      "It cannot be merged now: the required check &quot;tollgate: main&quot; is expected and not reported yet.",
    ],
    ["bob", { do: "reopen" }, "It cannot be reopened."],
    [
      "bob",
      { do: "push", label: "small" },
      "It cannot be pushed: it is unknown, or the pull request is closed.",
    ],
    ["bob", { do: "transfer" }, "The form is incomplete."],
  ])("%s who sends %o is refused in a sentence, and nothing happens", async (login, form, sentence) => {
    const { send, sent } = await openPage();
    expect(await send(login, form as Record<string, string>)).toEqual({
      status: 422,
      to: null,
      refused: sentence,
    });
    expect(await sent()).toEqual([]);
  });

  test("a refused comment stays in its box", async () => {
    const { sandbox } = await openPage();
    const headers = { origin: sandbox.url, cookie: "sandbox_github_login=grace" };
    const body = new URLSearchParams(comment("</textarea>kept"));
    const answer = await fetch(sandbox.url + PATH, { method: "POST", headers, body });
    expect(await answer.text()).toContain("&lt;/textarea&gt;kept</textarea>");
  });

  test.each(["http://127.0.0.1:1", "https://evil.example", "null", ""])(
    "a form that %j sent is refused",
    async (origin) => {
      const { sandbox, pull, send } = await openPage();
      expect(await send("ada", comment("/tollgate help"), origin)).toMatchObject({ status: 403 });
      expect(sandbox.comments(pull)).toEqual([]);
      const body = new URLSearchParams({ login: "ada", to: "/" });
      const choice = await fetch(`${sandbox.url}/-/person`, { method: "POST", headers: { origin }, body });
      expect([choice.status, choice.headers.get("set-cookie")]).toEqual([403, null]);
    },
  );

  test("authors edit and delete their own comments, and nobody else does", async () => {
    const { sandbox, pull, send, read } = await openPage();
    const { id } = sandbox.addComment(pull, { body: "first", by: "bob" });
    const edit = { do: "edit", id: String(id), body: "second" };
    expect(await send("ada", edit)).toMatchObject({ status: 422 });
    expect(await send("bob", edit)).toMatchObject({ status: 303 });
    expect(sandbox.comments(pull)[0]?.body).toBe("second");
    const page = async (login: string) => (await read({ cookie: `sandbox_github_login=${login}` })).text();
    expect([await page("bob"), await page("ada")].map((html) => html.includes("Edit or delete"))).toEqual([
      true,
      false,
    ]);
    expect(await send("bob", { do: "delete", id: String(id) })).toMatchObject({ status: 303 });
    expect(sandbox.comments(pull)).toEqual([]);
  });

  test("reviews, Re-run and an App's button reach the App as GitHub sends them", async () => {
    const { asBot, check, pull, send, sent, inbox } = await openPage();
    const actions = [{ label: "Re-check", description: "Read everything again", identifier: "recheck" }];
    const run = { name: check.name, head_sha: pull.headSha, conclusion: "failure", actions };
    const { body } = await asBot("POST /repos/acme/infra/check-runs", run);
    await sent();
    inbox.received.length = 0;
    await send("bob", comment("Too large", "changes_requested"));
    await send("bob", { do: "rerun", id: String(body.id) });
    await send("bob", { do: "action", id: String(body.id), identifier: "recheck" });
    expect(await send("bob", { do: "action", id: String(body.id), identifier: "other" })).toMatchObject({
      status: 422,
    });
    expect(await sent()).toEqual([
      "pull_request_review.submitted",
      "check_run.rerequested",
      "check_run.requested_action",
    ]);
    expect(inbox.received.map(({ body }) => body["sender"])).toMatchObject(Array(3).fill({ login: "bob" }));
    expect(inbox.received[2]?.body).toMatchObject({ requested_action: { identifier: "recheck" } });
  });

  test("the author closes and reopens with read access; who may write merges when the required check passed", async () => {
    const { sandbox, check, pull, send } = await openPage();
    sandbox.setCollaborator({ repository, login: "lin", permission: "read" });
    for (const [act, state] of [
      ["close", "closed"],
      ["reopen", "open"],
    ] as const) {
      expect(await send("lin", { do: act })).toMatchObject({ status: 303 });
      expect(sandbox.pullRequest(pull).state).toBe(state);
    }
    sandbox.postCheckRun({ ...check, conclusion: "failure" });
    expect(await send("bob", { do: "merge", method: "squash" })).toMatchObject({ status: 422 });
    sandbox.postCheckRun({ ...check, conclusion: "success" });
    expect(await send("bob", { do: "merge", method: "squash" })).toMatchObject({ status: 303 });
    expect(sandbox.pullRequest(pull).mergedAt).not.toBeNull();
  });

  test("a prepared push runs once per press, whoever looks on, until the pull request ends", async () => {
    const { sandbox, pull, send, read } = await openPage();
    const pressed: string[] = [];
    const run = async () => void pressed.push("small");
    sandbox.offerPushes(pull, [{ label: "Push <small>", description: "One zone", run }]);
    expect(await (await read()).text()).toContain("Push &lt;small&gt;");
    expect(await send(null, { do: "push", label: "Push <small>" })).toMatchObject({ status: 303 });
    sandbox.closePullRequest(pull);
    expect(await send(null, { do: "push", label: "Push <small>" })).toMatchObject({ status: 422 });
    expect(pressed).toEqual(["small"]);
  });

  test("the page is asked for again cheaply: it is unchanged until something happens, and another one for another person", async () => {
    const { sandbox, pull, read } = await openPage();
    const version = (await read()).headers.get("etag") ?? "";
    expect((await read({ "if-none-match": version })).status).toBe(304);
    const other = { "if-none-match": version, cookie: "sandbox_github_login=bob" };
    expect((await read(other)).status).toBe(200);
    expect(
      (await fetch(`${sandbox.url}${PATH}/checks`, { headers: { "if-none-match": version } })).status,
    ).toBe(304);
    sandbox.addComment(pull, { body: "news" });
    const changed = await read({ "if-none-match": version });
    expect([changed.status, changed.headers.get("etag") === version]).toEqual([200, false]);
  });

  test("a visitor chooses among the people of the demo, and comes back", async () => {
    const { sandbox, read } = await openPage();
    sandbox.offerPeople({ lin: "author", ada: "administrator" }); // in this order
    const html = await (await read()).text();
    expect([...html.matchAll(/name="login" value="(\w+)"/g)].map(([, login]) => login).slice(0, 2)).toEqual([
      "lin",
      "ada",
    ]);
    expect(html).not.toContain('value="bob"');
    const choose = (to: string) =>
      fetch(`${sandbox.url}/-/person`, {
        ...{ method: "POST", headers: { origin: sandbox.url }, redirect: "manual" },
        body: new URLSearchParams({ login: "lin", to }),
      });
    const answer = await choose(PATH);
    expect(answer.headers.get("location")).toBe(sandbox.url + PATH);
    expect(answer.headers.get("set-cookie")).toBe("sandbox_github_login=lin; Path=/; HttpOnly; SameSite=Lax");
    expect((await choose("//evil.example/")).headers.get("location")).toBe("/");
    const cookie = "sandbox_github_login=bob";
    expect(await (await read({ cookie })).text()).toContain("Choose who you are");
  });
});
