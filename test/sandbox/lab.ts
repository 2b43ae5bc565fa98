import { createSign } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { DOCUMENTS } from "../world/graphql-documents.ts";

/** A clock that stands still until a test moves it. */
export class TestClock {
  #now = Date.parse("2026-11-21T12:00:00Z");
  now = (): number => this.#now;
  monotonicMs = (): number => this.#now;
  advance(ms: number): void {
    this.#now += ms;
  }
}

// Making an RSA key takes a while, and which one it is does not matter.
const keys = systemRandom.keyPair();

export interface Received {
  readonly event: string;
  readonly action: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** Where deliveries arrive. `answer` may be changed to say something else than 202. */
export interface Inbox {
  readonly url: string;
  readonly received: Received[];
  answer: number;
}

export async function openInbox(): Promise<Inbox> {
  const received: Received[] = [];
  const inbox = { url: "", received, answer: 202 };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      const body = JSON.parse(text) as Record<string, unknown>; // the sandbox sends objects
      const { action } = body;
      const event = String(request.headers["x-github-event"]);
      received.push({
        event,
        action: typeof action === "string" ? action : undefined,
        headers: request.headers,
        text,
        body,
      });
      response.writeHead(inbox.answer).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the inbox does not listen");
  inbox.url = `http://127.0.0.1:${address.port}/hook`;
  return inbox;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, for looking at; null when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes; the OpenAPI test proves the shapes
  readonly body: any;
}

export type Caller = (call: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** Calls the API: `call("GET /app")`. */
export const caller =
  (url: string, authorization: string | null): Caller =>
  async (call, body, headers = {}) => {
    const [method = "GET", path = "/"] = call.split(" ");
    const answer = await fetch(path.startsWith("http") ? path : url + path, {
      method,
      redirect: "manual",
      headers: { ...(authorization === null ? {} : { authorization }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
  };

export interface Lab {
  readonly sandbox: Sandbox;
  readonly clock: TestClock;
  readonly inbox: Inbox;
  readonly appId: number;
  readonly installationId: number;
  readonly privateKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The installation's access token. */
  readonly token: string;
  /** As the App, and as its installation in "acme". */
  readonly asApp: Caller;
  readonly asBot: Caller;
}

const NAME = "acme/infra";

/** "acme" with a private repository "infra" (main, and a branch "more"), the App installed on all of acme. */
export async function openLab(options: Partial<SandboxOptions> = {}): Promise<Lab> {
  const clock = new TestClock();
  const inbox = await openInbox();
  const sandbox = await createSandbox({
    clock,
    random: { ...systemRandom, keyPair: () => keys },
    documents: DOCUMENTS,
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const app = await sandbox.registerApp({ name: "Tollgate", webhookUrl: inbox.url });
  sandbox.createOwner({ login: "acme", type: "organisation", admin: "ada" });
  sandbox.createOwner({ login: "grace", type: "user" });
  sandbox.createRepository({ owner: "acme", name: "infra", files: { "main.tf": "one\ntwo\n" } });
  sandbox.push({
    repository: NAME,
    branch: "more",
    files: { "main.tf": "one\n2\nthree\n", "new.tf": "x\n" },
  });
  const installation = sandbox.installApp({ appId: app.id, owner: "acme" });
  const asApp = caller(sandbox.url, `bearer ${jwt(app, clock.now())}`);
  const { token } = (await asApp(`POST /app/installations/${installation.id}/access_tokens`)).body;
  const asBot = caller(sandbox.url, `token ${token}`);
  await sandbox.deliveries.settled();
  inbox.received.length = 0;
  sandbox.requests.clear();
  const ids = { appId: app.id, installationId: installation.id, privateKey: app.privateKey, token };
  const { clientId, clientSecret } = app;
  return { sandbox, clock, inbox, ...ids, clientId, clientSecret, asApp, asBot };
}

/** What an App signs to say who it is. */
export function jwt(app: { id: number; privateKey: string }, now: number, claims: object = {}): string {
  const seconds = Math.floor(now / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const times = { iss: app.id, iat: seconds - 30, exp: seconds + 540 };
  const signed = `${part({ alg: "RS256", typ: "JWT" })}.${part({ ...times, ...claims })}`;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(app.privateKey, "base64url")}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
