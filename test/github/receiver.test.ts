import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../../src/wiring/process/log.ts";
import { casesToTry } from "../world/depth.ts";
import { collectHandlers, opened, type RunningReceiver, SHA, sign, startReceiver } from "./deliveries.ts";

let receiver: RunningReceiver;
const open = async (...options: Parameters<typeof startReceiver>): Promise<RunningReceiver> => {
  receiver = await startReceiver(...options);
  return receiver;
};
afterEach(() => receiver?.close());

const BODY = JSON.stringify(opened());

describe("a delivery", () => {
  it("is verified, reduced to a lane event and answered with 200", async () => {
    const { post, accepted } = await open();
    expect(await post(BODY, { "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958" })).toEqual({
      status: 200,
      text: "ok\n",
    });
    expect(accepted).toEqual([
      {
        id: "72d3162e-cc78-11e3-81ab-4c9367dc0958",
        event: {
          kind: "pull",
          action: "opened",
          installationId: 5,
          repository: { id: 77, owner: "acme", name: "shop" },
          statedMs: null,
          number: 12,
          headSha: SHA,
          before: null,
          stack: null,
          baseRef: "main",
          senderId: null,
        },
      },
    ]);
  });

  it("that cannot be stored is answered with 503, without the reason", async () => {
    const { post, logged } = await open({
      accept: () => Promise.reject(new Error("database at 10.1.2.3 is down")),
    });
    const text = JSON.stringify({ error: "Error: the delivery could not be stored" });
    expect(await post(BODY)).toEqual({ status: 503, text });
    expect(logged).toHaveLength(1);
  });

  it.each(["/", "?x=1", "/?x=1"])("is also accepted at the address followed by %s", async (suffix) => {
    const { url, accepted } = await open();
    const headers = { "content-type": "application/json; charset=utf-8", "x-github-event": "pull_request" };
    const signed = {
      ...headers,
      "x-github-delivery": crypto.randomUUID(),
      "x-hub-signature-256": sign(BODY),
    };
    const response = await fetch(url + suffix, { method: "POST", body: BODY, headers: signed });
    expect([response.status, accepted.length]).toEqual([200, 1]);
  });

  it.each(["/api/github/webhooksx", "/api/github/webhooks/more", "/"])(
    "is none of ours at %s",
    async (path) => {
      const { port } = await open();
      expect((await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST" })).status).toBe(404);
    },
  );

  it("that is not stored within 8 s is refused, before a server of Probot would answer 202", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const handle = collectHandlers({ accept: () => new Promise(() => {}) }).get("pull_request");
    const refused = expect(
      handle?.({ id: crypto.randomUUID(), name: "pull_request", payload: opened() }),
    ).rejects.toMatchObject({
      status: 503,
      message: "the delivery could not be stored",
    });
    await vi.advanceTimersByTimeAsync(8_000);
    await refused;
  });

  it("leaves nothing of itself in the log or in an answer, whatever becomes of it", async () => {
    const lines: string[] = [];
    const log = createLog("trace", { destination: { write: (line) => void lines.push(line) } });
    const { post } = await open(
      { accept: () => Promise.reject(new Error("the database is down")), log },
      {},
      log,
    );
    const body = JSON.stringify(opened({ title: "a canary" }));
    const answers = [
      await post(body),
      await post(body, { "x-hub-signature-256": sign(body, "another secret of good length") }),
      await post(`${body} a canary`),
      await post('"a canary"'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 400, 400, 400]);
    expect(JSON.stringify([answers, lines])).not.toContain("canary");
    expect(lines).toHaveLength(1); // what could not be stored
  });
});

describe("a signature", () => {
  const good = sign(BODY);
  it.each([
    ["missing", ""],
    ["empty", "sha256="],
    ["of the old kind", good.replace("sha256", "sha1")],
    ["a digit short", good.slice(0, -1)],
    ["a digit long", `${good}0`],
    ["in upper case", good.toUpperCase()],
    ["doubled", `${good}, ${good}`],
    ["with another secret", sign(BODY, "another secret of good length")],
    ["of another body", sign(`${BODY} `)],
  ])("that is %s is refused", async (_how, signature) => {
    const { post, accepted } = await open();
    const answer = await post(BODY, { "x-hub-signature-256": signature });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain(SHA);
    expect(accepted).toEqual([]);
  });
});

describe("a request that is not a delivery", () => {
  it.each([
    ["GET", 404],
    ["PUT", 404],
  ])("by %s gets %i", async (method, status) => {
    const { url } = await open();
    expect((await fetch(url, { method })).status).toBe(status);
  });

  it.each([
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["without an id", { "x-github-delivery": "" }, 400],
    ["with an id of another shape", { "x-github-delivery": "'; drop table" }, 400],
  ])("%s is refused", async (_what, headers, status) => {
    const { post, accepted } = await open();
    expect((await post(BODY, headers)).status).toBe(status);
    expect(accepted).toEqual([]);
  });

  it.each([
    "",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "error",
    "*",
    "fork",
    "x".repeat(8000),
  ])("of the event %.20s stores nothing, and the receiver goes on", async (event) => {
    const { post, accepted } = await open();
    await post(BODY, { "x-github-event": event });
    expect(accepted).toEqual([]);
    expect((await post(BODY)).status).toBe(200);
  });

  it.each(["{", "", "\u0000", "{'a':1}"])("signed text %j is 400", async (body) => {
    const { post } = await open();
    expect((await post(body)).status).toBe(400);
  });

  it.each([
    "[]",
    "{}",
    "[".repeat(100_000) + "]".repeat(100_000),
    JSON.stringify(opened({ number: 0 })),
    BODY.replace('"number":12', '"number":1e400'),
    JSON.stringify(opened({ installation: undefined })),
    JSON.stringify(opened({ repository: null })),
    `{"__proto__":${BODY}}`,
  ])("signed JSON of another shape is ignored: %.40s", async (body) => {
    const { post, accepted } = await open();
    expect(await post(body)).toEqual({ status: 200, text: "ok\n" });
    expect(accepted).toEqual([]);
  });

  it.each(["null", '"x"', "7", "false"])("signed JSON that is no object is refused: %s", async (body) => {
    const { post, accepted } = await open();
    expect((await post(body)).status).toBeGreaterThanOrEqual(400);
    expect(accepted).toEqual([]);
  });

  it("invalid UTF-8 in a signed body harms nothing", async () => {
    const { post, accepted } = await open();
    const bytes = Buffer.concat([Buffer.from(BODY.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]);
    expect((await post(bytes)).status).toBe(400);
    expect(accepted).toEqual([]);
  });

  it("of a duplicate JSON member the last one counts, as for GitHub", async () => {
    const { post, accepted } = await open();
    await post(`{"installation":{"id":1},${BODY.slice(1)}`);
    expect(accepted[0]?.event).toMatchObject({ installationId: 5 });
  });

  it("random headers and bodies neither crash the receiver nor are accepted", async () => {
    const { post, accepted } = await open();
    const header = fc.string({ unit: "grapheme-ascii", maxLength: 80 }).map((text) => text.trim());
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), header, header, async (body, event, signature) => {
        const headers = { "x-github-event": event, "x-hub-signature-256": signature };
        expect((await post(body, headers)).status).toBe(400);
      }),
      { numRuns: casesToTry({ usual: 20, deep: 300 }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.json(),
        fc.constantFrom("push", "status", "check_run", "installation"),
        async (body, event) => {
          expect([200, 400, 500]).toContain((await post(body, { "x-github-event": event })).status);
        },
      ),
      { numRuns: casesToTry({ usual: 20, deep: 200 }) },
    );
    expect(accepted).toEqual([]);
  });
});

describe("a body", () => {
  it("of 24 MB with a valid signature is accepted", async () => {
    const { post, accepted } = await open();
    const big = JSON.stringify(opened({ filler: "x".repeat(24_000_000) }));
    expect((await post(big)).status).toBe(200);
    expect(accepted).toHaveLength(1);
  });

  it("with a stated length above the limit is refused before a byte is read", async () => {
    const { port } = await open();
    expect(await talk(port, headOf("Content-Length: 209715200"))).toMatch(/^HTTP\/1.1 413 /);
  });

  it("of 100 MB without a stated length is cut off, and memory stays bounded", async () => {
    const { port } = await open({}, { lingerMs: 60_000 });
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const sent = await flood(port, CHUNKED, 100 * 1024 * 1024);
    expect(sent.answer).toMatch(/^HTTP\/1.1 413 /);
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(90);
    expect(receiver.logged.join("").length).toBeLessThan(1024);
  });

  it("above the limit is discarded to its end, so that the sender reads why it was refused", async () => {
    const { port } = await open({}, { maxBytes: 64 * 1024, lingerMs: 60_000 });
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const answers = Array.from({ length: 5 }, () => sendThenRead(port, CHUNKED, chunk));
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it("that never ends times out, while others are served", async () => {
    const { port, post } = await open({}, { bodyTimeoutMs: 300 });
    const stalled = Array.from({ length: 200 }, () => talk(port, `${headOf("Content-Length: 9")}{`));
    expect((await post(BODY)).status).toBe(200);
    const answers = await Promise.all(stalled);
    expect(answers.every((answer) => answer.startsWith("HTTP/1.1 408 "))).toBe(true);
  });

  it("that stalls is dropped for newer ones when memory runs out, the oldest first", async () => {
    const { port, post } = await open({}, { maxBytes: 1000, bodyTimeoutMs: 500 });
    const statuses: string[] = [];
    const held = Array.from({ length: 5 }, async () => {
      const answer = await talk(port, `${CHUNKED}384\r\n${"x".repeat(900)}\r\n`);
      statuses.push(answer.slice(9, 12));
    });
    expect((await post(BODY)).status).toBe(200);
    await Promise.all(held);
    expect(statuses).toEqual(["503", "503", "408", "408", "408"]);
  });
});

describe("memory", () => {
  it("of a body is released after it was read", async () => {
    const { post } = await open({}, { maxBytes: 1000 });
    const answers = [];
    for (let count = 0; count < 20; count += 1) answers.push((await post(BODY)).status);
    expect(new Set(answers)).toEqual(new Set([200]));
  });
});

const SIGNED = `X-Hub-Signature-256: sha256=${"0".repeat(64)}\r\nX-GitHub-Event: push\r\nX-GitHub-Delivery: a\r\n`;

/** The head of a delivery's request, with how its body's length is told. */
const headOf = (length: string): string =>
  `POST /api/github/webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n${SIGNED}\r\n`;
const CHUNKED = headOf("Transfer-Encoding: chunked");

/** Sends raw bytes and collects the answer until the other side closes. */
function talk(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => undefined).on("close", () => resolve(answer));
  });
}

/** Sends a piece 200 times, waiting for nothing, and looks for the answer only then. */
function sendThenRead(port: number, head: string, piece: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1").pause();
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => undefined).on("close", () => resolve(answer));
    const send = (left: number): void => {
      if (left > 0) socket.write(piece, () => send(left - 1));
      else socket.end("0\r\n\r\n", () => socket.resume());
    };
    socket.write(head, () => send(200));
  });
}

async function flood(port: number, head: string, bytes: number): Promise<{ answer: string }> {
  let answer = "";
  const socket = connect(port, "127.0.0.1");
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  const closed = new Promise<void>((resolve) =>
    socket.on("error", () => undefined).on("close", () => resolve()),
  );
  socket.write(head);
  const chunk = Buffer.alloc(64 * 1024, "x");
  for (let sent = 0; sent < bytes && !socket.destroyed && answer === ""; sent += chunk.length) {
    socket.write(`${chunk.length.toString(16)}\r\n`);
    socket.write(chunk);
    if (!socket.write("\r\n"))
      await Promise.race([new Promise((r) => socket.once("drain", r)), closed, sleep(1000)]);
  }
  socket.end();
  await closed;
  return { answer };
}
