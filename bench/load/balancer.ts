import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Balancer {
  readonly url: string;
  /** The ports that requests go to from now on, in turn. */
  setTargets(ports: readonly number[]): void;
  /** Requests whose process ended before it answered: GitHub sees 502, and does not send them again by itself. */
  unanswered(): number;
  close(): void;
}

/**
 * What stands before several replicas: it takes the next process when one does not listen, and answers 502 when one ends with a request in
 * its hands. It never sends a request twice. Every `loseEvery`-th request it loses; 0: none.
 */
export async function startBalancer(loseEvery = 0): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let targets: readonly number[] = [];
  let turn = 0;
  let unanswered = 0;
  const server: Server = createServer((incoming, outgoing) => void forward(incoming, outgoing));
  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    turn += 1;
    const first = turn;
    const isLost = loseEvery > 0 && first % loseEvery === 0;
    for (let attempt = 0; attempt < targets.length && !isLost; attempt++) {
      const port = targets[(first + attempt) % targets.length];
      const status = await post({ agent, port, incoming, body });
      if (status === "refused") continue;
      if (status === "cut") break;
      outgoing.writeHead(status).end();
      return;
    }
    unanswered += 1;
    outgoing.writeHead(502).end();
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    setTargets: (ports) => {
      targets = ports;
    },
    unanswered: () => unanswered,
    close: () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The answer's status; `refused`: nothing was received; `cut`: unknown whether it was. */
function post(what: {
  agent: Agent;
  port: number | undefined;
  incoming: IncomingMessage;
  body: Buffer;
}): Promise<number | "refused" | "cut"> {
  const { agent, port, incoming, body } = what;
  const { promise, resolve } = Promise.withResolvers<number | "refused" | "cut">();
  const { host: _host, "transfer-encoding": _encoding, ...headers } = incoming.headers;
  const sent = request(
    {
      agent,
      host: "127.0.0.1",
      port,
      method: "POST",
      path: incoming.url,
      headers: { ...headers, "content-length": body.length },
    },
    (answer) => {
      answer.resume();
      answer.once("close", () => resolve(answer.statusCode ?? 502));
    },
  );
  sent.once("error", (error: NodeJS.ErrnoException) =>
    resolve(error.code === "ECONNREFUSED" ? "refused" : "cut"),
  );
  sent.end(body);
  return promise;
}
