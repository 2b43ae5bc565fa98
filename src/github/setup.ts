import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { TollgateError } from "../kernel/errors.ts";
import { appManifest, withManifest } from "./setup-manifest.ts";

/** Answers a request and says so, or says false and leaves it to the next. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** What registering the App brings, under the names of the settings. */
export type Credentials = Readonly<Partial<Record<"APP_ID" | "PRIVATE_KEY" | "WEBHOOK_SECRET", string>>>;

export interface SetupOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address that GitHub can reach, for the App's webhook; null: to be entered at GitHub. */
  readonly publicUrl: string | null;
  /** The process's environment, where Probot looks whether it may ask smee.io for a channel: it is told not to. */
  readonly environment: Record<string, string | undefined>;
  readonly save: (credentials: Credentials) => void;
  readonly log: Logger;
}

export interface Setup {
  readonly url: string;
  /** Handlers are asked in the order they were added, before Probot's pages. */
  addHandler(handler: Handler): void;
  stop(): Promise<void>;
}

interface SetupFile {
  setupAppFactory(options: object): (...none: never[]) => Promise<Handler>;
}

interface StaticFile {
  readonly staticFilesHandler: Handler;
}

const LOOPBACK = "127.0.0.1";
const OWN_NAMES = new Set([LOOPBACK, "localhost"]);

/**
 * Probot's pages for registering the GitHub App, on loopback only. They take credentials without asking who sends them, so a
 * request is answered only when it names this machine and comes from these pages or from none. No host is contacted until a person
 * completes the registration at GitHub.
 */
export async function startSetup(options: SetupOptions): Promise<Setup> {
  options.environment["NO_SMEE_SETUP"] = "true";
  const handlers: Handler[] = [];
  const server = createServer((request, response) => {
    answer(request, response, handlers).catch((error: unknown) => {
      options.log.warn({ err: error }, "a setup page failed");
      if (!response.headersSent) response.writeHead(500).end();
    });
  });
  const port = await listen(server, options.port);
  const pages = await probotPages(options, port);
  handlers.push(pages);
  return {
    url: `http://${LOOPBACK}:${port}/`,
    addHandler: (handler) => {
      handlers.splice(handlers.indexOf(pages), 0, handler);
    },
    stop: () => close(server),
  };
}

async function probotPages(options: SetupOptions, port: number): Promise<Handler> {
  // Probot exports its setup only as part of a server that listens where it likes; its pages are two files of it.
  const inside = (file: string): string => new URL(file, import.meta.resolve("probot")).href;
  const setup = (await import(inside("./apps/setup.js"))) as SetupFile; // checked by a test that reads the page
  const files = (await import(inside("./server/handlers/static-files.js"))) as StaticFile; // likewise
  const pages = await setup.setupAppFactory({
    host: LOOPBACK,
    port,
    log: options.log,
    updateEnv: (found: Record<string, string>) => save(found, options),
    // Without a client of our own Probot would ask smee.io for a channel.
    SmeeClient: { createChannel: () => Promise.reject(new Error("no channel is wanted")) },
  })();
  const state = randomBytes(16).toString("hex");
  const manifest = appManifest(`http://${LOOPBACK}:${port}/`, options.publicUrl);
  return async (request, response) => {
    if (await files.staticFilesHandler(request, response)) return true;
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/probot/setup" && searchParams.get("state") !== state) {
      response.writeHead(403, { "content-type": "text/plain" });
      response.end("This registration was not started here. Begin again on the first page.\n");
      return true;
    }
    if (request.method !== "GET" || request.url !== "/probot") return pages(request, response);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(withManifest(await pageText(pages, request), manifest, state));
    return true;
  };
}

/** What a page of Probot's would answer. */
async function pageText(pages: Handler, request: IncomingMessage): Promise<string> {
  let text = "";
  const sheet = {
    writeHead: () => sheet,
    end: (html: string) => {
      text = html;
    },
  };
  await pages(request, sheet as unknown as ServerResponse); // the page uses these two methods only
  return text;
}

function save(found: Readonly<Record<string, string>>, options: SetupOptions): void {
  const { APP_ID, PRIVATE_KEY, WEBHOOK_SECRET } = found;
  const unquoted = PRIVATE_KEY?.replace(/^"|"$/g, "");
  if (APP_ID === undefined || unquoted === undefined || WEBHOOK_SECRET === undefined) return;
  options.save({ APP_ID, PRIVATE_KEY: unquoted, WEBHOOK_SECRET });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handlers: readonly Handler[],
): Promise<void> {
  if (!isFromHere(request)) {
    response.writeHead(403, { "content-type": "text/plain" }).end("This page is for this machine only.\n");
    return;
  }
  for (const handler of [...handlers]) {
    if (await handler(request, response)) return;
  }
  response.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.\n");
}

/** Keeps out other sites' pages and names that resolve to loopback. */
function isFromHere(request: IncomingMessage): boolean {
  const { host = "", origin } = request.headers;
  if (!URL.canParse(`http://${host}`) || !OWN_NAMES.has(new URL(`http://${host}`).hostname)) return false;
  return origin === undefined || origin === `http://${host}`;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const hint = `Choose another port with PORT; ${port} is taken or not allowed.`;
      reject(
        new TollgateError("settings_invalid", `cannot listen on ${LOOPBACK}:${port}`, { hint, cause: error }),
      );
    });
    server.listen({ port, host: LOOPBACK }, () => resolve((server.address() as AddressInfo).port)); // a TCP server has one
  });
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
