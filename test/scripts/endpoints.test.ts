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

it.each([
  ["POST", "/tollgate/v1/tokens"],
  ["DELETE", "/tollgate/v1/tokens/0123456789abcdef"],
  ["GET", "/tollgate/v1/audit"],
  ["GET", "/tollgate/v1/audit?repository=acme/shop&from=0"],
  ["GET", "/tollgate/v1/evaluation?repository=acme/shop&number=1"],
  ["GET", "/tollgate/v1/recent-names"],
  ["GET", "/tollgate/v1/recent-names?repository=acme/shop"],
])(
  "%s %s is there for commands of this machine that know the key, and for nobody else",
  async (method, path) => {
    const made = JSON.stringify({ purpose: "api", repository: null, org: null, project: null });
    const asked = async (headers: Record<string, string>, at = path) => {
      const body = method === "POST" ? { body: made } : {};
      const answer = await world.fetch(`${world.bot.url}${at}`, {
        method,
        headers: { ...JSON_TYPE, ...headers },
        ...body,
      });
      return { status: answer.status, said: await answer.text() };
    };
    expect((await asked({ "x-tollgate-key": key })).status).not.toBe(404);
    const nowhere = await asked({}, "/nowhere");
    expect(nowhere.status).toBe(404);
    for (const wrong of ["", "x", `${key}x`, key.slice(1), `${key.slice(1)}x`, key.toLowerCase()])
      expect(await asked({ "x-tollgate-key": wrong })).toEqual(nowhere);
    expect(await asked({})).toEqual(nowhere);
    expect(await asked({ "x-api-key": key, authorization: `Bearer ${key}` })).toEqual(nowhere);
    for (const name of ["x-forwarded-for", "forwarded", "via", "x-real-ip"])
      expect(await asked({ "x-tollgate-key": key, [name]: "1.2.3.4" })).toEqual(nowhere);
  },
);

it.each([
  "/tollgate/v1/audit?from=soon",
  "/tollgate/v1/audit?since=1",
  "/tollgate/v1/audit?to=1e9",
  "/tollgate/v1/evaluation",
  "/tollgate/v1/evaluation?repository=acme/shop&number=0",
  "/tollgate/v1/evaluation?repository=acme/shop&number=1&more=1",
  "/tollgate/v1/recent-names?number=1",
])("%s is no question", async (path) => {
  const headers = { "x-tollgate-key": key };
  expect((await world.fetch(`${world.bot.url}${path}`, { headers })).status).toBe(400);
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
  const local = [
    "/tollgate/v1/audit",
    `/tollgate/v1/evaluation?repository=${REPOSITORY}&number=${pull.number}`,
  ];
  for (const path of local) {
    const answer = await world.fetch(`${world.bot.url}${path}`, { headers: { "x-tollgate-key": key } });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/.../)]);
  }
  expect(await dumpTables(world.bot.session.store, left)).toBe(before);
});
