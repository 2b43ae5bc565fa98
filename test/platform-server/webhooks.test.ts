import { createHmac } from "node:crypto";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { CODE_TRIGGERS } from "../../src/platform/contract/shapes/webhook-shapes.ts";
import { usualEngines } from "../world/engines.ts";
import { servePlatform } from "./platform-world.ts";
import {
  ARTIFACT,
  openWebhookWorld,
  REGISTRY,
  REGISTRY_REF,
  registryHook,
  repoPath,
  spacePath,
} from "./webhooks-world.ts";

const SECRET = "s3cr3t-of-the-repository";
const MASKED = "Bearer masked-value-of-a-header";
const CREATED = { event: "artifact_created", registry_ref: REGISTRY_REF, payload: ARTIFACT };
const PUSHED = { event: "branch_updated", repository: "shop", org: "o", project: "p" };
const hmac = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("hex");

describe.each(usualEngines())("webhooks ($name)", async (engine) => {
  const world = await openWebhookWorld(engine);
  afterEach(() => world.reset());
  afterAll(() => world.close());

  const createRegistryHook = (more: object = {}) =>
    world.call("POST", REGISTRY, { json: registryHook(world.receiver.url, more) });
  const createRepoHook = (more: object = {}) =>
    world.call("POST", repoPath(), { json: { identifier: "hook", url: world.receiver.url, ...more } });
  const registryExecutions = async (hook = "hook") =>
    (await world.call("GET", `${REGISTRY}/${hook}/executions`)).body.data.executions;

  test("of a registry: created, delivered, recorded", async () => {
    const created = await createRegistryHook({ description: "tells", triggers: ["ARTIFACT_CREATION"] });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      status: "SUCCESS",
      data: { identifier: "hook", triggers: ["ARTIFACT_CREATION"], version: 0, createdAt: "1767225600000" },
    });
    expect(created.body.data).not.toHaveProperty("latestExecutionResult");

    expect(await world.emit(CREATED)).toEqual({ status: 202, queued: 1 });
    expect(world.receiver.heard).toEqual([]);
    expect(await world.work()).toEqual(["done"]);

    const [heard] = world.receiver.heard;
    expect(heard?.headers).toMatchObject({
      "user-agent": "Platform/1",
      "content-type": "application/json",
      "x-platform-artifact-registry-trigger": "artifact_created",
      "x-platform-webhook-parent-type": "registry",
      "x-platform-webhook-identifier": "hook",
      "x-platform-webhook-uid": "hook",
    });
    expect(heard?.headers).not.toHaveProperty("x-platform-signature");
    expect(JSON.parse(heard?.body ?? "")).toMatchObject({
      trigger: "artifact_created",
      registry: { name: "images", description: "", url: "" },
      principal: { type: "serviceaccount" },
      ...ARTIFACT,
    });

    const [execution] = await registryExecutions();
    expect(execution).toMatchObject({
      created: 1767225600000,
      result: "SUCCESS",
      error: "",
      retriggerable: true,
      triggerType: "ARTIFACT_CREATION",
      request: { url: world.receiver.url, body: heard?.body },
      response: { status: "200 OK", statusCode: 200, body: "ok" },
    });
    expect(execution.duration).toBeGreaterThan(0);
    expect(execution.request.headers).toContain("X-Platform-Webhook-Identifier: hook\n");
    const one = await world.call("GET", `${REGISTRY}/hook/executions/${execution.id}`);
    expect(one.body).toEqual({ data: execution, status: "SUCCESS" });
    const hook = await world.call("GET", `${REGISTRY}/hook`);
    expect(hook.body.data.latestExecutionResult).toBe("SUCCESS");
  });

  test("of a repository are signed, and show no secret header", async () => {
    const created = await createRepoHook({
      secret: SECRET,
      extra_headers: [
        { key: "Authorization", value: MASKED, masked: true },
        { key: "X-Team", value: "infra" },
      ],
    });
    expect(created.body).toMatchObject({
      has_secret: true,
      parent_type: "repo",
      scope: 0,
      enabled: true,
      extra_headers: [
        { key: "Authorization", value: "******", masked: true },
        { key: "X-Team", value: "infra", masked: false },
      ],
    });
    // A target that quotes what it was sent.
    world.receiver.answers((response, { headers }) => {
      response.setHeader("x-echo", `${headers.authorization}`);
      response.end(`${headers.authorization} ${SECRET}`);
    });
    await world.emit({ ...PUSHED, payload: { sha: "abc", ref: { name: "refs/heads/main" } } });
    await world.work();

    const [heard] = world.receiver.heard;
    expect(heard?.headers).toMatchObject({
      authorization: MASKED,
      "x-team": "infra",
      "x-platform-trigger": "branch_updated",
      "x-platform-signature": hmac(SECRET, heard?.body ?? ""),
    });
    expect(JSON.parse(heard?.body ?? "")).toMatchObject({
      trigger: "branch_updated",
      repo: { identifier: "shop", path: "o/p/shop" },
      sha: "abc",
    });
    const executions = await world.call("GET", repoPath("/hook/executions"));
    const [execution] = executions.body;
    expect(execution).toMatchObject({ result: "success", trigger_type: "branch_updated" });
    expect(execution.request.headers).toContain("Authorization: ******\n");
  });

  test("of a registry are signed with the secret that the operator configured under its name", async () => {
    await createRegistryHook({ secretIdentifier: "signing", secretSpacePath: "acc-1/o", secretSpaceId: 7 });
    await world.emit(CREATED);
    await world.work();
    const [heard] = world.receiver.heard;
    expect(heard?.headers["x-platform-signature"]).toBe(
      hmac("the value of a named secret", heard?.body ?? ""),
    );
    const hook = await world.call("GET", `${REGISTRY}/hook`);
    expect(hook.body.data).toMatchObject({ secretIdentifier: "signing", secretSpaceId: 7 });
  });

  test("that are to be signed are not sent unsigned", async () => {
    await createRegistryHook({ secretIdentifier: "nobody-knows" });
    await world.emit(CREATED);
    expect(await world.work()).toEqual(["done"]);
    expect(world.receiver.heard).toEqual([]);
    const [execution] = await registryExecutions();
    expect(execution).toMatchObject({ result: "FATAL_ERROR", duration: 0 });
    expect(execution.error).toContain("nobody-knows");
    expect(execution).not.toHaveProperty("response");
  });

  test("go again when they are retriggered: at once, to where the webhook points now, with a parent", async () => {
    await createRegistryHook();
    world.receiver.answers((response) => void response.writeHead(400).end("no"));
    await world.emit(CREATED);
    await world.work();
    const [first] = await registryExecutions();
    expect(first).toMatchObject({ result: "FATAL_ERROR", response: { status: "400 Bad Request" } });

    const url = `${world.receiver.url}/elsewhere`;
    await world.call("PUT", `${REGISTRY}/hook`, { json: registryHook(url, { enabled: false }) });
    world.receiver.answers((response) => void response.end());
    const again = await world.call("GET", `${REGISTRY}/hook/executions/${first.id}/retrigger`);
    expect(again.status).toBe(200);
    expect(again.body.data).toMatchObject({
      result: "SUCCESS",
      retriggerOf: first.id,
      triggerType: "ARTIFACT_CREATION",
    });
    expect(world.receiver.heard.map(({ path }) => path)).toEqual(["/hook", "/hook/elsewhere"]);
    expect(world.receiver.heard[1]?.body).toBe(world.receiver.heard[0]?.body);
    expect(world.jobs).toEqual([]);
    const hook = await world.call("GET", `${REGISTRY}/hook`);
    expect(hook.body.data).toMatchObject({ latestExecutionResult: "SUCCESS", version: 1, url });
    expect((await registryExecutions()).map(({ id }: { id: number }) => id)).toEqual([
      again.body.data.id,
      first.id,
    ]);
  });

  test("receive only the events that they ask for, and none while they are disabled", async () => {
    await createRegistryHook({ identifier: "all" });
    await createRegistryHook({ identifier: "created", triggers: ["ARTIFACT_CREATION"] });
    await createRegistryHook({ identifier: "deleted", triggers: ["ARTIFACT_DELETION"] });
    await createRegistryHook({ identifier: "off", enabled: false });
    const emitted = await world.call("POST", "/tollgate/v1/emit", { json: CREATED });
    expect(
      emitted.body.deliveries.map((one: { webhook_identifier: string }) => one.webhook_identifier),
    ).toEqual(["all", "created"]);
    // Disabled after the event, before its delivery: not sent either.
    await world.call("PUT", `${REGISTRY}/all`, {
      json: registryHook(world.receiver.url, { identifier: "all", enabled: false }),
    });
    expect(await world.work()).toEqual(["done", "done"]);
    expect(world.receiver.heard.map(({ headers }) => headers["x-platform-webhook-identifier"])).toEqual([
      "created",
    ]);
  });

  test("without triggers receive every event", async () => {
    await createRegistryHook();
    await createRepoHook();
    for (const event of CODE_TRIGGERS) {
      const isOfRegistry = event.startsWith("artifact_");
      const place = isOfRegistry ? CREATED : { ...PUSHED, payload: {} };
      expect([event, await world.emit({ ...place, event })]).toEqual([event, { status: 202, queued: 1 }]);
    }
    await world.workOff();
    expect(world.receiver.heard).toHaveLength(CODE_TRIGGERS.length);
  });

  test("of spaces hear of the repositories in them, and of no others", async () => {
    const space = (identifier: string, query: string) =>
      world.call("POST", spacePath("", query), { json: { identifier, url: world.receiver.url } });
    const scopes = [];
    for (const [identifier, query] of [
      ["account", "accountIdentifier=acc-1"],
      ["org", "accountIdentifier=acc-1&orgIdentifier=o"],
      ["project", "accountIdentifier=acc-1&orgIdentifier=o&projectIdentifier=p"],
      ["other-project", "accountIdentifier=acc-1&orgIdentifier=o&projectIdentifier=q"],
      ["other-org", "accountIdentifier=acc-1&orgIdentifier=x"],
    ] as const) {
      const { body } = await space(identifier, query);
      scopes.push(body.scope);
      expect(body.parent_type).toBe("space");
    }
    expect(scopes).toEqual([1, 2, 3, 3, 2]);
    await createRepoHook({ identifier: "repo" });
    await world.emit(PUSHED);
    await world.workOff();
    const told = world.receiver.heard.map(({ headers }) => headers["x-platform-webhook-identifier"]);
    expect(told.sort()).toEqual(["account", "org", "project", "repo"]);
    // The same identifier in another scope is another webhook.
    expect((await world.call("GET", spacePath("/repo"))).status).toBe(404);
    expect((await world.call("GET", repoPath("/project"))).status).toBe(404);
    expect((await world.call("GET", spacePath("/project", "accountIdentifier=acc-1"))).status).toBe(404);
  });

  test("are not found by the numbers of another account, and hear of none of its events", async () => {
    const other = await servePlatform(world.store, "acc-2", { webhooks: world.webhooks });
    const query = "accountIdentifier=acc-2&orgIdentifier=o&projectIdentifier=p";
    const { body: mine } = await createRepoHook();
    await other.call("POST", repoPath("", query), {
      json: { identifier: "hook", url: `${world.receiver.url}/theirs` },
    });
    expect((await other.call("GET", repoPath(`/${mine.id}`, query))).status).toBe(404);
    await other.call("POST", "/tollgate/v1/emit", { json: PUSHED });
    expect(other.jobs).toMatchObject([{ account: "acc-2" }]);
    world.jobs.push(...other.jobs);
    await world.work();
    expect(world.receiver.heard.map(({ path }) => path)).toEqual(["/hook/theirs"]);
    const [execution] = (await other.call("GET", repoPath("/hook/executions", query))).body;
    expect((await world.call("GET", repoPath(`/hook/executions/${execution.id}`))).status).toBe(404);
    await other.close();
  });

  test("are changed member by member: what is left out stays, `******` leaves a value unchanged, an empty secret goes", async () => {
    const headers = [{ key: "X-Key", value: "kept-value", masked: true }];
    const { body: created } = await createRepoHook({
      secret: SECRET,
      extra_headers: headers,
      triggers: ["tag_created"],
    });
    const patch = (json: object) => world.call("PATCH", repoPath(`/${created.id}`), { json });
    expect((await patch({ display_name: "Renamed" })).body).toMatchObject({
      display_name: "Renamed",
      identifier: "hook",
      triggers: ["tag_created"],
      has_secret: true,
      version: 1,
    });
    await patch({ extra_headers: [{ key: "x-key", value: "******", masked: true }], triggers: [] });
    await world.emit(PUSHED);
    await world.work();
    expect(world.receiver.heard[0]?.headers).toMatchObject({ "x-key": "kept-value" });
    // Unmasking would show it.
    expect((await patch({ extra_headers: [{ key: "X-Key", value: "******" }] })).status).toBe(400);
    expect((await patch({ secret: "" })).body).toMatchObject({ has_secret: false, version: 3 });
    await world.emit(PUSHED);
    await world.work();
    expect(world.receiver.heard[1]?.headers).not.toHaveProperty("x-platform-signature");
    // Both of two changes at once last.
    const both = await Promise.all([patch({ description: "one" }), patch({ enabled: false })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await world.call("GET", repoPath("/hook"))).body).toMatchObject({
      description: "one",
      enabled: false,
      version: 5,
    });
  });

  test("have one identifier each", async () => {
    await createRegistryHook();
    const twice = await createRegistryHook();
    expect(twice.status).toBe(400);
    expect(twice.body.message).toContain("already");
    const [a, b] = await Promise.all([createRepoHook(), createRepoHook()]);
    expect([a.status, b.status].sort()).toEqual([201, 400]);
    await createRepoHook({ identifier: "second" });
    const renamed = await world.call("PATCH", repoPath("/second"), { json: { identifier: "hook" } });
    expect(renamed.status).toBe(400);
  });

  test("go away with all that was sent", async () => {
    const { body } = await createRepoHook();
    await world.emit(PUSHED);
    await world.work();
    await world.emit(PUSHED);
    expect((await world.call("DELETE", repoPath("/hook"))).status).toBe(204);
    expect(await world.work()).toEqual(["done"]);
    expect(world.receiver.heard).toHaveLength(1);
    for (const rest of ["/hook", `/${body.id}`, "/hook/executions"])
      expect((await world.call("GET", repoPath(rest))).status).toBe(404);
    const left = await world.store.db.selectFrom("platform_hook_executions").selectAll().execute();
    expect(left).toEqual([]);
    expect((await createRepoHook()).status).toBe(201);
  });

  test("come in pages that both header families number", async () => {
    for (const identifier of ["b", "c", "a"]) await createRepoHook({ identifier });
    const page = await world.call(
      "GET",
      repoPath("", "accountIdentifier=acc-1&orgIdentifier=o&projectIdentifier=p&limit=2&order=asc"),
    );
    expect(page.body.map((one: { identifier: string }) => one.identifier)).toEqual(["a", "b"]);
    const names = [
      "x-total-elements",
      "x-page-number",
      "x-page-size",
      "x-total",
      "x-page",
      "x-per-page",
      "x-next-page",
      "x-total-pages",
    ];
    expect(names.map((name) => page.headers.get(name))).toEqual(["3", "1", "2", "3", "1", "2", "2", "2"]);
    for (const identifier of ["r1", "R2", "other"]) await createRegistryHook({ identifier });
    const listed = await world.call(
      "GET",
      `${REGISTRY}?page=2&size=1&search_term=R&sort_field=identifier&sort_order=asc`,
    );
    expect(listed.body.data).toMatchObject({ itemCount: 3, pageCount: 3, pageIndex: 2, pageSize: 1 });
    expect(listed.body.data.webhooks.map((one: { identifier: string }) => one.identifier)).toEqual(["other"]);
  });
});
