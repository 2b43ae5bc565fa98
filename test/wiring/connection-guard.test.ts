import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { guardConnections } from "../../src/wiring/http/connection-guard.ts";

/** More than the buffers of both ends of a connection take. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);

let server: Server;
let sockets: Socket[] = [];
/** Requests to `/slow` are answered by the test. */
let answerSlow = () => {};

async function serve(most: number) {
  server = createServer((request, response) => {
    if (request.url === "/slow") answerSlow = () => response.end("late");
    else if (request.url === "/large") response.end(LARGE);
    else request.resume().on("end", () => response.end("ok"));
  });
  guardConnections(server, most);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server.close();
});

/** Opens a connection that the server has taken. */
async function open() {
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const socket = connect({ port, host: "127.0.0.1" });
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

describe("a new connection gets in", () => {
  it("in place of the oldest one that has sent no request", async () => {
    await serve(2);
    const [oldest, newer, newest] = [await open(), await open(), await open()];
    expect(await oldest.closed).toBe("dropped");
    expect([await newer.isOpen(), await newest.isOpen()]).toEqual([true, true]);
  });

  it("in place of one whose body does not come, where the other was answered later", async () => {
    await serve(2);
    const [answered, late] = [await open(), await open()];
    const came = once(server, "request");
    late.socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{");
    await came;
    expect(await answered.isOpen()).toBe(true);
    const newest = await open();
    expect(await late.closed).toBe("dropped");
    expect([await answered.isOpen(), await newest.isOpen()]).toEqual([true, true]);
  });

  it("never in place of one whose answer is being made", async () => {
    await serve(1);
    const busy = await open();
    const came = once(server, "request");
    const answer = busy.asks("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await came;
    expect(await (await open()).closed).toBe("dropped");
    answerSlow();
    expect(await answer).toBe("200");
  });

  it("in place of one that does not read its answer", async () => {
    await serve(2);
    const unread = [await open(), await open()];
    for (const { socket } of unread) {
      const came = once(server, "request");
      socket.pause().write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
      await came;
    }
    expect(await (await open()).isOpen()).toBe(true);
  });
});
