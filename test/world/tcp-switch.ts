import { once } from "node:events";
import { createServer, connect as openSocket, type Socket } from "node:net";

/** An address on loopback that leads to another port, and can be cut, held and pointed elsewhere, like a proxy before servers. */
export interface TcpSwitch {
  readonly port: number;
  /** New connections lead there from now on; those that are open stay. */
  pointTo(port: number): void;
  /** Ends every open connection. */
  cut(): void;
  /** Carries nothing from now on, and closes nothing: both sides wait, as after a cable was pulled. */
  hold(): void;
  /** Carries new connections again; those of the time before stay dead. */
  release(): void;
  close(): Promise<void>;
}

export async function startTcpSwitch(target: number): Promise<TcpSwitch> {
  const sockets = new Set<Socket>();
  let isHeld = false;
  let port = target;
  const server = createServer((client) => {
    track(client);
    if (isHeld) return;
    const upstream = openSocket(port, "127.0.0.1");
    track(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}); // what ends a connection is the test's business
    socket.on("close", () => sockets.delete(socket));
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    pointTo: (next) => {
      port = next;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    hold: () => {
      isHeld = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    release: () => {
      isHeld = false;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
