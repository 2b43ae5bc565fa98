import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { Agent, fetch } from "undici";
import { z } from "zod";
import { createGitHubApp, type GitHubApp, type GitHubAppOptions } from "../../src/github/app.ts";
import type { CheckWrite } from "../../src/github/checks/publish-check.ts";
import type { Fetch } from "../../src/github/client/guarded-fetch.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { createOctokit } from "../../src/github/client/octokit.ts";
import { readData, toResult } from "../../src/github/client/read-answer.ts";
import {
  GitHubError,
  type GitHubFailure,
  type GitHubResult,
  SupersededError,
} from "../../src/github/client/result.ts";
import type { WriteOptions } from "../../src/github/client/write-lane.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { OWN_APP, SHA } from "./deliveries.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

export const INSTALLATION = 5;
export const REPOSITORY = { id: 77, owner: "acme", name: "shop" };
/** A token in GitHub's newer, longer form. */
export const TOKEN = `ghs_4711_${"eyJhbGciOi.".repeat(46)}x`;

export interface TestTime {
  ms: number;
  /** How far the machine's clock is off: ahead, or behind when negative. */
  offMs: number;
  readonly waits: number[];
}

export interface TestApp {
  readonly app: GitHubApp;
  /** Time passes only by waiting. */
  readonly time: TestTime;
  readonly logged: string[];
}

/** The real App on a clock of its own: waiting is instant and moves the clock. */
export function testApp(
  apiUrl = "https://api.github.com",
  timeoutMs = 10_000,
  shared: GitHubAppOptions["shared"] = undefined,
): TestApp {
  const time = { ms: Date.now(), offMs: 0, waits: [] as number[] };
  const logged: string[] = [];
  const agent = new Agent({ connections: 16 });
  const app = createGitHubApp({
    appId: OWN_APP,
    privateKey,
    apiUrl,
    timeoutMs,
    ...(shared !== undefined && { shared }),
    // undici's own types of a fetch and Node's differ in detail; both are what is asked for
    fetch: ((url, init) => fetch(url, { ...init, dispatcher: agent })) as Fetch,
    clock: { now: () => time.ms + time.offMs, monotonicMs: () => time.ms },
    wait: async (ms) => {
      time.waits.push(ms);
      time.ms += ms;
    },
    log: pino({ level: "trace" }, { write: (line: string) => logged.push(line) }),
  });
  return { app, time, logged };
}

export const minted = (time: { ms: number }, members: object = {}): object => ({
  token: TOKEN,
  expires_at: new Date(time.ms + 3_600_000).toISOString(),
  repository_selection: "all",
  ...members,
});

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, looked at by assertions only
  readonly body: any;
}

export type FakeAnswer = (response: ServerResponse, request: Received) => void;

export interface Stub {
  readonly url: string;
  readonly received: Received[];
  /** Requests for tokens are answered by the stub itself. */
  close(): Promise<void>;
}

/** A GitHub on loopback that answers as it is told, and remembers what it was asked. */
export async function startStub(answer: FakeAnswer): Promise<Stub> {
  const received: Received[] = [];
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const body = text === "" ? null : JSON.parse(text);
      const request = {
        method: message.method ?? "",
        path: message.url ?? "",
        headers: message.headers,
        body,
      };
      if (request.path.endsWith("/access_tokens")) return json(response, 201, minted({ ms: Date.now() }));
      received.push(request);
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, received, close };
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

/** What a stub does with a write: `lose` does it and breaks off, `fail` does not do it, a function does what it likes. */
export type Fault = "answer" | "lose" | "fail" | ((response: ServerResponse) => void);

/** Answers a write under a fault; `write` is null when there is nothing to write to. */
export function underFault(
  fault: Fault | undefined,
  response: ServerResponse,
  write: () => object | null,
): void {
  if (typeof fault === "function") fault(response);
  else if (fault === "fail") json(response, 502, {});
  else answerWith(write(), fault === "lose", response);
}

function answerWith(written: object | null, lost: boolean, response: ServerResponse): void {
  if (lost) response.destroy();
  else if (written === null) json(response, 404, { message: "Not Found" });
  else json(response, 200, written);
}

export const always = async (): Promise<boolean> => true;

/** A check that fails on `SHA`; name only what matters. */
export const checkWrite = (members: Partial<CheckWrite> = {}): CheckWrite => ({
  repositoryId: REPOSITORY.id,
  repositoryNodeId: "R_77",
  headSha: SHA,
  checkName: "tollgate: main",
  known: null,
  isUncertain: false,
  decision: { status: "completed", conclusion: "failure" },
  output: { title: "Blocked", summary: "It costs more.", text: null },
  externalId: "digest",
  detailsUrl: "https://github.com/acme/shop/pull/1",
  actions: [],
  isCurrent: always,
  ...members,
});

/** An installation whose requests reach `fetch`; nothing in it waits. */
export const clientOn = (fetch: Fetch): InstallationClient => ({
  installationId: INSTALLATION,
  appId: OWN_APP,
  marksComments: false,
  octokit: createOctokit({
    apiUrl: "https://api.github.com",
    clock: systemClock,
    wait: async () => {},
    writeSpacingMs: 0,
    fetch,
  }),
  repositorySelection: async () => "all",
  botUserId: async () => 1,
});

const WithId = z.object({ id: z.number() });
const SHOP = { owner: REPOSITORY.owner, repo: REPOSITORY.name };

export const readRepository = (
  { octokit }: InstallationClient,
  at = SHOP,
): Promise<GitHubResult<{ id: number }>> => toResult(readData(octokit.rest.repos.get(at), WithId));

/** What `createCheck` sends by default. */
export const CHECK = { name: "tollgate: main", head_sha: SHA };

export function createCheck(
  { octokit }: InstallationClient,
  { name = CHECK.name, ...options }: Partial<WriteOptions> & { readonly name?: string } = {},
): Promise<GitHubResult<{ id: number }> | { ok: "superseded" }> {
  const request = { write: { priority: "check", isCurrent: always, ...options } } as const;
  const call = octokit.rest.checks.create({ ...SHOP, ...CHECK, name, request });
  return toResult(readData(call, WithId)).catch((error) => {
    if (error instanceof SupersededError) return { ok: "superseded" };
    throw error;
  });
}

/** What came of a write: its value, that it was dropped, or why GitHub did not take it. */
export const outcomeOf = <T>(write: Promise<T>): Promise<T | "superseded" | GitHubFailure> =>
  write.catch((error: unknown) => {
    if (error instanceof SupersededError) return "superseded";
    if (error instanceof GitHubError) return error.failure;
    throw error;
  });
