import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { request as ask } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { type HttpServer, startHttpServer } from "../../src/wiring/process/http-server.ts";
import { opened, serveEvents, sign } from "../github/deliveries.ts";

const PATH = "/api/github/webhooks";
/** GitHub's address, or that of an unknown proxy in front of everybody, and a stranger's: loopback has many. */
const [GITHUB, STRANGER] = ["127.0.0.1", "127.0.0.2"];
const MEGABYTE = 1_000_000;
/** The largest body that is taken. In bytes. */
const LARGEST = 25 * 1024 * 1024;

let server: HttpServer;
let sockets: Socket[] = [];

async function serve(): Promise<void> {
  // So that no delivery is answered because held bodies have ended.
  const handlers = await serveEvents({}, { bodyTimeoutMs: 600_000 });
  server = await startHttpServer({ port: 0, host: "127.0.0.1", handlers, app: new Hono() });
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.close();
});

const head = (length: number, id: number): string =>
  [
    `POST ${PATH} HTTP/1.1`,
    "Host: x",
    "Content-Type: application/json",
    `Content-Length: ${length}`,
    `X-Hub-Signature-256: sha256=${"0".repeat(64)}`,
    "X-GitHub-Event: push",
    `X-GitHub-Delivery: ${id}`,
    "\r\n",
  ].join("\r\n");

/** What hostile clients send before they hold the connection open. */
const HOLDS = {
  "half a header": (id: number) => [head(100, id).slice(0, 60)],
  "the first byte of a body": (id: number) => [head(5_000, id), "{"],
  "a large Content-Length and nothing else": (id: number) => [head(25 * MEGABYTE, id)],
  "most of a small body": (id: number) => [head(100_000, id), "x".repeat(99_000)],
  "all but a byte of 25 MiB": (id: number) => [head(LARGEST, id), BULK],
} as const;
const BULK = Buffer.alloc(LARGEST - 1, "x");

async function holdOpen(count: number, localAddress: string, hold: keyof typeof HOLDS): Promise<void> {
  const { port } = server;
  const sent = Array.from({ length: count }, (_, id) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    sockets.push(socket);
    socket.on("error", () => undefined).resume();
    return new Promise<void>((resolve) => {
      socket.on("close", () => resolve());
      const parts = HOLDS[hold](id);
      for (const part of parts.slice(0, -1)) socket.write(part);
      socket.write(parts.at(-1) ?? "", () => resolve());
    });
  });
  await Promise.all(sent);
}

/** Sends a signed delivery on a connection of its own. */
async function deliver(bytes: number): Promise<number> {
  const filler = "x".repeat(bytes);
  const body = JSON.stringify(opened({ filler }));
  const { statusCode, body: answer } = await ask(`http://127.0.0.1:${server.port}${PATH}`, {
    method: "POST",
    body,
    reset: true,
    headers: {
      "content-type": "application/json",
      "x-github-event": "pull_request",
      "x-github-delivery": crypto.randomUUID(),
      "x-hub-signature-256": sign(body),
    },
  });
  await answer.dump();
  return statusCode;
}

/** Small deliveries, and a large one, which needs the memory that bodies held open take. */
async function expectDeliveries(): Promise<void> {
  for (const bytes of [5_000, 5_000, 5_000, 4 * MEGABYTE])
    expect([bytes, await deliver(bytes)]).toEqual([bytes, 200]);
}

describe("signed deliveries are answered", () => {
  it.each([
    { count: 12, from: GITHUB, hold: "all but a byte of 25 MiB" },
    { count: 1_000, from: GITHUB, hold: "the first byte of a body" },
    { count: 1_000, from: GITHUB, hold: "a large Content-Length and nothing else" },
    { count: 2_500, from: STRANGER, hold: "most of a small body" },
    { count: 2_500, from: STRANGER, hold: "half a header" },
  ] as const)("while $count sockets of $from stay open after $hold", async ({ count, from, hold }) => {
    await serve();
    await holdOpen(count, from, hold);
    await expectDeliveries();
  });
});
