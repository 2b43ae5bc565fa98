import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Resolve } from "../../src/platform-server/area/target-guard.ts";
import { createTargetGuard, isPublicAddress } from "../../src/platform-server/area/target-guard.ts";
import { usualEngine } from "../world/engines.ts";
import { SELF_SIGNED } from "./webhooks-certificate.ts";
import {
  OPEN_WEBHOOKS,
  openWebhookWorld,
  REGISTRY,
  REGISTRY_REF,
  registryHook,
  repoPath,
  type WebhookWorld,
} from "./webhooks-world.ts";

/** Hosts as they may be written in a URL; none of them is public. */
const FORBIDDEN = `
  127.0.0.1 127.1 127.255.255.254 2130706433 0x7f000001 0x7f.0.0.1 017700000001 0177.0.0.1 ①②⑦.0.0.1
  localhost LOCALHOST localhost. a.b.localhost 0.0.0.0 0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1
  100.127.255.255 169.254.169.254 0xa9fea9fe 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1
  192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.250 240.0.0.1
  255.255.255.255 [::] [::1] [0:0:0:0:0:0:0:1] [::127.0.0.1] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [::ffff:10.0.0.1] [::ffff:8.8.8.8] [::ffff:0:7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::a00:1]
  [64:ff9b::808:808] [64:ff9b:1::1] [100::1] [2001::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:10::1]
  [2001:db8::1] [2002:7f00:1::1] [2002:a00:1::] [3fff::1] [5f00::1] [fc00::1] [fd12:3456::1] [fe80::1]
  [fec0::1] [ff02::1]`
  .trim()
  .split(/\s+/);

const PUBLIC = `
  93.184.216.34 1.1.1.1 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 192.0.1.1 198.20.0.1
  223.255.255.255 [2606:4700::1111] [2a00:1450::1] hooks.example.com localhost.example.com`
  .trim()
  .split(/\s+/);

describe("a target", () => {
  const strict = createTargetGuard([]);

  test.each(FORBIDDEN)("%s is refused when a webhook is made", (host) => {
    expect(URL.canParse(`http://${host}/`)).toBe(true);
    expect(strict.refusal(`http://${host}/hook`)).toContain("may not reach");
    expect(strict.refusal(`https://${host}:8443/`)).toContain("may not reach");
  });

  test.each(PUBLIC)("%s may be one", (host) => {
    expect(strict.refusal(`https://${host}/hook`)).toBeNull();
  });

  test.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "//example.com/",
    "example.com",
    "http://",
    "http://user@example.com/",
    "http://user:password@example.com/",
    "http://:password@example.com/",
    "http://[fe80::1%25eth0]/",
    " http://example.com/",
    "http://example.com\t/",
    "http://example.com/\r\nx: y",
    "http://example.com/a b",
    "http://example.com/\ud800",
  ])("%j is none", (url) => {
    expect(strict.refusal(url)).not.toBeNull();
  });

  test("that is no address is not public", () => {
    for (const text of ["", "example.com", "1.2.3", "fe80::1%eth0", "::1%lo"])
      expect(isPublicAddress(text)).toBe(false);
  });

  test("may be allowed by the operator: an address, a network, a name, names under a name", () => {
    const guard = createTargetGuard([
      "10.0.0.0/8",
      "192.168.1.4",
      "fd00::/8",
      "Hooks.internal",
      "*.corp.example",
    ]);
    for (const host of ["10.1.2.3", "192.168.1.4", "[fd12::1]", "hooks.internal", "a.b.corp.example"])
      expect(guard.refusal(`http://${host}/`), host).toBeNull();
    for (const host of ["192.168.1.5", "[fe80::1]", "127.0.0.1", "localhost"])
      expect(guard.refusal(`http://${host}/`), host).not.toBeNull();
    // What a name resolves to.
    expect(guard.permits("example.com", "10.9.9.9")).toBe(true);
    expect(guard.permits("example.com", "172.16.0.1")).toBe(false);
    expect(guard.permits("hooks.internal", "172.16.0.1")).toBe(true);
    expect(guard.permits("x.hooks.internal", "172.16.0.1")).toBe(false);
    expect(guard.permits("x.corp.example", "127.0.0.1")).toBe(true);
    expect(guard.permits("corp.example", "127.0.0.1")).toBe(false);
    expect(guard.permits("evilcorp.example", "127.0.0.1")).toBe(false);
  });
});

describe("a name", () => {
  let answers: string[][] = [];
  const asked: string[] = [];
  const resolve: Resolve = (host, _options, done) => {
    asked.push(host);
    const addresses = answers.length > 1 ? answers.shift() : answers[0];
    if (addresses === undefined) done(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
    else
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
  };
  let world: WebhookWorld;
  beforeAll(async () => {
    // Nothing listens on 127.0.0.2; it stands for a public address.
    const guard = createTargetGuard(["allowed.example", "127.0.0.2"]);
    world = await openWebhookWorld(usualEngine(), { ...OPEN_WEBHOOKS, guard, resolve, timeoutMs: 2_000 });
  });
  afterEach(async () => {
    asked.length = 0;
    await world.reset();
  });
  afterAll(() => world.close());

  async function deliveredTo(host: string) {
    const url = `http://${host}:${world.receiver.port}/hook`;
    const created = await world.call("POST", REGISTRY, { json: registryHook(url) });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    await world.emit({ event: "artifact_created", registry_ref: REGISTRY_REF });
    await world.work();
    const { body } = await world.call("GET", `${REGISTRY}/hook/executions`);
    return body.data.executions[0];
  }
  const REFUSED = { result: "FATAL_ERROR", error: "the url leads to an address that webhooks may not reach" };

  test.each([
    ["loopback", ["127.0.0.1"]],
    ["a private network", ["10.0.0.1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["IPv6 loopback", ["::1"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["public and private addresses", ["93.184.216.34", "127.0.0.1"]],
    ["private and public addresses", ["127.0.0.1", "93.184.216.34"]],
  ])("that leads to %s is not called", async (_, addresses) => {
    answers = [addresses];
    const execution = await deliveredTo("rebind.example");
    expect(execution).toMatchObject(REFUSED);
    expect(JSON.stringify(execution)).not.toContain(addresses[0]);
    expect(world.receiver.heard).toEqual([]);
  });

  test("that resolves differently between lookup and connection gains nothing: it is resolved once", async () => {
    answers = [["127.0.0.2"], ["127.0.0.1"]];
    const execution = await deliveredTo("rebind.example");
    expect(asked).toEqual(["rebind.example"]);
    expect(world.receiver.heard).toEqual([]);
    expect(execution).toMatchObject({ error: "the target could not be reached (ECONNREFUSED)" });
    // The next delivery looks again, and judges again.
    await world.call("GET", `${REGISTRY}/hook/executions/${execution.id}/retrigger`);
    expect(asked).toEqual(["rebind.example", "rebind.example"]);
    expect(world.receiver.heard).toEqual([]);
  });

  test("that the operator allows is called wherever it leads", async () => {
    answers = [["127.0.0.1"]];
    expect(await deliveredTo("allowed.example")).toMatchObject({ result: "SUCCESS" });
    expect(world.receiver.heard[0]?.headers.host).toBe(`allowed.example:${world.receiver.port}`);
  });

  test("that nobody knows is fatal", async () => {
    answers = [];
    expect(await deliveredTo("nobody.example")).toMatchObject({
      result: "FATAL_ERROR",
      error: "the target could not be reached (ENOTFOUND)",
    });
  });

  test("or address that may not be reached is refused by every operation", async () => {
    const json = { identifier: "hook", url: "http://127.0.0.1:1/" };
    expect((await world.call("POST", repoPath(), { json })).status).toBe(400);
    expect((await world.call("POST", REGISTRY, { json: registryHook(json.url) })).status).toBe(400);
    await world.call("POST", repoPath(), { json: { ...json, url: "https://hooks.example.com" } });
    for (const url of [json.url, "http://localhost/", "https://a:b@example.com/", "ftp://example.com/"])
      expect((await world.call("PATCH", repoPath("/hook"), { json: { url } })).status).toBe(400);
    // Stored by other means, it is not called either.
    await world.store.db
      .updateTable("platform_hooks")
      .set({ url: `http://[::ffff:127.0.0.1]:${world.receiver.port}/` })
      .execute();
    await world.emit({ event: "tag_created", repository: "shop", org: "o", project: "p" });
    await world.work();
    const [execution] = (await world.call("GET", repoPath("/hook/executions"))).body;
    expect(execution).toMatchObject({ ...REFUSED, result: "fatal_error" });
  });

  test("is verified by its certificate, unless the webhook is `insecure`", async () => {
    const target = createServer(SELF_SIGNED, (_, response) => void response.end("over TLS"));
    target.listen(0, "127.0.0.1");
    await once(target, "listening");
    const { port } = target.address() as AddressInfo; // it listens on a port
    answers = [["127.0.0.1"]];
    const url = `https://allowed.example:${port}/`;
    await world.call("POST", REGISTRY, { json: registryHook(url) });
    await world.emit({ event: "artifact_created", registry_ref: REGISTRY_REF });
    await world.work();
    const [execution] = (await world.call("GET", `${REGISTRY}/hook/executions`)).body.data.executions;
    expect(execution).toMatchObject({ result: "FATAL_ERROR" });
    expect(execution.error).toMatch(/SELF_SIGNED|ALTNAME/);
    await world.call("PUT", `${REGISTRY}/hook`, { json: registryHook(url, { insecure: true }) });
    const again = await world.call("GET", `${REGISTRY}/hook/executions/${execution.id}/retrigger`);
    expect(again.body.data).toMatchObject({ result: "SUCCESS", response: { body: "over TLS" } });
    target.close();
  });
});
