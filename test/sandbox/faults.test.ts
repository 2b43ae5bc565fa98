import { expect, test } from "vitest";
import { openLab } from "./lab.ts";

const R = "/repos/acme/infra";

test("a status, a page of HTML and both limits come instead of the answer, as often as said", async () => {
  const { sandbox, clock, asBot } = await openLab();
  sandbox.faults.add({ kind: "status", status: 502, times: 2, match: { method: "GET", path: /\/pulls/ } });
  expect((await asBot(`GET ${R}`)).status).toBe(200);
  expect([(await asBot(`GET ${R}/pulls`)).status, (await asBot(`GET ${R}/pulls`)).status]).toEqual([
    502, 502,
  ]);
  expect((await asBot(`GET ${R}/pulls`)).status).toBe(200);

  sandbox.faults.add({ kind: "html" });
  const unicorn = await asBot(`GET ${R}`);
  expect([unicorn.status, unicorn.headers.get("content-type")]).toEqual([200, "text/html"]);

  sandbox.faults.add({ kind: "secondary-limit", retryAfter: 30 });
  const slow = await asBot(`GET ${R}`);
  expect([slow.status, slow.headers.get("retry-after")]).toEqual([403, "30"]);
  expect(slow.body.message).toMatch(/^You have exceeded a secondary rate limit/);

  sandbox.faults.add({ kind: "primary-limit", resetIn: 90 });
  const spent = await asBot(`GET ${R}`);
  expect([spent.status, spent.headers.get("x-ratelimit-remaining")]).toEqual([403, "0"]);
  expect(Number(spent.headers.get("x-ratelimit-reset"))).toBe(clock.now() / 1000 + 90);

  sandbox.faults.add({ kind: "primary-limit", match: { path: /^\/graphql$/ } });
  const query = await asBot("POST /graphql", { query: "{ __typename }" });
  expect([query.status, query.body.errors[0].type]).toEqual([200, "RATE_LIMITED"]);

  sandbox.faults.add({ kind: "redirect", status: 301, location: "http://127.0.0.1:9/elsewhere" });
  expect((await asBot(`GET ${R}`)).headers.get("location")).toBe("http://127.0.0.1:9/elsewhere");
});

test("a fault can be limited to calls that send a text, which distinguishes GraphQL calls", async () => {
  const { sandbox, asBot } = await openLab();
  sandbox.faults.add({ kind: "status", status: 403, times: 2, match: { body: /viewer/ } });
  expect((await asBot(`GET ${R}`)).status).toBe(200);
  expect((await asBot("POST /graphql", { query: "{ __typename }" })).status).toBe(200);
  expect((await asBot("POST /graphql", { query: "{ viewer { login } }" })).status).toBe(403);
});

test("a reset leaves nothing behind; a lost answer leaves the comment behind", async () => {
  const { sandbox, asBot } = await openLab();
  const pull = sandbox.openPullRequest({ repository: "acme/infra", head: "more", title: "More" });
  const comment = () => asBot(`POST ${R}/issues/1/comments`, { body: "hello" });
  sandbox.faults.add({ kind: "reset", match: { method: "POST" } });
  await expect(comment()).rejects.toThrow();
  expect(sandbox.comments(pull)).toHaveLength(0);
  sandbox.faults.add({ kind: "lost-response-after-write", match: { method: "POST" } });
  await expect(comment()).rejects.toThrow();
  expect(sandbox.comments(pull)).toHaveLength(1);
  expect(sandbox.requests.list({ method: "POST" }).map(({ status }) => status)).toEqual([0, 0]);
});

test("a truncated answer promises its whole body and breaks off in the middle", async () => {
  const { sandbox, asBot, token } = await openLab();
  const whole = (await asBot(`GET ${R}`)).text;
  sandbox.faults.add({ kind: "truncate" });
  const answer = await fetch(sandbox.url + R, { headers: { authorization: `token ${token}` } });
  expect(Number(answer.headers.get("content-length"))).toBe(Buffer.byteLength(whole));
  await expect(answer.text()).rejects.toThrow(/terminated/);
  expect((await asBot(`GET ${R}`)).text).toBe(whole);
});

test("a delayed answer comes late and whole", async () => {
  const { sandbox, asBot } = await openLab();
  sandbox.faults.add({ kind: "delay", ms: 120, times: Number.POSITIVE_INFINITY });
  const started = performance.now();
  expect((await asBot(`GET ${R}`)).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThanOrEqual(119);
  expect(sandbox.requests.list()[0]?.ms).toBeGreaterThanOrEqual(119);
});

test("a fault can be taken back, meant for one installation, and all can be cleared", async () => {
  const { sandbox, asApp, asBot, installationId } = await openLab();
  const takeBack = sandbox.faults.add({ kind: "status", status: 500 });
  takeBack();
  expect((await asBot(`GET ${R}`)).status).toBe(200);
  sandbox.faults.add({ kind: "status", status: 500, match: { installationId }, times: 9 });
  expect((await asApp("GET /app")).status).toBe(200);
  expect((await asBot(`GET ${R}`)).status).toBe(500);
  sandbox.faults.clear();
  expect((await asBot(`GET ${R}`)).status).toBe(200);
});
