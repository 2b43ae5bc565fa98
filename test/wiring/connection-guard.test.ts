import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ClientAddresses } from "../../src/wiring/http/client-addresses.ts";
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  guardConnections,
} from "../../src/wiring/http/connection-guard.ts";

/** More than the buffers of both ends of a connection take. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);

let server: Server;
let sockets: Socket[] = [];
/** Requests to `/slow` are answered by the test. */
let answerSlow = () => {};

async function serve(limits: Partial<ConnectionLimits>, trustedProxies: readonly string[] = []) {
  server = createServer((request, response) => {
    if (request.url === "/slow") answerSlow = () => response.end("late");
    else if (request.url === "/large") response.end(LARGE);
    else request.resume().on("end", () => response.end("ok"));
  });
  guardConnections(server, new ClientAddresses(trustedProxies), { ...CONNECTION_LIMITS, ...limits });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

afterEach(() => {
  vi.useRealTimers();
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server.close();
});

/** Opens a connection that the server has taken. */
async function open(localAddress = "127.0.0.1") {
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  const taken = once(server, "connection");
  const closed = new Promise<"dropped">((resolve) => {
    socket.on("error", () => undefined).on("close", () => resolve("dropped"));
  });
  await taken;
  const asks = async (text: string) => {
    socket.write(text);
    const answer = await Promise.race([closed, once(socket, "data")]);
    return answer === "dropped" ? answer : `${answer[0]}`.slice(9, 12);
  };
  return { socket, closed, asks, isOpen: async () => (await asks(GET)) === "200" };
}
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";

describe("a new connection gets in", () => {
  it("in place of the oldest one of the same client that has sent no request", async () => {
    await serve({ perClient: 2 });
    const [oldest, newer, newest] = [await open(), await open(), await open()];
    expect(await oldest.closed).toBe("dropped");
    expect([await newer.isOpen(), await newest.isOpen()]).toEqual([true, true]);
  });

  it("in place of the oldest one of anybody when all are too many", async () => {
    await serve({ all: 2 });
    const [oldest, newer, newest] = [await open("127.0.0.2"), await open("127.0.0.3"), await open()];
    expect(await oldest.closed).toBe("dropped");
    expect([await newer.isOpen(), await newest.isOpen()]).toEqual([true, true]);
  });

  it("in place of one whose body does not come, where all others were proven", async () => {
    await serve({ perClient: 2 });
    const proven = await open();
    expect(await proven.asks(POST)).toBe("200");
    const late = await open();
    const came = once(server, "request");
    late.socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{");
    await came;
    const newest = await open();
    expect(await late.closed).toBe("dropped");
    expect([await proven.isOpen(), await newest.isOpen()]).toEqual([true, true]);
  });

  it("never in place of one whose answer is being made", async () => {
    await serve({ perClient: 1 });
    const busy = await open();
    const came = once(server, "request");
    const answer = busy.asks("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await came;
    expect(await (await open()).closed).toBe("dropped");
    expect(await (await open("127.0.0.2")).isOpen()).toBe(true);
    answerSlow();
    expect(await answer).toBe("200");
  });

  it("in place of one that does not read its answer", async () => {
    await serve({ all: 2 });
    const unread = await Promise.all(["127.0.0.2", "127.0.0.3"].map(open));
    for (const { socket } of unread) {
      const came = once(server, "request");
      socket.pause().write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
      await came;
    }
    expect(await (await open()).isOpen()).toBe(true);
  });

  it("to a trusted proxy beyond what one client may have", async () => {
    await serve({ perClient: 1 }, ["127.0.0.1"]);
    const all = [await open(), await open(), await open()];
    expect(await Promise.all(all.map(({ isOpen }) => isOpen()))).toEqual([true, true, true]);
  });
});

describe("a body", () => {
  it("that comes too slowly loses its connection, and one that comes does not", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    await serve({ maxLateMs: 3_000, minRate: 100 });
    const start = async (connection: Awaited<ReturnType<typeof open>>) => {
      const came = once(server, "request");
      connection.socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
      const [request] = await came;
      return async (bytes: number) => {
        const arrived = once(request, "data");
        connection.socket.write("x".repeat(bytes));
        await arrived;
      };
    };
    const [slow, steady] = [await open(), await open()];
    const [dribble, send] = [await start(slow), await start(steady)];
    for (let second = 0; second < 4; second += 1) {
      await dribble(1);
      await send(200);
      vi.advanceTimersByTime(1_000);
    }
    expect(await slow.closed).toBe("dropped");
    expect(await steady.asks("x".repeat(200))).toBe("200");
  });
});
