import { afterAll, beforeAll, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { dumpTables } from "../world/dump.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";

const JSON_TYPE = { "content-type": "application/json" };

let world: SimulatedWorld;
let notify = "";
let key = "";
beforeAll(async () => {
  world = await createSimulatedWorld();
  notify = await world.ci.token({ purpose: "notify" });
  key = world.localKey;
});
afterAll(() => world.ends());

const post = (path: string, headers: Record<string, string>, body: string) =>
  world.fetch(`${world.bot.url}${path}`, { method: "POST", headers, body });

it("a notification that dribbles in is given up", async () => {
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("{")) });
  const headers = { ...JSON_TYPE, "x-api-key": notify, "transfer-encoding": "chunked" };
  const init = { method: "POST", headers, body, duplex: "half" } as const;
  expect((await world.fetch(`${world.bot.url}/api/executions`, init)).status).toBe(408);
});

it("a notification must be JSON and say so", async () => {
  const all = { "x-api-key": notify };
  expect((await post("/api/executions", { ...all, "content-type": "text/plain" }, "{}")).status).toBe(415);
  expect((await post("/api/executions", { ...all, "content-type": "application/jsonp" }, "{}")).status).toBe(
    415,
  );
  for (const body of ["", "null", "[]", "{", '"x"', `{"x":${"[".repeat(5000)}`])
    expect((await post("/api/executions", { ...all, ...JSON_TYPE }, body)).status).toBe(400);
});

it("a token of another account is unknown", async () => {
  const { db } = world.bot.session.store;
  await db.updateTable("tokens").set({ account: "other" }).where("id", "=", notify.slice(3, 19)).execute();
  const body = {
    repository: REPOSITORY,
    sha: "a".repeat(40),
    org: OWNER,
    project: NAME,
    pipeline_execution_id: "x",
  };
  expect(
    (await post("/api/executions", { ...JSON_TYPE, "x-api-key": notify }, JSON.stringify(body))).status,
  ).toBe(401);
  await db.updateTable("tokens").set({ account: "acc" }).where("id", "=", notify.slice(3, 19)).execute();
});

const LOCAL = "/tollgate/v1/local";
const NO_TIME = { fromMs: null, toMs: null };

it.each([
  ["create-token", { purpose: "api", repository: null, org: null, project: null }],
  ["list-tokens", {}],
  ["revoke-token", { id: "0123456789abcdef" }],
  ["read-audit", { repository: null, ...NO_TIME }],
  ["read-audit", { repository: REPOSITORY, ...NO_TIME }],
  ["read-evaluation", { repository: REPOSITORY, number: 1 }],
  ["read-recent-names", { repository: null }],
  ["read-recent-names", { repository: REPOSITORY }],
])("%s is there for commands of this machine that know the key, and for nobody else", async (name, input) => {
  const asked = async (headers: Record<string, string>, at = `${LOCAL}/${name}`) => {
    const answer = await post(at, { ...JSON_TYPE, ...headers }, JSON.stringify(input));
    return { status: answer.status, said: await answer.text() };
  };
  expect((await asked({ "x-tollgate-key": key })).status).toBeOneOf([200, 422]);
  const nowhere = await asked({}, "/nowhere");
  expect(nowhere.status).toBe(404);
  for (const wrong of ["", "x", `${key}x`, key.slice(1), `${key.slice(1)}x`, key.toLowerCase()])
    expect(await asked({ "x-tollgate-key": wrong })).toEqual(nowhere);
  expect(await asked({})).toEqual(nowhere);
  expect(await asked({ "x-api-key": key, authorization: `Bearer ${key}` })).toEqual(nowhere);
  for (const header of ["x-forwarded-for", "forwarded", "via", "x-real-ip"])
    expect(await asked({ "x-tollgate-key": key, [header]: "1.2.3.4" })).toEqual(nowhere);
});

it.each([
  ["read-audit", { repository: null, ...NO_TIME, fromMs: "soon" }],
  ["read-audit", { repository: null, ...NO_TIME, since: 1 }],
  ["read-evaluation", {}],
  ["read-evaluation", { repository: REPOSITORY, number: 0 }],
  ["read-recent-names", { number: 1 }],
])("%s does not take %j", async (name, input) => {
  const headers = { ...JSON_TYPE, "x-tollgate-key": key };
  expect((await post(`${LOCAL}/${name}`, headers, JSON.stringify(input))).status).toBe(400);
});

it("an internal failure discloses nothing to the caller", async () => {
  const { db } = world.bot.session.store;
  await db.schema.alterTable("bindings").renameTo("bindings_away").execute();
  const pull = world.opensPullRequest();
  await world.github.deliveries.settled();
  const body = {
    repository: REPOSITORY,
    sha: pull.headSha,
    org: OWNER,
    project: NAME,
    pipeline_execution_id: "x",
  };
  const answer = await post("/api/executions", { ...JSON_TYPE, "x-api-key": notify }, JSON.stringify(body));
  await db.schema.alterTable("bindings_away").renameTo("bindings").execute();
  expect([answer.status, await answer.text()]).toEqual([
    500,
    expect.not.stringMatching(/bindings|insert|sql/i),
  ]);
});

it("reading changes nothing but when a token was last used", async () => {
  const pull = world.opensPullRequest();
  const executionId = await world.ci.runs({
    sha: pull.headSha,
    changes: [{ address: "aws_instance.web", change: "added" }],
  });
  await world.settles();
  const api = await world.ci.token({ purpose: "api" });
  const left = ["public.tokens"];
  const before = await dumpTables(world.bot.session.store, left);
  const at = `/api/orgs/${OWNER}/projects/${NAME}`;
  const stage = `${at}/executions/${executionId}/${executionId}-plan`;
  const paths = [
    "/",
    "/healthz",
    `${at}/executions`,
    `${at}/executions/${executionId}/resource-changes`,
    `${stage}/resource-changes/planned_changes`,
  ];
  for (const path of paths)
    await world.fetch(`${world.bot.url}${path}`, {
      headers: { "x-api-key": api, "platform-account": "acc" },
    });
  for (const [name, input] of [
    ["read-audit", { repository: null, ...NO_TIME }],
    ["read-evaluation", { repository: REPOSITORY, number: pull.number }],
  ] as const) {
    const headers = { ...JSON_TYPE, "x-tollgate-key": key };
    const answer = await post(`${LOCAL}/${name}`, headers, JSON.stringify(input));
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/.../)]);
  }
  expect(await dumpTables(world.bot.session.store, left)).toBe(before);
});
