import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { PlatformClient, PlatformLimits } from "../../src/platform/client.ts";
import { ingest } from "../../src/platform/contract/own-operations.ts";
import { getPushDisabled } from "../../src/platform/contract/settings.ts";
import { eventually } from "../world/eventually.ts";
import { createRig } from "./client-for-test.ts";
import { type Loopback, serveHttp, serveTcp } from "./loopback.ts";

const params = { org: "acme", project: "shop" };
const ANSWER = '{"disabled":true}';
const ingestBody = {
  ...params,
  pipeline_execution_id: "e",
  pipeline_stage_id: "s",
  status: "success",
} as const;

const opened: { readonly servers: Loopback[]; readonly clients: PlatformClient[] } = {
  servers: [],
  clients: [],
};

async function world(server: Promise<Loopback>, limits: Partial<PlatformLimits> = {}, scheme = "http") {
  const running = await server;
  const { client, pauses } = createRig(`${scheme}://127.0.0.1:${running.port}`, { limits });
  opened.servers.push(running);
  opened.clients.push(client);
  return { server: running, client, pauses, read: () => client.call(getPushDisabled, { params }) };
}

const json = (response: ServerResponse, body = ANSWER) =>
  response.writeHead(200, { "content-type": "application/json" }).end(body);

/** Answers in turn as told; the last one stays. */
const inTurn = (...answers: RequestListener[]): RequestListener => {
  let turn = 0;
  return (request, response) => {
    const answer = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    answer?.(request, response);
  };
};

afterEach(async () => {
  await Promise.all(opened.clients.splice(0).map((client) => client.close()));
  await Promise.all(opened.servers.splice(0).map((server) => server.stop()));
});

describe("time-outs", () => {
  test("a connection that never stands", async () => {
    const silent = serveTcp(() => undefined); // accepts, and never answers the TLS greeting
    const { read } = await world(silent, { connectMs: 150 }, "https");
    expect(await read()).toMatchObject({
      failure: { kind: "timed_out", status: null, code: "UND_ERR_CONNECT_TIMEOUT" },
    });
  });

  test("no head of an answer", async () => {
    const { read, pauses } = await world(
      serveHttp(() => undefined),
      { headersMs: 150 },
    );
    expect(await read()).toMatchObject({
      failure: { kind: "timed_out", status: null, message: "settings disabled: no answer within 150 ms" },
    });
    expect(pauses).toEqual([]);
  });

  test("a body that stops in the middle", async () => {
    const stalls = serveHttp((_, response) => void response.writeHead(200).write('{"disa'));
    const { read } = await world(stalls, { bodyMs: 150 });
    expect(await read()).toMatchObject({
      failure: { kind: "timed_out", message: "settings disabled: nothing more of the answer within 150 ms" },
    });
  });

  test("a body that drips and never ends: no piece is late, the whole is", async () => {
    let drip: NodeJS.Timeout | undefined;
    const drips = serveHttp((_, response) => {
      response.writeHead(200);
      drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    const { read } = await world(drips, { bodyMs: 10_000, totalMs: 400 });
    expect(await read()).toMatchObject({
      failure: { kind: "timed_out", message: "settings disabled: no complete answer within 400 ms" },
    });
  });

  test("a slow body whose pieces are in time is read to its end", async () => {
    const slow = serveHttp((_, response) => {
      response.writeHead(200);
      const pieces = [...ANSWER];
      const drip = setInterval(() => {
        const piece = pieces.shift();
        if (piece !== undefined) return response.write(piece);
        clearInterval(drip);
        return response.end();
      }, 100);
    });
    const { read } = await world(slow, { bodyMs: 1_200 }); // the whole takes longer than one piece may
    expect(await read()).toMatchObject({ ok: true, value: { disabled: true } });
  });

  test("what timed out leaves no connection behind", async () => {
    const { read, server } = await world(
      serveHttp(() => undefined),
      { headersMs: 100 },
    );
    await read();
    await eventually(() => expect(server.open()).toBe(0));
  });
});

describe("broken connections", () => {
  test("a read whose connection is reset is repeated", async () => {
    const flaky = serveHttp(
      inTurn(
        (request) => request.socket.resetAndDestroy(),
        (_, response) => json(response),
      ),
    );
    const { read, pauses } = await world(flaky);
    expect(await read()).toMatchObject({ ok: true });
    expect(pauses).toEqual([125]);
  });

  test("a read whose answer breaks off is repeated", async () => {
    const broken: RequestListener = (request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{", () => request.socket.destroy());
    };
    const { read, pauses } = await world(serveHttp(inTurn(broken, (_, response) => json(response))));
    expect(await read()).toMatchObject({ ok: true });
    expect(pauses).toEqual([125]);
  });

  test("a write whose connection is reset is not", async () => {
    let requests = 0;
    const resets = serveHttp((request) => {
      requests += 1;
      request.socket.resetAndDestroy();
    });
    const { client } = await world(resets);
    const outcome = await client.call(ingest, { body: ingestBody });
    expect(outcome).toMatchObject({ failure: { kind: "unavailable", status: null } });
    expect(requests).toBe(1);
  });

  test("nobody listens", async () => {
    const { server, read, pauses } = await world(serveHttp(() => undefined));
    await server.stop();
    opened.servers.splice(0);
    expect(await read()).toMatchObject({
      failure: { kind: "unavailable", status: null, code: "ECONNREFUSED" },
    });
    expect(pauses).toHaveLength(3);
  });

  test("what does not speak HTTP is malformed", async () => {
    const other = serveTcp((socket) => {
      socket.on("data", () => socket.end("220 mail ready\r\n"));
    });
    expect(await (await world(other)).read()).toMatchObject({ failure: { kind: "malformed", status: null } });
  });

  test("a head without end is malformed", async () => {
    const endless = serveTcp((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`);
    });
    expect(await (await world(endless)).read()).toMatchObject({ failure: { kind: "malformed" } });
  });

  test("a closed client answers with a failure too", async () => {
    const { client, read } = await world(serveHttp((_, response) => json(response)));
    await client.close();
    expect(await read()).toMatchObject({ failure: { kind: "unavailable" } });
    opened.clients.splice(0);
  });
});

describe("connections", () => {
  test("they stay open and are used again, after refusals too", async () => {
    const answers = inTurn(
      (_, response) => response.writeHead(404).end("{}"),
      (_, response) => json(response),
    );
    const { read, server } = await world(serveHttp(answers));
    for (let i = 0; i < 20; i += 1) await read();
    expect(server.connections()).toBeLessThanOrEqual(2); // the pool may open a second while the first is being put back
  });

  test("no more stand side by side than allowed", async () => {
    const { read, server } = await world(
      serveHttp((_, response) => setImmediate(json, response)),
      { connections: 3 },
    );
    const outcomes = await Promise.all(Array.from({ length: 30 }, read));
    expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
    expect(server.connections()).toBeLessThanOrEqual(3);
  });
});

describe("size", () => {
  const body = (bytes: number) => `{"disabled":true${" ".repeat(bytes - ANSWER.length)}}`;

  test.each([
    [1000, true],
    [1001, false],
  ])("an answer of %d bytes under a limit of 1000: %s", async (bytes, ok) => {
    const stated = serveHttp((_, response) => json(response, body(bytes)));
    const outcome = await (await world(stated, { maxAnswerBytes: 1000 })).read();
    expect(outcome).toMatchObject(ok ? { ok } : { failure: { kind: "too_large", status: 200 } });
  });

  test("an answer without end is cut off while it arrives", async () => {
    let sent = 0;
    const endless = serveHttp((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(10_000))) sent += 10_000;
      };
      response.on("drain", more);
      more();
    });
    const { read, server } = await world(endless, { maxAnswerBytes: 100_000 });
    expect(await read()).toMatchObject({ failure: { kind: "too_large" } });
    await eventually(() => expect(server.open()).toBe(0));
    expect(sent).toBeLessThan(50_000_000);
  });

  test("a refusal with a huge body has the same kind", async () => {
    const { read } = await world(
      serveHttp((_, response) => response.writeHead(403).end("x".repeat(500_000))),
      { maxAnswerBytes: 1000 },
    );
    expect(await read()).toMatchObject({ failure: { kind: "forbidden", status: 403, code: null } });
  });

  test("a compressed answer is not unpacked, however small it says it is", async () => {
    let asked: unknown;
    const bomb = serveHttp((request, response) => {
      asked = request.headers["accept-encoding"];
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(body(10_000_000)));
    });
    expect(await (await world(bomb)).read()).toMatchObject({ failure: { kind: "malformed", status: 200 } });
    expect(asked).toBe("identity");
  });
});

describe("redirects", () => {
  test.each([301, 302, 303, 307, 308])(
    "%d to another host is not followed: nothing arrives there",
    async (status) => {
      const other = await world(serveHttp((_, response) => json(response)));
      const location = `http://127.0.0.1:${other.server.port}/api/orgs/acme/projects/shop/settings/disabled`;
      const { read } = await world(
        serveHttp((_, response) => response.writeHead(status, { location }).end()),
      );
      expect(await read()).toMatchObject({ failure: { kind: "malformed", status } });
      expect(other.server.connections()).toBe(0);
    },
  );
});

test("a body arrives byte for byte, with its length", async () => {
  const received = Promise.withResolvers<[string | undefined, string]>();
  const { client } = await world(
    serveHttp(async (request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      await once(request, "end");
      received.resolve([request.headers["content-length"], Buffer.concat(pieces).toString()]);
      json(response, '{"accepted":true}');
    }),
  );
  const outcome = await client.call(ingest, { body: { ...ingestBody, project: "shöp" } });
  expect(outcome).toMatchObject({ ok: true, value: { accepted: true } });
  const text = JSON.stringify({ ...ingestBody, project: "shöp" });
  expect(await received.promise).toEqual([`${Buffer.byteLength(text)}`, text]);
});

test("callers see headers, one text each, and no cookies", async () => {
  const { read } = await world(
    serveHttp((_, response) => {
      response.setHeader("X-Total-Items", "7");
      response.setHeader("set-cookie", ["session=x", "other=y"]);
      response.setHeader("warning", ["199 - a", "199 - b"]);
      json(response);
    }),
  );
  const outcome = await read();
  expect(outcome).toMatchObject({ ok: true, headers: { "x-total-items": "7", warning: "199 - a, 199 - b" } });
  expect(JSON.stringify(outcome)).not.toContain("session");
});
