import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import type { GitHubResult } from "../../src/github/client/result.ts";
import { SELF_SIGNED } from "../platform-server/webhooks-certificate.ts";
import {
  clientOn,
  createCheck,
  INSTALLATION,
  json,
  readRepository,
  type Stub,
  startStub,
  testApp,
} from "./github.ts";

let stub: Stub;
let evil: Stub;
let client: InstallationClient;
let respond: (response: ServerResponse, path: string) => void;

beforeEach(async () => {
  stub = await startStub((response, { path }) => respond(response, path));
  evil = await startStub((response) => json(response, 200, { id: 666 }));
  client = testApp(stub.url, 400).app.installation(INSTALLATION);
});
afterEach(() => Promise.all([stub.close(), evil.close()]));

const kind = (answer: GitHubResult<unknown>): string => (answer.ok ? "ok" : answer.failure.kind);
const JSON_TYPE = { "content-type": "application/json" };

describe("a server that misbehaves", () => {
  it.each<[string, (response: ServerResponse) => void, string, number]>([
    ["never answers", () => undefined, "timed_out", 1],
    ["stops in the middle", (response) => void halfOf(response), "timed_out", 1],
    ["breaks the connection", (response) => void response.destroy(), "unavailable", 3],
    ["breaks off inside a body", (response) => breakOff(response), "unavailable", 3],
    ["sends nothing", (response) => void response.writeHead(200, JSON_TYPE).end(), "malformed", 1],
    ["sends a page", (response) => void pageOf(response), "malformed", 1],
  ])("and %s is given up in time", async (...[, behaviour, expected, tries]) => {
    respond = behaviour;
    expect(kind(await readRepository(client))).toBe(expected);
    expect(stub.received).toHaveLength(tries);
  });

  it("and sends a decompression bomb is cut off", async () => {
    const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024));
    respond = (response) =>
      void response.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" }).end(bomb);
    const roomy = testApp(stub.url).app.installation(INSTALLATION);
    const before = process.memoryUsage().rss;
    expect(kind(await readRepository(roomy))).toBe("too_large");
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(200);
  });

  it("and answers a write too slowly leaves its result unknown, sent once", async () => {
    respond = () => undefined;
    const write = createCheck(client);
    expect(await write).toMatchObject({ ok: false, failure: { kind: "timed_out" } });
    expect(stub.received).toHaveLength(1);
  });
});

describe("a connection that fails", () => {
  const fails = async (code: string) => {
    const cause = Object.assign(new Error(`connect to ghe.acme.example: ${code}`), { code });
    const read = await readRepository(
      clientOn(() => Promise.reject(new TypeError("fetch failed", { cause }))),
    );
    return read.ok ? "no failure" : read.failure.message;
  };

  it.each<[string, RegExp]>([
    ["ENOTFOUND", /host name is not known: check GHE_HOST and the name server/],
    ["EAI_AGAIN", /host name is not known/],
    ["ECONNREFUSED", /no connection to GitHub: check GHE_HOST, and the firewall or proxy/],
    ["EHOSTUNREACH", /no connection/],
    ["ENETUNREACH", /no connection/],
    ["ETIMEDOUT", /no connection/],
    ["UND_ERR_CONNECT_TIMEOUT", /no connection/],
    ["ECONNRESET", /closed without an answer/],
    ["EPIPE", /closed without an answer/],
    ["UND_ERR_SOCKET", /closed without an answer/],
    [
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      /not trusted: name the file of its certificate authority in NODE_EXTRA_CA/,
    ],
    ["SELF_SIGNED_CERT_IN_CHAIN", /not trusted/],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /not trusted/],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /not trusted/],
    ["CERT_HAS_EXPIRED", /not valid now: it has to be renewed, or the clock of this machine is wrong/],
    ["CERT_NOT_YET_VALID", /not valid now/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /for another host: check GHE_HOST, and the proxy on the way/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", /speaks no TLS: check GHE_HOST and GHE_PROTOCOL/],
    ["ERR_SSL_PACKET_LENGTH_TOO_LONG", /speaks no TLS/],
    ["EWHATEVER", /^the connection to GitHub failed/],
  ])("by %s says why and what to check, and names no host", async (code, reason) => {
    const message = await fails(code);
    expect(message).toMatch(reason);
    expect(message).toContain(`(${code})`);
    expect(message).not.toContain("acme");
  });

  it("because nobody vouches for the server's certificate says so", async () => {
    const server = createServer(SELF_SIGNED, (_, response) => json(response, 200, { id: 1 }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const secure = testApp(`https://127.0.0.1:${port}`).app.installation(INSTALLATION);
    expect(await readRepository(secure)).toMatchObject({
      failure: { kind: "unavailable", message: expect.stringContaining("certificate is not trusted") },
    });
  });
});

describe("another host", () => {
  it.each([301, 302, 303, 307, 308])("is not called after a %i, and gets no token", async (status) => {
    respond = (response) =>
      void response.writeHead(status, { location: `${evil.url}/repos/acme/shop` }).end();
    expect(kind(await readRepository(client))).toBe("moved");
    const write = await createCheck(client);
    expect(write.ok).toBe(false);
    expect(evil.received).toEqual([]);
  });

  it("is not called because a name resolves to it", async () => {
    respond = (response) => json(response, 200, { id: 1 });
    await readRepository(client, { owner: `..//${evil.url}`, repo: "@evil/../../x?y#z" });
    expect(evil.received).toEqual([]);
    expect(stub.received[0]?.path).toMatch(/^\/repos\/[^/?#]+\/[^/?#]+$/);
  });

  it("named in a link to the next page is not called", async () => {
    respond = (response) =>
      response.writeHead(200, { ...JSON_TYPE, link: `<${evil.url}/x?page=2>; rel="next"` }).end('{"id":1}');
    expect(kind(await readRepository(client))).toBe("ok");
    expect(evil.received).toEqual([]);
  });
});

const pageOf = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/html" }).end("<html>");
const halfOf = (response: ServerResponse) => response.writeHead(200, JSON_TYPE).write('{"id"');

function breakOff(response: ServerResponse): void {
  response
    .writeHead(200, { ...JSON_TYPE, "content-length": "100" })
    .write('{"id":1', () => response.destroy());
}
