import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getDeliveryResult, MAX_TRIES } from "../../src/platform-server/webhooks/deliver.ts";
import { openSecret, sealSecret } from "../../src/platform-server/webhooks/headers.ts";
import { createSeal } from "../../src/store/seal.ts";
import { usualEngine } from "../world/engines.ts";
import { servePlatform } from "./platform-world.ts";
import {
  ARTIFACT,
  OPEN_WEBHOOKS,
  openWebhookWorld,
  REGISTRY,
  REGISTRY_REF,
  registryHook,
  repoPath,
} from "./webhooks-world.ts";

const engine = usualEngine();

describe("the meaning of a status", () => {
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const meaning = (result: string) =>
    range(100, 999).filter((status) => getDeliveryResult(status) === result);

  test("of every number", () => {
    expect(meaning("SUCCESS")).toEqual(range(200, 299));
    expect(meaning("RETRIABLE_ERROR")).toEqual([408, 429, 500, ...range(502, 599)]);
    expect(meaning("FATAL_ERROR")).toHaveLength(900 - 100 - 101);
  });
});

describe("a stored secret", () => {
  test("opens for its own account and key only, and not when it was touched", async () => {
    const seal = createSeal("an operator's key that nobody can guess", "webhook secrets");
    const own = { account: "acc-1", seal };
    const sealed = await sealSecret("plain", own);
    expect(await openSecret(sealed, own)).toBe("plain");
    expect(await sealSecret("plain", own)).not.toBe(sealed);
    expect(sealed).not.toContain("plain");
    expect(await openSecret(sealed, { account: "acc-2", seal })).toBeNull();
    const other = { account: "acc-1", seal: createSeal("another key", "webhook secrets") };
    expect(await openSecret(sealed, other)).toBeNull();
    for (const touched of [`${sealed.slice(0, -2)}AA`, "v1.", "", "v2.x", sealed.slice(0, 20)])
      expect(await openSecret(touched, own)).toBeNull();
  });
});

describe("a delivery", async () => {
  const TIMEOUT_MS = 300;
  const world = await openWebhookWorld(engine, { ...OPEN_WEBHOOKS, timeoutMs: TIMEOUT_MS });
  beforeEach(() => world.reset());
  afterAll(() => world.close());

  /** Creates a webhook, emits an event, runs its job once. */
  async function delivered(url = world.receiver.url) {
    const created = await world.call("POST", REGISTRY, { json: registryHook(url) });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    await world.emit({ event: "artifact_created", registry_ref: REGISTRY_REF, payload: ARTIFACT });
    const [run] = await world.work();
    const { body } = await world.call("GET", `${REGISTRY}/hook/executions`);
    return { run, execution: body.data.executions[0], executions: body.data.executions };
  }

  const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end("why");

  test.each([
    [200, "SUCCESS"],
    [307, "FATAL_ERROR"],
    [503, "RETRIABLE_ERROR"],
    [700, "FATAL_ERROR"],
  ])("answered with %i is %s", async (code, result) => {
    world.receiver.answers(status(code));
    const { run, execution } = await delivered();
    expect(execution).toMatchObject({ result, response: { statusCode: code } });
    expect(run).toBe(result === "RETRIABLE_ERROR" ? "again" : "done");
    expect(execution.error).toBe(result === "SUCCESS" ? "" : `the target answered with status ${code}`);
  });

  test("is not led elsewhere by a redirect", async () => {
    world.receiver.answers(
      (response) => void response.writeHead(307, { location: `${world.receiver.url}/secret` }).end(),
    );
    const { execution } = await delivered();
    expect(execution.result).toBe("FATAL_ERROR");
    expect(world.receiver.heard.map(({ path }) => path)).toEqual(["/hook"]);
  });

  test("is tried again a bounded number of times", async () => {
    world.receiver.answers(status(503));
    await delivered();
    expect(await world.workOff()).toBe(MAX_TRIES - 1);
    expect(world.receiver.heard).toHaveLength(MAX_TRIES);
    const { body } = await world.call("GET", `${REGISTRY}/hook/executions`);
    expect(body.data).toMatchObject({ itemCount: MAX_TRIES });
    // An event's own tries have no parent.
    for (const one of body.data.executions) expect(one).not.toHaveProperty("retriggerOf");
  });

  test("that succeeds at its second try ends there, and the queue's repetition does nothing", async () => {
    world.receiver.answers(status(500));
    await delivered();
    const [job] = world.jobs;
    if (job === undefined) throw new Error("the delivery waits for another try");
    world.receiver.answers(status(200));
    expect(await world.work()).toEqual(["done"]);
    world.jobs.push(job);
    expect(await world.work()).toEqual(["done"]);
    expect(world.receiver.heard).toHaveLength(2);
  });

  test("that is not answered in time is fatal", async () => {
    world.receiver.answers(() => {});
    const { run, execution } = await delivered();
    expect(execution).toMatchObject({
      result: "FATAL_ERROR",
      error: `the target did not answer within ${TIMEOUT_MS} ms`,
    });
    expect(execution).not.toHaveProperty("response");
    expect(run).toBe("done");
  });

  test("whose answer breaks off or dries up is worth another try", async () => {
    const broken: ((response: ServerResponse) => void)[] = [
      (response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("half");
        setImmediate(() => response.destroy());
      },
      (response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("half");
      },
    ];
    for (const how of broken) {
      await world.reset();
      world.receiver.answers(how);
      const { run, execution } = await delivered();
      expect(execution).toMatchObject({ result: "RETRIABLE_ERROR", response: { statusCode: 200 } });
      expect(run).toBe("again");
    }
  });

  describe("to a target that", () => {
    let server: Server;
    let treat: (socket: Socket) => void = () => {};
    const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
    beforeAll(async () => {
      server = createServer((socket) => {
        socket.on("error", () => {});
        treat(socket);
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    });
    afterAll(() => void server.close());

    test.each<[string, (socket: Socket) => void]>([
      ["hangs up", (socket) => socket.resetAndDestroy()],
      ["hangs up after the request", (socket) => socket.once("data", () => socket.resetAndDestroy())],
      ["speaks no HTTP", (socket) => socket.end("220 smtp ready\r\n")],
      [
        "switches the protocol",
        (socket) => void socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n"),
      ],
      [
        "has endless headers",
        (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(20_000)}`),
      ],
    ])("%s is fatal", async (_, how) => {
      treat = how;
      const { run, execution } = await delivered(url());
      expect(execution).toMatchObject({ result: "FATAL_ERROR" });
      expect(execution.error).toMatch(
        /^the target (could not be reached \((?!undefined)\w+\)|did not answer within)/,
      );
      expect(run).toBe("done");
    });

    test("does not listen is fatal", async () => {
      const { execution } = await delivered("http://127.0.0.1:1/");
      expect(execution).toMatchObject({
        result: "FATAL_ERROR",
        error: "the target could not be reached (ECONNREFUSED)",
      });
    });
  });

  test("stores 1,024 bytes of an answer's headers and body, and whole characters of them", async () => {
    world.receiver.answers((response) => {
      response.setHeader("x-long", "h".repeat(5000));
      response.end(`${"é".repeat(600)}\u0000`);
    });
    const { execution } = await delivered();
    const { headers, body } = execution.response;
    expect(body).toBe("é".repeat(512));
    expect(Buffer.byteLength(headers)).toBe(1024);
    await world.reset();
    world.receiver.answers((response) => void response.end("a\u0000b"));
    expect((await delivered()).execution.response.body).toBe("a\ufffdb");
    await world.reset();
    // Endless answers are not waited for.
    world.receiver.answers((response) => {
      const more = () => response.write("x".repeat(16_384), () => void (response.destroyed || more()));
      more();
    });
    expect((await delivered()).execution).toMatchObject({ result: "SUCCESS" });
  });

  test("sends our own headers, whatever the extra ones are called", async () => {
    const extraHeaders = [
      { key: "content-type", value: "text/plain" },
      { key: "X-Platform-Webhook-Identifier", value: "another" },
    ];
    await world.call("POST", REGISTRY, { json: registryHook(world.receiver.url, { extraHeaders }) });
    await world.emit({ event: "artifact_deleted", registry_ref: REGISTRY_REF });
    await world.work();
    expect(world.receiver.heard[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "x-platform-webhook-identifier": "hook",
      "x-platform-artifact-registry-trigger": "artifact_deleted",
    });
  });
});

describe("what the operator sets", async () => {
  const world = await openWebhookWorld(engine);
  beforeEach(() => world.reset());
  afterAll(() => world.close());

  const withSecret = { identifier: "hook", secret: "a secret of the hook" };
  const withHeader = { extra_headers: [{ key: "X-Key", value: "hidden", masked: true }] };
  /** The same database with other settings. */
  const restarted = (webhooks: Partial<typeof OPEN_WEBHOOKS>) =>
    servePlatform(world.store, "acc-1", { webhooks: { ...OPEN_WEBHOOKS, ...webhooks } });

  test("without a key nothing secret is taken, and everything else is", async () => {
    const keyless = await restarted({ seal: null });
    const create = (more: object) =>
      keyless.call("POST", repoPath(), { json: { identifier: "hook", url: world.receiver.url, ...more } });
    for (const more of [withSecret, withHeader]) {
      const refused = await create(more);
      expect(refused.status).toBe(412);
      expect(refused.body.message).toContain("TOLLGATE_KEY");
    }
    expect((await create({})).status).toBe(201);
    expect((await keyless.call("PATCH", repoPath("/hook"), { json: { secret: "x" } })).status).toBe(412);
    expect((await keyless.call("PATCH", repoPath("/hook"), { json: { secret: "" } })).status).toBe(200);
    await keyless.close();
  });

  test("with another key a stored secret is not sent, and the record says why", async () => {
    await world.call("POST", repoPath(), { json: { ...withSecret, url: world.receiver.url } });
    await world.emit({ event: "branch_created", repository: "shop", org: "o", project: "p" });
    await world.work();
    const [first] = (await world.call("GET", repoPath("/hook/executions"))).body;
    const rekeyed = await restarted({
      seal: createSeal("quite another key, as long as the first", "webhook secrets"),
    });
    const again = await rekeyed.call("POST", repoPath(`/hook/executions/${first.id}/retrigger`));
    expect(again.body).toMatchObject({
      result: "fatal_error",
      error: "the stored secret cannot be read with this TOLLGATE_KEY",
      retrigger_of: first.id,
    });
    expect(world.receiver.heard).toHaveLength(1);
    await rekeyed.close();
  });

  test("another identity names the headers", async () => {
    const named = await restarted({ identity: "Harness" });
    await named.call("POST", repoPath(), { json: { ...withSecret, url: world.receiver.url } });
    await named.call("POST", "/tollgate/v1/emit", {
      json: { event: "branch_created", repository: "shop", org: "o", project: "p" },
    });
    world.jobs.push(...named.jobs);
    await world.work();
    const [{ id }] = (await named.call("GET", repoPath("/hook/executions"))).body;
    await named.call("POST", repoPath(`/hook/executions/${id}/retrigger`));
    const heard = world.receiver.heard[1]?.headers;
    expect(heard).toMatchObject({ "x-harness-trigger": "branch_created", "user-agent": "Harness/1" });
    expect(heard).toHaveProperty("x-harness-signature");
    await named.close();
  });
});
