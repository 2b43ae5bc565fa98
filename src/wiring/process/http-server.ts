import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { NodeHandler } from "../../github/webhooks/receiver.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { guardConnections } from "../http/connection-guard.ts";

export interface HttpServer {
  readonly port: number;
  /** Stops accepting connections, waits for running responses, then closes the remaining connections. */
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly port: number;
  /** Address to listen on; undefined: all addresses. */
  readonly host: string | undefined;
  /** Called first, in order, until one returns true; the app handles the other requests. */
  readonly handlers: readonly NodeHandler[];
  readonly app: Hono;
}

/** How long a closing server waits for running responses, in ms. */
const GRACE_MS = 5_000;
/**
 * Time limit for a request with its whole body, in ms: enough for 16 MB over a slow line. Node's default is
 * five minutes.
 */
const REQUEST_MS = 120_000;
const HEADERS_MS = 10_000;
/** Interval of Node's check for late requests, in ms; its default is half a minute. */
const CHECKING_MS = 2_000;
/** An idle connection is closed after this time, in ms. */
const IDLE_MS = 120_000;

const TIMEOUTS = {
  requestTimeout: REQUEST_MS,
  headersTimeout: HEADERS_MS,
  connectionsCheckingInterval: CHECKING_MS,
};

/**
 * Starts an HTTP server.
 *
 * @throws TollgateError `port_unusable` when the address cannot be listened on
 */
export async function startHttpServer({ port, host, handlers, app }: ServerOptions): Promise<HttpServer> {
  const fallback = getRequestListener(app.fetch);
  const server = createServer(TIMEOUTS, (request, response) => {
    void dispatchRequest(handlers, request, response)
      .then((answered) => (answered ? undefined : fallback(request, response)))
      .catch(() => response.destroy());
  });
  server.setTimeout(IDLE_MS);
  guardConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(createListenError({ port, host, cause })));
    server.listen(port, host, resolve);
  });
  // A listening TCP server has an address with a port; only the address of a pipe is a text.
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

async function dispatchRequest(
  handlers: readonly NodeHandler[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  for (const handler of handlers) if (await handler(request, response)) return true;
  return false;
}

interface ListenFailure {
  readonly port: number;
  readonly host: string | undefined;
  readonly cause: NodeJS.ErrnoException;
}

/** What the operating system's refusals mean for an address, and the way out of each. */
const LISTEN_REFUSALS: Readonly<Record<string, readonly [found: string, hint: string]>> = {
  EADDRINUSE: [
    "another process uses it",
    "Stop the other process, which may be an earlier Tollgate, or set PORT to another number.",
  ],
  EACCES: ["this account may not use ports this low", "Set PORT to a number of 1024 or more."],
  EADDRNOTAVAIL: ["it is no address of this machine", "Unset HOST, or set it to an address of this machine."],
  ENOTFOUND: ["the host name is not known", "Unset HOST, or set it to an address of this machine."],
};

export function createListenError({ port, host, cause }: ListenFailure): TollgateError {
  const [found, hint] = LISTEN_REFUSALS[cause.code ?? ""] ?? [
    `the operating system says ${cause.code}`,
    "Set PORT and HOST to an address that this process may listen on.",
  ];
  const address = host === undefined ? `port ${port}` : `port ${port} of ${host}`;
  return new TollgateError("port_unusable", `Tollgate cannot listen on ${address}: ${found}`, {
    cause,
    hint,
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Systems that run processes kill one that has not ended 10 seconds after SIGTERM, or later. */
const END_MS = 9_000;

/**
 * Resolves when a person or the system requests the end of the process. A second request ends it at once, and after 9 seconds it ends
 * with 0, also when something keeps it running: what it leaves is in the queue for another process.
 */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => {
        setTimeout(() => process.exit(0), END_MS).unref();
        resolve(signal);
      });
  });
}
