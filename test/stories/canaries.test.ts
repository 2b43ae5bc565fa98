import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { createLog, listSecrets } from "../../src/wiring/process/log.ts";
import { type Canary, findLeaks, type Gateway, openGateway } from "../world/canaries.ts";
import { dumpTables } from "../world/dump.ts";
import { freshPostgres } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
const COST = { before: "10", after: "25", change: "15" };
const PLATFORM_TOKEN = "pat.acc.5f0c1a2b3c4d5e6f.Zq7-canary/of+the=platform";

/** Every credential header in every form that a careless service might quote. */
function echo(headers: IncomingHttpHeaders): string {
  const told = [headers.authorization, headers["x-api-key"]].flat().filter((value) => value !== undefined);
  const forms = told.flatMap((value) => {
    const bare = value.split(" ").at(-1) ?? value;
    return [value, bare, encodeURIComponent(bare), Buffer.from(bare).toString("base64")];
  });
  return `refused, you sent ${forms.join(" and ")}`;
}

function says(
  status: number,
  body: (request: IncomingMessage) => string,
  headers: Record<string, string> = {},
) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body(request));
    return true;
  };
}

const quoting = (request: IncomingMessage): string =>
  JSON.stringify({ message: echo(request.headers), errors: [{ message: echo(request.headers) }] });

const graphqlQuoting = (request: IncomingMessage): string =>
  JSON.stringify({ errors: [{ type: "SERVICE", message: echo(request.headers), path: [] }] });

const TROUBLES: readonly (readonly [string, Gateway["instead"]])[] = [
  ["403 that quotes the headers", says(403, quoting)],
  ["401 that quotes the headers", says(401, quoting)],
  ["422 that quotes the headers", says(422, quoting)],
  ["500 that quotes the headers", says(500, quoting)],
  ["GraphQL errors that quote the headers", says(200, graphqlQuoting)],
  ["half a JSON text", says(200, (request) => `{"message": "${echo(request.headers)}`)],
  ["a redirect that carries the headers", says(302, quoting, { location: "http://127.0.0.2:1/steal" })],
];

const servers: [string, string | null][] = [["embedded", null]];
const server = inject("postgresUrl");
if (server !== null) servers.push(["postgres", server]);
// Each form of token on one engine is enough: they do not know each other.
const runs = servers.map(([engine, url]) => ({
  engine,
  url,
  tokens: url === null ? ("long" as const) : ("short" as const),
}));

describe.each(runs)("secrets ($engine, $tokens installation tokens)", ({ url, tokens }) => {
  let world: World;
  let gateway: Gateway;
  const lines: string[] = [];
  const canaries: Canary[] = [];
  const bodies: string[] = [];

  beforeAll(async () => {
    const destination = { write: (line: string) => lines.push(line) };
    world = await createWorld({
      policy: POLICY,
      databaseUrl: url === null ? null : await freshPostgres(url),
      tokens,
      // The log is not told the secrets here: what it must hide by name would hide what leaks.
      log: createLog("trace", { destination }),
      between: async (target) => {
        gateway = await openGateway(target);
        return gateway.url;
      },
    });
    const { privateKey, webhookSecret } = world.settings.github;
    const keyLine = privateKey.split("\n")[3] ?? "";
    canaries.push(
      { name: "private key", secret: keyLine },
      { name: "webhook secret", secret: webhookSecret },
    );
    for (const purpose of ["api", "import", "notify"] as const)
      canaries.push({ name: `${purpose} token`, secret: (await world.ci.token({ purpose })).slice(-43) });
  });
  afterAll(async () => {
    gateway.close();
    await world.ends();
  });
  afterEach(() => {
    gateway.instead = null;
  });

  const token = (purpose: string): string =>
    canaries.find(({ name }) => name === `${purpose} token`)?.secret ?? "";

  async function expectSilence(pulls: readonly ReturnType<World["opensPullRequest"]>[]) {
    const tokensSeen = [...gateway.seen].map((secret, at) => ({ name: `GitHub credential ${at}`, secret }));
    expect(tokensSeen.length).toBeGreaterThan(1);
    const all = [...canaries, ...tokensSeen];
    const shown = pulls.flatMap((pull) => [
      ...world.comments(pull),
      ...world.github
        .checkRuns({ repository: REPOSITORY, sha: pull.headSha, appId: world.appId })
        .map((check) => JSON.stringify(check)),
    ]);
    expect(findLeaks(lines.join(""), all)).toEqual([]);
    expect(findLeaks(shown.join("\n"), all)).toEqual([]);
    expect(findLeaks(bodies.join("\n"), all)).toEqual([]);
    expect(findLeaks(await dumpTables(world.bot.session.store), all)).toEqual([]);
  }

  it("stay inside while all goes well", async () => {
    const pull = world.opensPullRequest();
    await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [] });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
    expect(lines.length).toBeGreaterThan(0);
    await expectSilence([pull]);
  });

  it.each(TROUBLES)("stay inside when GitHub answers with %s", async (_, trouble) => {
    const pull = world.opensPullRequest();
    let left = 3;
    gateway.instead = (request, response) => {
      if (left === 0 || trouble === null || /access_tokens/.test(request.url ?? "")) return false;
      left -= 1;
      return trouble(request, response);
    };
    await eventually(() => expect(left).toBe(0));
    await expectSilence([pull]);
  });

  it("stay inside when even the token is refused and the App's signature is quoted", async () => {
    const asked: string[] = [];
    gateway.instead = (request, response) => {
      asked.push(request.url ?? "");
      return says(403, quoting)(request, response);
    };
    await world.restarts();
    await world.bot.sweep();
    expect(asked.length).toBeGreaterThan(0);
    await expectSilence([]);
  });

  it("stay inside when what failed was tried again", async () => {
    await eventually(() => expect(lines.join("").includes('"attempt":2')).toBe(true));
    await expectSilence([]);
  });

  it("are in no response of any endpoint, whatever is sent", async () => {
    const id = "0123456789abcdef";
    const wrong = [`tg_${id}_${token("api")}`, token("notify"), `Bearer ${token("import")}`];
    const doors = [
      "/api/executions",
      "/api/github/webhooks",
      "/tollgate/v1/tokens",
      "/tollgate/v1/ingest",
      `/api/orgs/${OWNER}/projects/${NAME}/executions`,
    ];
    for (const door of doors)
      for (const key of wrong) {
        const headers = {
          "x-api-key": key,
          "x-tollgate-key": key,
          "platform-account": "acc",
          "content-type": "application/json",
        };
        const answer = await fetch(`${world.bot.url}${door}`, {
          method: "POST",
          headers,
          body: `{"secret":"${key}`,
        });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        bodies.push(await answer.text());
      }
    await expectSilence([]);
  });
});

describe("a remote platform's token", () => {
  let world: World;
  let platform: Gateway;
  const lines: string[] = [];

  beforeAll(async () => {
    platform = await openGateway("http://127.0.0.1:9");
    const remote = {
      kind: "remote",
      url: platform.url,
      token: PLATFORM_TOKEN,
      account: "acc",
      dialect: "neutral",
      prefix: "",
    } as const;
    world = await createWorld({
      policy: POLICY,
      settings: { platform: remote },
      operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
      log: createLog("trace", { destination: { write: (line: string) => lines.push(line) } }),
    });
  });
  afterAll(async () => {
    await world.ends();
    platform.close();
  });

  it.each([...TROUBLES])("stays inside when the platform answers with %s", async (_, trouble) => {
    let asked = 0;
    platform.instead = (request, response) => {
      asked += 1;
      return trouble?.(request, response) ?? false;
    };
    const pull = world.opensPullRequest();
    const url = `${platform.url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/e1/pipeline`;
    world.ci.posts({ sha: pull.headSha, executionId: "e1", state: "success", url });
    await world.settles();
    expect(asked).toBeGreaterThan(0);
    const canaries = [
      { name: "platform token", secret: PLATFORM_TOKEN },
      { name: "its secret part", secret: PLATFORM_TOKEN.split(".").at(-1) ?? "" },
    ];
    const shown = [...world.comments(pull), JSON.stringify(world.checkOf(pull))].join("\n");
    expect(findLeaks(lines.join(""), canaries)).toEqual([]);
    expect(findLeaks(shown, canaries)).toEqual([]);
    expect(findLeaks(await dumpTables(world.bot.session.store), canaries)).toEqual([]);
  });
});

it("the log knows which of the settings are secrets", () => {
  const lines: string[] = [];
  const github = {
    appId: 1,
    privateKey: `-----BEGIN PRIVATE KEY-----\n${"kK9/".repeat(16)}\n-----END PRIVATE KEY-----\n`,
    webhookSecret: "hook-canary-0123456789",
  };
  const platform = {
    kind: "remote",
    url: "https://p.example",
    token: PLATFORM_TOKEN,
    account: "acc",
    dialect: "live",
    prefix: "",
  } as const;
  const databaseUrl = "postgres://tollgate:pg-canary%2F1@db.example/tollgate";
  const encryptionKey = "key-canary-0123456789-0123456789-01";
  const signIn = { clientId: "Iv1.0123456789abcdef", clientSecret: "client-canary-0123456789" };
  const target = { kind: "slack", name: "finops", url: "https://hooks.example/services/slack-canary-01" };
  const operator = {
    webhook_secrets: { hook: "registry-canary-0123456789" },
    notifications: { targets: [target] },
  };
  const secrets = listSecrets({
    github,
    signIn,
    platform,
    databaseUrl,
    encryptionKey,
    operator,
  } as unknown as Parameters<typeof listSecrets>[0]); // it reads these members alone
  const log = createLog("trace", { secrets, destination: { write: (line) => lines.push(line) } });
  const error = Object.assign(new Error(`cannot reach ${databaseUrl}`), {
    request: { headers: { authorization: "xyzzy" } },
    parameters: ["xyzzy"],
  });
  log.warn(
    { err: error, error, a: { b: { c: { token: "xyzzy" } } }, Authorization: `token ${"t".repeat(40)}` },
    `${github.webhookSecret} ${github.privateKey} ${encryptionKey} ${operator.webhook_secrets.hook} ${signIn.clientSecret} ${target.url}`,
  );
  log.warn(
    JSON.stringify({
      key: github.privateKey,
      url: encodeURIComponent(PLATFORM_TOKEN),
      basic: Buffer.from(PLATFORM_TOKEN).toString("base64"),
    }),
  );
  log.warn(String(error));
  const canaries = [
    github.webhookSecret,
    encryptionKey,
    operator.webhook_secrets.hook,
    signIn.clientSecret,
    "slack-canary-01",
    "kK9/".repeat(16),
    PLATFORM_TOKEN,
    "pg-canary%2F1",
    "pg-canary/1",
    "xyzzy",
    "t".repeat(40),
  ];
  expect(
    findLeaks(
      lines.join(""),
      canaries.map((secret) => ({ name: secret, secret })),
    ),
  ).toEqual([]);
  expect(lines.join("")).toContain("cannot reach");
});
