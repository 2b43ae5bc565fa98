import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ClientAddresses, toClientAddress } from "./client-addresses.ts";

export interface ConnectionLimits {
  /** Most open connections. */
  readonly all: number;
  /** Most open connections of one client. A trusted proxy has no limit of its own. */
  readonly perClient: number;
  /** A slower sender is late. In bytes per second. */
  readonly minRate: number;
  /** Most lateness of the sender of one request in total, in ms. */
  readonly maxLateMs: number;
}

/** Default limits. Clients that send slowly or nothing exceed their own limits long before these. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  all: 2_000,
  perClient: 256,
  minRate: 1_024,
  maxLateMs: 15_000,
};

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  /** The current request; null: no complete headers arrived since the last response. */
  request: IncomingMessage | null;
  /** Whether a request on this connection was authenticated. */
  isProven: boolean;
  /** Bytes read at the last check of the rate. */
  bytesRead: number;
  lateMs: number;
}

const CHECK_EVERY_MS = 1_000;

/**
 * Limits the connections of a server. When a limit is reached, one connection is dropped for a new one: the
 * oldest without a request first, then the oldest whose request is incomplete or whose response is not read.
 * Authenticated connections are dropped last, and connections whose response is being computed never. A new
 * connection is therefore accepted however many idle ones are open.
 */
export function guardConnections(
  server: Server,
  addresses: ClientAddresses,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): void {
  const guard = new ConnectionGuard(addresses, limits);
  server.on("connection", (socket) => guard.admit(socket));
  server.prependListener("request", (request, response) => guard.expectAnswer(request, response));
  const timer = setInterval(() => guard.dropLate(), CHECK_EVERY_MS).unref();
  server.on("close", () => clearInterval(timer));
}

class ConnectionGuard {
  readonly #addresses: ClientAddresses;
  readonly #limits: ConnectionLimits;
  /** Longest waiting first. */
  readonly #connections = new Map<Socket, Connection>();
  readonly #countOf = new Map<string, number>();

  constructor(addresses: ClientAddresses, limits: ConnectionLimits) {
    this.#addresses = addresses;
    this.#limits = limits;
  }

  admit(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const client = toClientAddress(address);
    if (!this.#makeRoom(client, this.#addresses.isProxy(address))) {
      socket.destroy();
      return;
    }
    this.#count(client, 1);
    this.#connections.set(socket, {
      socket,
      client,
      request: null,
      isProven: false,
      bytesRead: 0,
      lateMs: 0,
    });
    socket.once("close", () => this.#forget(socket));
  }

  expectAnswer(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    connection.request = request;
    connection.bytesRead = request.socket.bytesRead;
    connection.lateMs = 0;
    response.once("close", () => {
      if (connection.request !== request) return;
      connection.request = null;
      // Every POST route requires a token or a webhook signature.
      connection.isProven ||= request.method === "POST" && response.statusCode < 300;
      if (this.#connections.delete(connection.socket)) this.#connections.set(connection.socket, connection);
    });
  }

  /** Drops late connections: the client sends too slowly although all received data was read. */
  dropLate(): void {
    for (const connection of this.#connections.values()) {
      const { socket, request, bytesRead } = connection;
      if (request === null || request.complete) continue;
      connection.bytesRead = socket.bytesRead;
      const isSlow = socket.bytesRead - bytesRead < (this.#limits.minRate * CHECK_EVERY_MS) / 1000;
      if (isSlow && request.readableLength === 0) connection.lateMs += CHECK_EVERY_MS;
      if (connection.lateMs > this.#limits.maxLateMs) this.#drop(connection);
    }
  }

  #makeRoom(client: string, isProxy: boolean): boolean {
    const isCrowded = !isProxy && (this.#countOf.get(client) ?? 0) >= this.#limits.perClient;
    if (isCrowded) return this.#dropOne(client);
    return this.#connections.size < this.#limits.all || this.#dropOne(null);
  }

  /**
   * Drops the connection with the lowest rank, of one client or of all; false: all responses are being
   * computed.
   */
  #dropOne(client: string | null): boolean {
    let worst: Connection | null = null;
    let least = ANSWERING_RANK;
    for (const connection of this.#connections.values()) {
      const isChosen = client === null || connection.client === client;
      const rank = isChosen ? computeRank(connection) : ANSWERING_RANK;
      if (rank < least) [worst, least] = [connection, rank];
      if (least === 0) break;
    }
    if (worst !== null) this.#drop(worst);
    return worst !== null;
  }

  #drop({ socket }: Connection): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    this.#connections.delete(socket);
    this.#count(connection.client, -1);
  }

  #count(client: string, change: number): void {
    const count = (this.#countOf.get(client) ?? 0) + change;
    if (count === 0) this.#countOf.delete(client);
    else this.#countOf.set(client, count);
  }
}

const ANSWERING_RANK = 4;

/**
 * Returns the rank of a connection; the lowest is dropped first. A response that the client does not read
 * does not count as being computed.
 */
function computeRank({ socket, request, isProven }: Connection): number {
  if (request?.complete === true && socket.writableLength === 0) return ANSWERING_RANK;
  return (isProven ? 2 : 0) + (request === null ? 0 : 1);
}
