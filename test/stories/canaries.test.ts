import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { expect, inject, it, onTestFinished } from "vitest";
import { createLog, listSecrets } from "../../src/wiring/process/log.ts";
import { type Canary, findLeaks, type Gateway, openGateway } from "../world/canaries.ts";
import { dumpTables } from "../world/dump.ts";
import { freshPostgres } from "../world/engines.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";
import { createWorld } from "../world/world.ts";

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

/** Ways in which a service answers with the credentials that it was sent. */
const TROUBLES: readonly NonNullable<Gateway["instead"]>[] = [
  says(403, quoting),
  says(401, quoting),
  says(422, quoting),
  says(500, quoting),
  says(200, graphqlQuoting),
  says(200, (request) => `{"message": "${echo(request.headers)}`),
  says(302, quoting, { location: "http://127.0.0.2:1/steal" }),
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

/** A log of every level that is not told the secrets: what it must hide by name would hide what leaks. */
function openLog() {
  const lines: string[] = [];
  const log = createLog("trace", { destination: { write: (line: string) => void lines.push(line) } });
  return { log, text: () => lines.join("") };
}

it.each(runs)(
  "no credential of the App, of GitHub or of a client leaves the process, whatever GitHub quotes ($engine, $tokens installation tokens)",
  { timeout: 180_000 },
  async ({ url, tokens }) => {
    const { log, text } = openLog();
    let gateway: Gateway | undefined;
    const world = await createWorld({
      policy: POLICY,
      databaseUrl: url === null ? null : await freshPostgres(url),
      tokens,
      log,
      between: async (target) => {
        gateway = await openGateway(target);
        return gateway.url;
      },
    });
    onTestFinished(() => world.ends());
    if (gateway === undefined) throw new Error("the world opens it");
    const between = gateway;
    onTestFinished(() => between.close());
    const { privateKey, webhookSecret } = world.settings.github;
    const canaries: Canary[] = [
      { name: "private key", secret: privateKey.split("\n")[3] ?? "" },
      { name: "webhook secret", secret: webhookSecret },
    ];
    for (const purpose of ["api", "import", "notify"] as const)
      canaries.push({ name: `${purpose} token`, secret: (await world.ci.token({ purpose })).slice(-43) });
    const token = (purpose: string): string =>
      canaries.find(({ name }) => name === `${purpose} token`)?.secret ?? "";

    const passed = await world.opensPlanned(COST);
    expect(world.gate(passed)).toBe("success");

    const quoted = TROUBLES.map(() => 0);
    let requests = 0;
    between.instead = (request, response) => {
      if (/access_tokens/.test(request.url ?? "")) return false;
      const at = requests++ % (TROUBLES.length + 1);
      if (quoted[at] !== undefined) quoted[at] += 1;
      return TROUBLES[at]?.(request, response) ?? false;
    };
    const troubled = world.opensPullRequest();
    await expect.poll(() => Math.min(...quoted), { timeout: 60_000 }).toBeGreaterThan(1);
    await expect.poll(() => text().includes('"attempt":2'), { timeout: 60_000 }).toBe(true);

    let refused = 0;
    between.instead = (request, response) => {
      refused += 1;
      return says(403, quoting)(request, response);
    };
    await world.restarts();
    await world.bot.sweep();
    expect(refused).toBeGreaterThan(0); // even the token, with the App's signature quoted

    const bodies = await sendWrongCredentials(world.bot.url, [
      `tg_0123456789abcdef_${token("api")}`,
      token("notify"),
      `Bearer ${token("import")}`,
    ]);

    const seen = [...between.seen].map((secret, at) => ({ name: `GitHub credential ${at}`, secret }));
    expect(seen.length).toBeGreaterThan(1);
    const all = [...canaries, ...seen];
    const shown = [passed, troubled].flatMap((pull) => [
      ...world.comments(pull),
      ...world.github
        .checkRuns({ repository: REPOSITORY, sha: pull.headSha, appId: world.appId })
        .map((check) => JSON.stringify(check)),
    ]);
    expect(shown.length).toBeGreaterThan(1);
    expect(findLeaks(text(), all)).toEqual([]);
    expect(findLeaks(shown.join("\n"), all)).toEqual([]);
    expect(findLeaks(bodies.join("\n"), all)).toEqual([]);
    expect(findLeaks(await dumpTables(world.bot.session.store), all)).toEqual([]);
  },
);

/** The bodies with which the bot's endpoints refuse these keys. */
async function sendWrongCredentials(url: string, keys: readonly string[]): Promise<readonly string[]> {
  const doors = [
    "/api/executions",
    "/api/github/webhooks",
    "/tollgate/v1/tokens",
    "/tollgate/v1/ingest",
    `/api/orgs/${OWNER}/projects/${NAME}/executions`,
  ];
  const bodies: string[] = [];
  for (const door of doors)
    for (const key of keys) {
      const headers = {
        "x-api-key": key,
        "x-tollgate-key": key,
        "platform-account": "acc",
        "content-type": "application/json",
      };
      const answer = await fetch(`${url}${door}`, { method: "POST", headers, body: `{"secret":"${key}` });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      bodies.push(await answer.text());
    }
  return bodies;
}

it("a remote platform's token stays inside, whatever the platform quotes", { timeout: 120_000 }, async () => {
  const platform = await openGateway("http://127.0.0.1:9");
  onTestFinished(() => platform.close());
  const { log, text } = openLog();
  const remote = {
    kind: "remote",
    token: PLATFORM_TOKEN,
    account: "acc",
    dialect: "neutral",
    prefix: "",
  } as const;
  const world = await createWorld({
    policy: POLICY,
    settings: { platform: { ...remote, url: platform.url } },
    operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
    log,
  });
  onTestFinished(() => world.ends());
  const quoted = new Map(TROUBLES.map((trouble) => [trouble, 0]));
  const pulls = TROUBLES.map((_, at) => {
    const pull = world.opensPullRequest();
    const url = `${platform.url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/e${at}/pipeline`;
    world.ci.posts({ sha: pull.headSha, executionId: `e${at}`, state: "success", url });
    return pull;
  });
  platform.instead = (request, response) => {
    // Each execution has a trouble of its own; calls that name none get one after the other.
    const named = /\be(\d)\b/.exec(request.url ?? "")?.[1];
    const trouble = TROUBLES[named === undefined ? quoted.size % TROUBLES.length : Number(named)];
    if (trouble === undefined) return false;
    quoted.set(trouble, (quoted.get(trouble) ?? 0) + 1);
    return trouble(request, response);
  };
  await world.settles();
  expect(Math.min(...quoted.values())).toBeGreaterThan(0);
  const canaries = [
    { name: "platform token", secret: PLATFORM_TOKEN },
    { name: "its secret part", secret: PLATFORM_TOKEN.split(".").at(-1) ?? "" },
  ];
  const shown = pulls.flatMap((pull) => [...world.comments(pull), JSON.stringify(world.checkOf(pull))]);
  expect(findLeaks(text(), canaries)).toEqual([]);
  expect(findLeaks(shown.join("\n"), canaries)).toEqual([]);
  expect(findLeaks(await dumpTables(world.bot.session.store), canaries)).toEqual([]);
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
