import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";

export interface Loopback {
  readonly port: number;
  /** Connections accepted so far. */
  connections(): number;
  /** Connections that stand now. */
  open(): number;
  stop(): Promise<void>;
}

async function listen(server: Server | TcpServer): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    port,
    connections: () => connections,
    open: () => sockets.size,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A real HTTP server on a free port of 127.0.0.1. */
export const serveHttp = (listener: RequestListener): Promise<Loopback> => listen(createServer(listener));

/** A server that says whatever `talk` writes to the bare connection. */
export const serveTcp = (talk: (socket: Socket) => void): Promise<Loopback> => listen(createTcpServer(talk));
