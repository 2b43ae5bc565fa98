import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createToken } from "../../src/store/tokens.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";
import type { Visitor } from "../world/visitor.ts";

const POLICY = "version: 1\nrules:\n  - id: monthly-increase\n    limit: { increase: 100 USD }\n";

/** One bot, whose pages many people read. `test/pages` has what the pages show. */
let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({
    policy: POLICY,
    operator: () => ({ admins: { teams: ["acme/platform"] } }),
  });
  world.github.createTeam({ organisation: "acme", slug: "platform", members: ["root"] });
  await world.opensPlanned();
});
afterEach(() => world.github.faults.clear());
afterAll(() => world.ends());

describe("the page of a pull request", () => {
  /** A blocked pull request, and the path of the page to which its check leads. */
  async function blockedPull() {
    const pull = await world.opensPlanned(EXPENSIVE, { title: "Double the database" });
    return { pull, path: new URL(world.checkOf(pull).detailsUrl ?? "").pathname };
  }

  test("Details of the check leads its readers to the page of the pull request, in the comment's words", async () => {
    const { pull, path } = await blockedPull();
    expect(path).toBe(`/r/${REPOSITORY}/pull/${pull.number}`);
    const html = await (await world.signsIn("ada")).reads(path);
    expect(html).toContain("<bdi>Double the database</bdi>");
    const { title } = world.checkOf(pull).output;
    expect(html).toContain(`<span>${title?.replaceAll("\u2060", "")}</span>`);
  });

  test("it names the actions that a plan invokes and what it leaves to a later one", async () => {
    const pull = world.opensPullRequest();
    const deferred = [{ address: "aws_db_instance.later", change: "deleted" as const }];
    const invocations = ["action.aws_lambda_invoke.run"];
    await world.ci.runs({ sha: pull.headSha, cost: EXPENSIVE, changes: [], deferred, invocations });
    await world.settles();
    const path = new URL(world.checkOf(pull).detailsUrl ?? "").pathname;
    const html = await (await world.signsIn("ada")).reads(path);
    expect(html).toContain("<code>action.aws_lambda_invoke.run</code> at <code>AfterCreate</code>");
    expect(html).toContain("deleted <code>aws_db_instance.later</code>");
  });

  test("the comment links the page, whose older evaluations keep their addresses", async () => {
    const { pull, path } = await blockedPull();
    const [comment] = world.github.comments(pull);
    expect(comment?.body).toContain(`[All details](${world.settings.publicUrl}${path})`);
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/main.tf": "#2\n" } });
    await world.plans(world.github.pullRequest(pull));
    const ada = await world.signsIn("ada");
    const html = await ada.reads(`${path}?view=history`);
    const [older] = html.match(/\/r\/[^"]*\/evaluations\/\d+/) ?? [];
    expect(await ada.reads(older ?? "")).toContain("This is an earlier evaluation");
  });
});

test("a person tries a policy, and nobody does so without a form of their session", async () => {
  const page = "/r/acme/shop/policy";
  const pull = await world.opensPlanned();
  const ada = await world.signsIn("ada");
  expect(await ada.reads(page)).toContain("limit: { increase: 100 USD }");

  const policy = POLICY.replace("100", "0.01");
  const form = { policy, form_token: await ada.findFormToken(page) };
  const headers = { "transfer-encoding": "chunked" }; // as some proxies send on what they received
  const tried = await ada.opens(page, { method: "POST", form, headers });
  expect(await tried.text()).toMatch(
    /Of \d+ pull requests of the last 90 days, <strong>[1-9]\d* would have another outcome<\/strong>/,
  );
  expect(world.gate(pull)).toBe("success");

  expect((await ada.opens(page, { method: "POST", form: { policy } })).status).toBe(403);
  const elsewhere = { origin: "https://elsewhere.test" };
  expect((await ada.opens(page, { method: "POST", form, headers: elsewhere })).status).toBe(403);
});

test("a policy that was edited while the session ended is tried after signing in again, from the pages that refused it", async () => {
  const page = "/r/acme/shop/policy";
  const ada = await world.signsIn("ada");
  const policy = `${POLICY}# edited\n`;
  const form = { policy, form_token: await ada.findFormToken(page) };
  const posts = (form_token: string) => ada.opens(page, { method: "POST", form: { policy, form_token } });
  const readFormToken = (html: string): string => /name="form_token" value="([^"]*)"/.exec(html)?.[1] ?? "";
  await ada.signsOut();
  const ended = await posts(form.form_token);
  expect(ended.status).toBe(401);
  expect(await ended.text()).toContain("# edited\n</textarea>");

  await ada.signsIn("ada");
  const stale = await posts(form.form_token);
  const html = await stale.text();
  expect(stale.status).toBe(403);
  expect(html).toContain("# edited\n</textarea>");
  expect(html).not.toContain(form.form_token);
  expect(await (await posts(readFormToken(html))).text()).toContain("This policy is valid");

  const elsewhere = { origin: "https://elsewhere.test" };
  const foreign = await ada.opens(page, { method: "POST", form, headers: elsewhere });
  expect(foreign.status).toBe(403);
  expect(await foreign.text()).not.toContain("edited");
  const other = await ada.opens("/operator/evaluate", { method: "POST", form });
  expect(await other.text()).toMatch(/^This form is not from a page of your session/);
});

test("an admin sees the deliveries of the day and has a pull request evaluated again; another member sees nothing", async () => {
  const pull = await world.opensPlanned();
  const root = await world.signsIn("root");
  const html = await root.reads("/operator");
  expect(html).toContain(`href="/r/acme/shop/pull/${pull.number}"`);
  expect(html).toContain("done");

  const form = { pull: `acme/shop#${pull.number}`, form_token: await root.findFormToken("/operator") };
  const asked = await root.opens("/operator/evaluate", { method: "POST", form });
  expect(asked.headers.get("location")).toBe("/operator?done=evaluate");
  const installation = /<option value="(\d+)">acme<\/option>/.exec(html)?.[1] ?? "";
  world.github.requests.clear();
  const sweep = () => root.opens("/operator/sweep", { method: "POST", form: { ...form, installation } });
  for (const swept of await Promise.all([sweep(), sweep()]))
    expect(swept.headers.get("location")).toBe("/operator?done=sweep");
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  // Who asks while the installation is swept starts no second sweep.
  expect(world.github.requests.count({ path: /^\/installation\/repositories/ })).toBe(1);

  const { form_token: _, ...without } = form;
  expect((await root.opens("/operator/evaluate", { method: "POST", form: without })).status).toBe(403);
  const grace = await world.signsIn("grace");
  expect((await grace.opens("/operator")).status).toBe(404);
});

describe("the API for reading", () => {
  const PULLS = "/api/v1/pulls";

  test("a read token reads the pull requests of its repository; a wrong one, or one for another purpose, reads nothing", async () => {
    const pull = await world.opensPlanned();
    const { store, clock } = world.bot.session;
    const account = world.settings.platform.account;
    const make = (repositoryId: number) =>
      createToken(store.db, { purpose: "read", account, repositoryId, ownerId: null }, clock);
    const mine = await make(pull.repositoryId);
    const others = await make(pull.repositoryId + 1_000);
    const api = await createToken(store.db, { purpose: "api", account }, clock);
    const ask = (secret: string, path = PULLS) =>
      world.visits().opens(path, { headers: { authorization: `Bearer ${secret}` } });

    expect(await (await ask(mine.secret)).json()).toContainEqual(
      expect.objectContaining({ repository: "acme/shop", number: pull.number, outcome: "pass" }),
    );
    expect(await (await ask(others.secret)).json()).toEqual([]);
    expect((await ask(others.secret, `${PULLS}?repository=acme/shop`)).status).toBe(404);
    for (const secret of [api.secret, `${mine.secret}x`, ""]) expect((await ask(secret)).status).toBe(401);
    expect((await ask(mine.secret, "/operator")).status).toBe(404);
  });

  test("a person reads the API with their session, and a stranger reads nothing of the repository", async () => {
    const one = "/api/v1/repositories/acme/shop/pulls/1/evaluations/latest";
    const ada = await world.signsIn("ada");
    expect(await (await ada.opens(one)).json()).toMatchObject({ number: 1, verdict: "pass" });
    const stranger = await world.signsIn("uma", "stranger");
    expect((await stranger.opens(one)).status).toBe(404);
    expect(await (await stranger.opens(PULLS)).json()).toEqual([]);
    expect((await world.visits().opens("/api/v1/openapi.json")).status).toBe(200);
  });
});

const HIDDEN = [
  "/r/acme/shop/pull/1",
  "/r/acme/shop",
  "/r/acme/shop?format=csv",
  "/r/acme/shop/policy",
  "/r/acme/shop/rules",
  "/r/acme/shop/rules/monthly-increase",
  "/r/acme/shop/merged",
  "/r/acme/shop/merged?format=csv&table=teams",
  "/r/acme/shop/decisions",
  "/r/acme/shop/decisions?format=csv",
  "/r/acme/shop/decisions/chain.jsonl",
  "/r/acme/none",
  "/o/acme",
  "/o/acme/decisions",
  "/o/acme/merged",
  "/o/acme/rules/monthly-increase",
  "/operator",
];

/** What an answer says, without what differs from one to the next. */
async function answerOf(visitor: Visitor, path: string): Promise<object> {
  const answer = await visitor.opens(path);
  const text = (await answer.text()).replaceAll(/name="form_token" value="[^"]*"/g, "");
  return { status: answer.status, text, headers: { ...Object.fromEntries(answer.headers), date: "" } };
}

const elsewhere = (path: string): string =>
  path.replace("acme", "nowhere").replace("/operator", "/operator/nowhere");

describe("a reader learns nothing of what GitHub hides from them:", () => {
  test("a page of a repository that they may not read answers like one that does not exist", async () => {
    const eve = await world.signsIn("eve", "stranger");
    for (const path of HIDDEN) {
      const answer = await answerOf(eve, path);
      expect([path, answer]).toEqual([path, { ...(await answerOf(eve, elsewhere(path))), status: 404 }]);
    }
  });

  test("while GitHub is silent, both answer the same too", async () => {
    const mallory = await world.signsIn("mallory", "stranger");
    world.github.faults.add({
      kind: "status",
      status: 502,
      match: { path: /^\/(user|repos|repositories)\// },
      times: Number.POSITIVE_INFINITY,
    });
    for (const path of [
      "/r/acme/shop",
      "/r/acme/shop/pull/1",
      "/r/acme/shop/policy",
      "/o/acme",
      "/api/v1/pulls?repository=acme/shop",
      "/api/v1/repositories/acme/shop/pulls/1/evaluations",
    ])
      expect([path, await answerOf(mallory, path)]).toEqual([path, await answerOf(mallory, elsewhere(path))]);
  });

  test("GitHub is asked as often for a repository that does not exist as for one that they may not read", async () => {
    const oscar = await world.signsIn("oscar", "stranger");
    const countQuestions = async (path: string): Promise<number> => {
      const before = world.github.requests.count();
      await oscar.opens(path);
      return world.github.requests.count() - before;
    };
    expect(await countQuestions("/r/acme/shop")).toBe(1);
    expect(await countQuestions("/r/nowhere/shop")).toBe(1);
    expect(await countQuestions("/r/Nowhere/shop/rules")).toBe(0);
    expect(await countQuestions("/r/acme/shop/rules")).toBe(0);
  });

  test("who is not signed in is answered the same for every path", async () => {
    const nobody = world.visits();
    for (const path of ["/r/acme/shop/pull/1", "/r/acme/shop/pull/999", "/o/nowhere", "/operator"]) {
      const answer = await nobody.opens(path);
      expect([answer.status, await answer.text()]).toEqual([302, ""]);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
    }
  });
});

test("no text in an address makes a page or the API fail", async () => {
  const ada = await world.signsIn("ada");
  const failed: string[] = [];
  for (const path of [
    "/r/acme/shop?text=%00",
    "/r/acme/shop?stage=a%00b",
    "/r/ac%00me/shop",
    "/o/%00",
    "/r/acme/shop/decisions?person=%00",
    "/r/acme/shop/decisions?from=0000-01-01",
    "/r/acme/shop/decisions?to=9999-12-31",
    "/r/acme/shop/decisions?rule=(%5B%5C%7B**",
    "/r/acme/shop?text=%F0%9F%92%A9%E2%80%AE%25_",
    "/r/acme/shop?pulls_page=999999999",
    "/r/acme/shop/pull/1/evaluations/999999999999999",
    "/api/v1/pulls?text=%00",
    "/api/v1/repositories?owner=%00",
    "/api/v1/repositories/acme/%00/pulls/1/evaluations",
    "/api/v1/repositories/acme/shop/pulls/1/evaluations/9007199254740991",
    "/api/v1/pulls?after=999999999999999-999999999",
    "/api/v1/decisions?from=0000-01-01T00:00:00Z",
    "/api/v1/decisions?to=9999-12-31T23:59:59.999Z",
    "/api/v1/decisions?before=9007199254740991",
    "/api/v1/decisions?before=00000000-0000-4000-8000-000000000000",
    "/r/acme/shop/decisions?before=00000000-0000-4000-8000-000000000000",
  ]) {
    const { status } = await ada.opens(path);
    if (status >= 500) failed.push(`${status} ${path}`);
  }
  expect(failed).toEqual([]);
});

test("refusals too are kept by nobody and guessed by no browser", async () => {
  const ada = await world.signsIn("ada");
  const refusals = [
    await ada.opens("/r/acme/shop?text=%00"),
    await ada.opens("/sign-out", { method: "POST", form: {} }),
    await ada.opens("/sign-out", { method: "POST", form: {}, headers: { origin: "https://evil.example" } }),
    await ada.opens("/r/acme/shop/policy", { method: "POST", form: { policy: "x".repeat(300_000) } }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 403, 403, 413]);
  for (const { headers } of refusals)
    expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
      "private, no-store",
      "nosniff",
    ]);
});
