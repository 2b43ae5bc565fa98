import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** Most open connections of a server. */
const MAX_CONNECTIONS = 2_000;

/**
 * Limits the connections of a server: when there are too many, the oldest on which no response is being computed is dropped for a new
 * one. Node's `maxConnections` drops the new one, so that whoever holds connections open would keep everybody out.
 */
export function guardConnections(server: Server, most = MAX_CONNECTIONS): void {
  /** The request of each connection, oldest first; null: no complete headers arrived since the last response. */
  const connections = new Map<Socket, IncomingMessage | null>();
  server.on("connection", (socket) => {
    if (connections.size >= most) {
      const dropped =
        [...connections].find(([other, request]) => !isAnswering(other, request))?.[0] ?? socket;
      connections.delete(dropped);
      dropped.destroy();
      if (dropped === socket) return;
    }
    connections.set(socket, null);
    socket.once("close", () => connections.delete(socket));
  });
  server.prependListener("request", (request, response) => {
    const { socket } = request;
    if (connections.has(socket)) connections.set(socket, request);
    response.once("close", () => {
      if (connections.get(socket) !== request) return;
      connections.delete(socket); // it waits since now
      connections.set(socket, null);
    });
  });
}

/** Whether a response is being computed. One that the client does not read does not count. */
const isAnswering = ({ writableLength }: Socket, request: IncomingMessage | null): boolean =>
  request?.complete === true && writableLength === 0;
