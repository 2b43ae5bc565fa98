import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { run } from "../../src/cli/run.ts";
import { readSettings } from "../../src/settings/read.ts";
import { appendDecision } from "../../src/store/audit/decisions.ts";
import { lockDirectory } from "../../src/store/directory/lock.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { askForToken } from "../../src/wiring/local-store.ts";
import { askProcess } from "../../src/wiring/process/ask-process.ts";
import { writeRunningFile } from "../../src/wiring/process/running-file.ts";
import { freshPostgres } from "../world/engines.ts";
import { createFolder } from "./folder.ts";
import { typed } from "./run-command.ts";

const EXPORT = ["audit", "export"];
const EXPLAIN = ["policy", "explain", "--repository", "acme/shop", "--number", "7"];
const ZERO = "0".repeat(64);
const HEAD = `{"head":{"seq":0,"hash":"${ZERO}"}}\n`;

const { path: directory } = createFolder();
let servers: Server[] = [];
beforeAll(async () => {
  const store = await openDatabase({ kind: "directory", directory }, () => {});
  await appendDecision(
    store.db,
    {
      ...{ kind: "verdict", repositoryId: 1, number: 7, headSha: "a".repeat(40), baseRef: "main" },
      ...{ checkName: "tollgate: main", digest: "d", situation: "evaluated", decision: "success" },
      ...{ policyBlobs: [], findings: [] },
    },
    new Date(0),
  );
  await store.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

/** Something listens where the running file says that Tollgate does. */
async function listens(answer: RequestListener): Promise<void> {
  const server = createServer(answer);
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  writeRunningFile(directory, { url: `http://127.0.0.1:${port}`, key: "k" });
}

const answering =
  (status: number, type: string, body: string): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  };

async function tollgate(words: readonly string[]) {
  vi.stubEnv("TOLLGATE_DATA", directory);
  const { code, results, messages } = await typed(words);
  const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join("");
  return { code, out: results === "" ? "" : `${results}\n`, err: lines(messages) };
}

/** While another process has the directory. */
async function held<T>(work: () => Promise<T>): Promise<T> {
  const { release } = lockDirectory(directory);
  try {
    return await work();
  } finally {
    release();
  }
}

const LINES = "application/x-ndjson";

describe("a Tollgate that has the directory open", () => {
  it.each([
    [
      "has no such address",
      answering(404, "application/json", "{}"),
      /does not know this question\n.*restart it/,
    ],
    [
      "wants another key",
      answering(401, "application/json", "{}"),
      /does not know this question\n.*restart it/,
    ],
    ["fails", answering(500, "application/json", "{}"), /could not answer\n.*log says why/],
    ["answers with a page", answering(200, "text/html", "<p>"), /does not know this question\n.*restart it/],
    ["refuses without saying why", answering(422, "application/json", "[]"), /does not know this question/],
    ["hangs up", (request) => request.socket.destroy(), /does not answer\n.*try again/],
  ] as [string, RequestListener, RegExp][])("%s", async (_, answer, said) => {
    await listens(answer);
    const { code, out, err } = await held(() => tollgate(EXPORT));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(said);
    const explained = await held(() => tollgate(EXPLAIN));
    expect([explained.code, explained.out, explained.err]).toEqual([2, "", err]);
  });

  it("does not answer at all", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await listens(() => void vi.advanceTimersByTime(10_000));
    const { code, err } = await held(() => tollgate(EXPORT));
    expect(code).toBe(2);
    expect(err).toMatch(/does not answer\n.*try again/);
  });

  const line = `{"seq":1,"previous":"${ZERO}","hash":"${ZERO}","record":"größe"}\n`;
  it.each([
    ["is another version's", `{"seq":1}\n${HEAD}`, /answers in a way that is not known\n.*another version/],
    ["is no JSON", `<html>\n${HEAD}`, /answers in a way that is not known/],
    ["ends too early", "", /broke off in the middle of its answer/],
    ["ends within a line", HEAD.slice(0, 20), /broke off in the middle of its answer/],
  ])("an answer that %s is not taken for the whole chain", async (_, rest, said) => {
    await listens(answering(200, LINES, line + rest));
    const { code, out, err } = await tollgate(EXPORT);
    expect([code, out]).toEqual([2, line]);
    expect(err).toMatch(said);
  });

  it("an answer that is cut off is not taken for the whole chain, however its bytes come", async () => {
    await listens(async (_, response) => {
      response.writeHead(200, { "content-type": LINES });
      for (const byte of Buffer.from(line)) {
        response.write(Buffer.from([byte]));
        await nextTurn();
      }
      response.destroy();
    });
    const { code, out, err } = await tollgate(EXPORT);
    expect([code, out]).toEqual([2, line]);
    expect(err).toMatch(/broke off in the middle of its answer\n.*not whole/);
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", "{}"],
    [
      "a kind without words",
      '{"pull":{"repository":"a/b","number":1,"headSha":"a"},"checkName":"t","check":{"status":"none"},"situation":{"kind":"asleep"}}',
    ],
  ])("an evaluation that is %s is not explained", async (_, body) => {
    await listens(answering(200, "application/json", body));
    const { code, out, err } = await tollgate(EXPLAIN);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/broke off|answers in a way that is not known\n.*\/tollgate recheck/);
  });

  it("is asked with the key, and its chain is printed as it comes", async () => {
    const asked: unknown[] = [];
    await listens(async (request, response) => {
      const { method, url, headers } = request;
      asked.push([method, url, headers["x-tollgate-key"], await json(request)]);
      answering(200, LINES, line + HEAD)(request, response);
    });
    const ended = await held(() => tollgate([...EXPORT, "--repository", "a b/ü&c", "--to", "2027-01-01"]));
    expect(ended).toEqual({ code: 0, out: line + HEAD, err: `head: ${ZERO} after 0 decisions\n` });
    const content = { repository: "a b/ü&c", fromMs: null, toMs: 1_798_761_600_000 };
    expect(asked).toEqual([["POST", "/tollgate/v1/local/read-audit", "k", content]]);
  });

  it("is not asked for more than the reader of the results takes", async () => {
    const MUCH = 40_000_000;
    let sent = 0;
    const many = line.repeat(1_000);
    const endless = function* () {
      for (; ; sent += many.length) yield many;
    };
    await listens((_, response) => {
      response.writeHead(200, { "content-type": LINES });
      Readable.from(endless())
        .on("error", () => {})
        .pipe(response);
    });
    vi.stubEnv("TOLLGATE_DATA", directory);
    const { promise: isRead, resolve: readAll } = Promise.withResolvers<void>();
    const results: string[] = [];
    const result = (text: string) => results.push(text);
    const ended = run(COMMANDS, EXPORT, { result, drained: () => isRead, message: () => {}, exit: () => {} });
    for (let before = -1; sent < MUCH && (results.length === 0 || sent > before); ) {
      before = sent;
      for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    }
    expect(results).toHaveLength(1); // nobody reads what is printed
    expect(sent).toBeLessThan(MUCH);
    for (const server of servers) server.closeAllConnections();
    readAll();
    await ended;
  });
});

describe("a running file of a process that is gone", () => {
  const ask = () =>
    askProcess(
      { databaseUrl: null, dataDirectory: directory },
      { path: "/tollgate/v1/local/read-audit", content: {}, type: LINES },
    );

  it("is passed over where another program listens: the database is read", async () => {
    await listens(answering(200, "text/html", "<p>"));
    const chain = expect.stringMatching(/^\{"seq":1,.*\n\{"head":\{"seq":1,.*\n$/);
    expect(await tollgate(EXPORT)).toMatchObject({ code: 0, out: chain });
  });

  it.each([
    ["a stranger", answering(200, "text/html", "<p>"), 200],
    ["another Tollgate", answering(404, "application/json", "{}"), 404],
    ["a stranger that fails", answering(500, "text/plain", ""), 500],
  ])("%s answers there, which is no answer of ours", async (_, answer, status) => {
    await listens(answer);
    expect(await ask()).toEqual({ state: "unexpected", status });
  });

  const REQUEST = { purpose: "api", repository: null, org: null, project: null } as const;
  const askToken = () =>
    askForToken(readSettings({ TOLLGATE_DATA: directory }), REQUEST).catch((error: unknown) => error);

  it.each([
    ["another Tollgate", answering(404, "application/json", "{}"), "does not know this question"],
    ["one that fails", answering(500, "text/plain", ""), "could not answer"],
    ["one that hangs up", (request) => request.socket.destroy(), "does not answer"],
  ] as [string, RequestListener, string][])(
    "%s is not taken for no process by a command that would act in its place",
    async (_, answer, said) => {
      await listens(answer);
      expect(await askToken()).toMatchObject({
        code: "running_failed",
        message: expect.stringContaining(said),
        hint: expect.stringContaining("If none runs, delete running.json"),
      });
      writeRunningFile(directory, { url: "http://127.0.0.1:1", key: "k" });
      expect(await askToken()).toBeNull();
    },
  );

  it("names an address where nobody listens", async () => {
    writeRunningFile(directory, { url: "http://127.0.0.1:1", key: "k" });
    expect(await ask()).toEqual({ state: "absent" });
  });

  it.each([
    "",
    "{",
    '{"url":"nowhere","key":"k"}',
    '{"url":"http://127.0.0.1:1"}',
    '{"url":"https://127.0.0.1:1","key":"k"}',
    '{"url":"http://127.0.0.1:1","key":"a\\nb"}',
  ])("with the content %j is ignored", async (text) => {
    writeFileSync(join(directory, "running.json"), text);
    expect(await ask()).toEqual({ state: "absent" });
  });
});

const server = inject("postgresUrl");

it.runIf(server)("with a PostgreSQL of one's own nobody is asked", async () => {
  let asked = 0;
  await listens((_, response) => {
    asked += 1;
    response.end();
  });
  vi.stubEnv("DATABASE_URL", await freshPostgres(server ?? ""));
  expect(await tollgate(EXPORT)).toMatchObject({ code: 0, out: HEAD });
  expect(asked).toBe(0);
});
