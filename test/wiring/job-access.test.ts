import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { TollgateError } from "../../src/kernel/errors.ts";
import { findJobDestination } from "../../src/wiring/import/send-files.ts";

const HEAD = "a".repeat(40);
const REQUEST_TOKEN = "request-token-of-the-job";
const ACCESS = {
  ...{
    token: "tg_granted",
    expires: "2026-01-01T00:30:00.000Z",
    account: "acc",
    org: "acme",
    project: "shop",
  },
  ...{ repository: "acme/shop", repository_url: "https://github.com/acme/shop", sha: HEAD },
};

type Answer = readonly [status: number, body?: object, headers?: Readonly<Record<string, string>>];

/** GitHub Actions and a Tollgate server at one address. */
interface JobWorld {
  readonly url: string;
  /** What the server received: the id tokens and the bodies. */
  readonly exchanges: { readonly bearer: string; readonly body: unknown }[];
  readonly audiences: (string | null)[];
}

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** `answers`: of the exchange, one after the other, the last one again and again. */
async function starts(answers: readonly Answer[], actions: number = 200): Promise<JobWorld> {
  const world = { exchanges: [] as { bearer: string; body: unknown }[], audiences: [] as (string | null)[] };
  server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/actions") {
      world.audiences.push(searchParams.get("audience"));
      const isJob = request.headers.authorization === `bearer ${REQUEST_TOKEN}`;
      response
        .writeHead(isJob ? actions : 401)
        .end(JSON.stringify({ value: `id-token-${world.audiences.length}` }));
      return;
    }
    const bearer = request.headers.authorization ?? "";
    world.exchanges.push({ bearer, body: JSON.parse(await readText(request)) });
    const [status, body = {}, headers = {}] = answers[world.exchanges.length - 1] ?? answers.at(-1) ?? [500];
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return { ...world, url: `http://127.0.0.1:${address.port}` };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const finds = ({ url }: JobWorld, wanted: { sha?: string; org?: string } = {}) =>
  findJobDestination(
    { url: `${url}/`, idToken: { url: `${url}/actions?api-version=2.0`, token: REQUEST_TOKEN } },
    wanted,
    { tries: 3, pauseMs: 1, sleep: async () => {} },
  );

async function failure(world: JobWorld, wanted = {}): Promise<readonly string[]> {
  const error = await finds(world, wanted).catch((thrown: unknown) => thrown);
  if (!(error instanceof TollgateError)) expect.fail("it did not fail");
  return [error.code, error.message.replace(world.url, "SERVER"), error.hint ?? ""];
}

test("a token for imports receives the destination that it is bound to, without an id token", async () => {
  const world = await starts([[200, { ...ACCESS, token: "tg_own", expires: null }]]);
  const server = { url: world.url, token: "tg_own" };
  const retrying = { tries: 1, pauseMs: 1, sleep: async () => {} };
  expect(await findJobDestination(server, { sha: HEAD }, retrying)).toMatchObject({
    platform: { url: world.url, token: "tg_own", account: "acc" },
    ...{ org: "acme", project: "shop", repository: "acme/shop", sha: HEAD },
  });
  expect(world.audiences).toEqual([]);
  expect(world.exchanges).toEqual([{ bearer: "Bearer tg_own", body: { sha: HEAD } }]);
});

test("a job receives the destination that the server decided, for the audience of the server's URL", async () => {
  const world = await starts([[200, ACCESS]]);
  expect(await finds(world, { sha: HEAD })).toEqual({
    platform: { url: `${world.url}/`, token: "tg_granted", account: "acc" },
    ...{ org: "acme", project: "shop", repository: "acme/shop", sha: HEAD },
    repositoryUrl: "https://github.com/acme/shop",
  });
  expect(world.audiences).toEqual([world.url]);
  expect(world.exchanges).toEqual([{ bearer: "Bearer id-token-1", body: { sha: HEAD } }]);
});

test("a server that is busy is asked again, with a new id token each time", async () => {
  const world = await starts([[503, { message: "the keys cannot be read" }], [502], [200, ACCESS]]);
  expect(await finds(world)).toMatchObject({ sha: HEAD });
  expect(world.exchanges.map(({ bearer }) => bearer)).toEqual([1, 2, 3].map((at) => `Bearer id-token-${at}`));
});

test.each<[string, readonly Answer[], number, readonly string[]]>([
  [
    "the server's own reason",
    [[422, { message: "pull request #12 is not open", hint: "Send files from jobs of open pull requests." }]],
    200,
    ["platform_failed", "pull request #12 is not open", "Send files from jobs of open pull requests."],
  ],
  [
    "a server without the exchange",
    [[404, { message: "there is no such address" }]],
    200,
    [
      ...["platform_failed", "SERVER/ does not accept id tokens of CI jobs (404)"],
      "Check TOLLGATE_URL: it is the PUBLIC_URL of a Tollgate. Imports need its built-in platform.",
    ],
  ],
  [
    "a job without the permission",
    [],
    403,
    [
      ...["platform_failed", "GitHub Actions gave no id token (403)"],
      "Give the job `permissions: id-token: write`, or set TOLLGATE_TOKEN.",
    ],
  ],
])("%s is what the job reads, without a repetition", async (_, answers, actions, expected) => {
  const world = await starts(answers, actions);
  expect(await failure(world)).toEqual(expected);
  expect(world.audiences).toHaveLength(1);
});

test("an id token does not follow a redirect to another server", async () => {
  const world = await starts([[307, {}, { location: "http://127.0.0.1:1/elsewhere" }]]);
  expect((await failure(world))[1]).toBe("SERVER/ does not accept id tokens of CI jobs (307)");
  expect(world.exchanges).toHaveLength(1);
});

test("values that name nothing are refused before anything is sent", async () => {
  const world = await starts([[200, ACCESS]]);
  expect((await failure(world, { sha: "abc" })).slice(0, 2)).toEqual([
    "usage",
    "--sha: expected a full commit id",
  ]);
  expect(world.audiences).toEqual([]);
});
