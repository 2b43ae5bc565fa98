import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { TollgateError } from "../kernel/errors.ts";

/** Answers a request itself and says true, or leaves it untouched and says false. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface Listening {
  readonly port: number;
  /** Stops taking connections, lets running answers end, then cuts what is left. */
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly port: number;
  /** Undefined: every address. */
  readonly host: string | undefined;
  /** Asked first, in order; the app answers the rest. */
  readonly handlers: readonly NodeHandler[];
  readonly app: Hono;
}

/** How long a closing server waits for running answers, in ms. */
const GRACE_MS = 5_000;
/** For a request with its whole body, in ms: 16 MB over a slow line. Node's own is five minutes. */
const REQUEST_MS = 120_000;
const HEADERS_MS = 15_000;
/** More are closed at once, so that those which are open keep their memory. */
const MAX_CONNECTIONS = 2_000;

/**
 * Starts an HTTP server.
 *
 * @throws TollgateError `settings_invalid` when the address cannot be listened on
 */
export async function listen({ port, host, handlers, app }: ServerOptions): Promise<Listening> {
  const fallback = getRequestListener(app.fetch);
  const limits = { requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS };
  const server = createServer(limits, (request, response) => {
    void dispatch(handlers, request, response)
      .then((answered) => (answered ? undefined : fallback(request, response)))
      .catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(cannotListen({ port, host, cause })));
    server.listen(port, host, resolve);
  });
  // A listening TCP server has an address with a port; only pipes have a text.
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

async function dispatch(
  handlers: readonly NodeHandler[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  for (const handler of handlers) if (await handler(request, response)) return true;
  return false;
}

const cannotListen = ({
  port,
  host,
  cause,
}: {
  port: number;
  host: string | undefined;
  cause: Error;
}): TollgateError =>
  new TollgateError("settings_invalid", `port ${port} on ${host ?? "this machine"} cannot be listened on`, {
    cause,
    hint: "Something else uses it. Set PORT to another number.",
  });

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
