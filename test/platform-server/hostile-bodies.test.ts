import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { sign } from "../github/deliveries.ts";
import { CHANGES, EXECUTIONS } from "./stories.ts";

/** Of the process that all of this is sent to, in MB. Each of these bodies took several times as much once. */
const HEAP_MB = 192;

let child: ChildProcess;
let url = "";
let key = "";

async function start(): Promise<void> {
  child = fork(new URL("hostile-server.ts", import.meta.url), {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
  });
  [{ url, key }] = (await once(child, "message")) as [{ url: string; key: string }]; // as `hostile-server.ts` sends it
  const stage = {
    pipeline: "deploy",
    pipeline_execution_id: "run-1",
    pipeline_stage_id: "stage-1",
    workspace: "prod",
  };
  const made = await post(EXECUTIONS, JSON.stringify(stage), { "content-type": "application/json" });
  expect(made.status).toBe(200);
}

async function post(path: string, body: string, headers: Readonly<Record<string, string>>) {
  const all = { "x-api-key": key, "platform-account": "acc-1", ...headers };
  const response = await fetch(url + path, { method: "POST", body, headers: all });
  return { status: response.status, text: await response.text() };
}

const SIZES = { ingest: 15_000_000, upload: 8_000_000, webhook: 25_000_000 } as const;
type Endpoint = keyof typeof SIZES;

const send: Readonly<Record<Endpoint, (body: string) => ReturnType<typeof post>>> = {
  ingest: (body) => post("/tollgate/v1/ingest", body, { "content-type": "application/json" }),
  upload: (body) =>
    post(`${CHANGES}/planned_changes/1`, body, { "content-type": "application/octet-stream" }),
  webhook: (body) =>
    post("/api/github/webhooks", body, {
      "content-type": "application/json",
      "x-github-event": "push",
      "x-github-delivery": crypto.randomUUID(),
      "x-hub-signature-256": sign(body),
    }),
};

const around = (head: string, members: (at: number) => string, tail: string) => (size: number) => {
  const found: string[] = [];
  for (let length = 0, at = 0; length < size - 1_000; at += 1) {
    const member = members(at);
    found.push(member);
    length += member.length + 1;
  }
  return `${head}${found.join(",")}${tail}`;
};
const IDS = `"org":"acme","project":"payments","pipeline_execution_id":"run-1","pipeline_stage_id":"stage-1","status":"success"`;
const WIDE = "x".repeat(100);

const BODIES = {
  "lists in lists": (size: number) => "[".repeat(size),
  "empty lists": around("[", () => "[]", "]"),
  "empty objects": around("[", () => "{}", "]"),
  "objects with a key each": around("[", (at) => `{"${at.toString(36)}":0}`, "]"),
  "keys of one object": around(`[{${IDS},"x":{`, (at) => `"${at.toString(36)}":0`, "}}]"),
  "numbers in a list": around("[", () => "1", "]"),
  "a number of many digits": (size: number) => "1".repeat(size),
  "a text": (size: number) => `"${"x".repeat(size - 2)}"`,
  "wrong modules": around(`{${IDS},"modules":{`, (at) => `"${at.toString(36)}":0`, "}}"),
  "wrong modules with long names": around(`{${IDS},"modules":{`, (at) => `"${at}${WIDE}":0`, "}}"),
  "wrong attributes of one element": around(
    `[{"name":"a","change":"added","changes":{`,
    (at) => `"${at}${WIDE}":0`,
    "}}]",
  ),
} as const;

/** The bodies that take most of each way to read one; `npm run test:deep` sends all. */
const CASES: readonly { readonly endpoint: Endpoint; readonly usual: Bodies; readonly deep: Bodies }[] = [
  {
    endpoint: "ingest",
    usual: [
      "lists in lists",
      "keys of one object",
      "a number of many digits",
      "wrong modules with long names",
    ],
    deep: ["empty objects", "objects with a key each", "a text", "wrong modules"],
  },
  {
    endpoint: "upload",
    usual: ["lists in lists", "wrong attributes of one element"],
    deep: ["empty lists", "keys of one object"],
  },
  {
    endpoint: "webhook",
    usual: ["numbers in a list"],
    deep: ["lists in lists", "wrong modules with long names"],
  },
];
type Bodies = readonly (keyof typeof BODIES)[];

const CHOSEN = CASES.map(({ endpoint, usual, deep }) => ({
  endpoint,
  bodies: [...usual, ...(inject("isDeep") ? deep : [])],
}));

describe(`a process with a heap of ${HEAP_MB} MB`, () => {
  // As `tollgate start` does: large ingestions are parsed in threads, the rest in the main thread.
  beforeAll(start, 60_000);
  afterAll(() => child.kill());

  it.each(CHOSEN.flatMap(({ endpoint, bodies }) => bodies.map((body) => ({ endpoint, body }))))(
    "$endpoint refuses the largest body of $body, and goes on",
    async ({ endpoint, body }) => {
      const { status, text } = await send[endpoint](BODIES[body](SIZES[endpoint]));
      expect(text).not.toContain('fault":true');
      expect([endpoint, status]).toEqual([endpoint, endpoint === "webhook" ? expect.any(Number) : 400]);
      expect(status).toBeLessThan(500);
      expect(child.exitCode).toBeNull();
    },
    60_000,
  );
});
