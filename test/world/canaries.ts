import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A secret to look for, and what it is called in a failed test. */
export interface Canary {
  readonly name: string;
  readonly secret: string;
}

/** Names of the canaries that a text holds in any form: raw, base64 (at any offset), hex, percent-encoded, as JSON writes it. */
export function findLeaks(text: string, canaries: readonly Canary[]): string[] {
  return canaries.flatMap(({ name, secret }) =>
    formsOf(secret).some((form) => form.length > 0 && text.includes(form)) ? [name] : [],
  );
}

/** So much of a long secret is a secret too. In characters. */
const LONG = 60;

function formsOf(whole: string): string[] {
  const secret = whole.slice(0, LONG);
  const base64 = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString("base64");
    // What stands at both ends depends on the neighbours of the secret.
    return shifted.slice(Math.ceil((offset * 8) / 6), -4);
  });
  const hex = Buffer.from(secret).toString("hex");
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), hex, ...base64];
}

export interface Gateway {
  readonly url: string;
  /** Credentials that came with requests. */
  readonly seen: ReadonlySet<string>;
  /** Null: requests go through. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  close(): void;
}

/** A server in front of `target` that notes credentials and can answer in its place. */
export async function openGateway(target: string): Promise<Gateway> {
  const seen = new Set<string>();
  const server: Server = createServer((request, response) => {
    const credential = request.headers.authorization?.split(" ")[1];
    if (credential !== undefined) seen.add(credential);
    if (gateway.instead?.(request, response)) return;
    void passOn(target, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const gateway: Gateway = {
    url: `http://127.0.0.1:${port}`,
    seen,
    instead: null,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return gateway;
}

async function passOn(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method ?? "GET",
    headers: headers as Record<string, string>, // GitHub's clients send no header twice
    redirect: "manual",
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const kept = [...answer.headers].filter(
    ([name]) => !/^(content-encoding|content-length|transfer-encoding|connection)$/.test(name),
  );
  response.writeHead(answer.status, Object.fromEntries(kept)).end(bytes);
}
