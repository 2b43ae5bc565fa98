import { expect, it, onTestFinished } from "vitest";
import { createLog, listSecrets } from "../../src/wiring/process/log.ts";
import { createSimulatedWorld } from "../simulation/simulated-world.ts";
import { type Canary, findLeaks, TROUBLES } from "../world/canaries.ts";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { dumpTables } from "../world/dump.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";

const METRICS_TOKEN = "metrics-canary-0123456789";

/** A log of every level that is not told the secrets: what it must hide by name would hide what leaks. */
function openLog() {
  const lines: string[] = [];
  const log = createLog("trace", { destination: { write: (line: string) => void lines.push(line) } });
  return { log, text: () => lines.join("") };
}

it.each(["short", "long"] as const)(
  "no credential of the App, of GitHub, of a person or of a client gets out, whatever GitHub quotes (%s installation tokens)",
  async (tokens) => {
    const { log, text } = openLog();
    const telemetry = { metricsPort: null, metricsToken: METRICS_TOKEN, tracesUrl: null };
    const world = await createSimulatedWorld({ policy: STRICT, tokens, log, settings: { telemetry } });
    onTestFinished(() => world.ends());
    const { privateKey, webhookSecret } = world.settings.github;
    const canaries: Canary[] = [
      { name: "private key", secret: privateKey.split("\n")[3] ?? "" },
      { name: "webhook secret", secret: webhookSecret },
      { name: "client secret", secret: world.settings.signIn?.clientSecret ?? "" },
      { name: "metrics token", secret: METRICS_TOKEN },
    ];
    const token = { api: "", import: "", notify: "" };
    for (const purpose of ["api", "import", "notify"] as const) {
      token[purpose] = (await world.ci.token({ purpose })).slice(-43);
      canaries.push({ name: `${purpose} token`, secret: token[purpose] });
    }
    const seen = new Set<string>();
    const quoted = TROUBLES.map(() => 0);
    let requests = 0;
    /** Each trouble in its turn; then GitHub's own answer. */
    const quotes = ({ url, headers }: Request): Response | null => {
      const sent = headers.get("authorization");
      if (sent !== null) seen.add(sent.split(" ")[1] ?? "");
      const at = requests++ % (TROUBLES.length + 1);
      const trouble = TROUBLES[at]?.(sent === null ? [] : [sent]);
      if (trouble === undefined || (/access_tokens/.test(url) && !isTokenRefused)) return null;
      quoted[at] = (quoted[at] ?? 0) + 1;
      return new Response(trouble.body, trouble);
    };
    let isTokenRefused = false;

    const passed = await world.opensPlanned(CHEAP);
    expect(world.gate(passed)).toBe("success");
    const ada = await world.signsIn("ada");

    world.instead = quotes;
    const troubled = world.opensPullRequest();
    for (let minutes = 0; minutes < 180 && Math.min(...quoted) < 2; minutes += 1) await world.goesOn(60_000);
    expect(Math.min(...quoted)).toBeGreaterThan(1);
    expect(text()).toContain('"attempt":2');
    await ada.opens("/");
    isTokenRefused = true; // with the App's signature quoted
    await world.goesOn(65 * 60_000);
    await world.bot.sweep();

    world.instead = () => null;
    await world.goesOn(10 * 60_000);
    const blocked = await world.opensPlanned(EXPENSIVE);
    const bodies = await sendWrongCredentials(world, [
      `tg_0123456789abcdef_${token.api}`,
      token.notify,
      `Bearer ${token.import}`,
    ]);
    const metrics = await world.fetch(`${world.bot.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const pages = [
      await metrics.text(),
      ...(await Promise.all(
        [`/r/${REPOSITORY}/pull/${passed.number}`, `/r/${REPOSITORY}`, "/"].map((path) => ada.reads(path)),
      )),
    ];
    const shown = [passed, troubled, blocked].flatMap((pull) => [
      ...world.comments(pull),
      ...world.github
        .checkRuns({ repository: REPOSITORY, sha: pull.headSha, appId: world.appId })
        .map((check) => JSON.stringify(check)),
    ]);
    const all = [
      ...canaries,
      ...[...seen].map((secret, at) => ({ name: `GitHub credential ${at}`, secret })),
    ];
    expect(seen.size).toBeGreaterThan(2);
    expect(shown.length).toBeGreaterThan(3);
    expect(world.strays).toEqual([]);
    const outputs = { log: text(), shown, bodies, pages };
    for (const [name, output] of Object.entries(outputs))
      expect([name, findLeaks([output].flat().join("\n"), all)]).toEqual([name, []]);
    const stored = `${await dumpTables(world.bot.session.store)}${world.listJobs()}`;
    expect(findLeaks(stored, all)).toEqual([]);
  },
);

/** The bodies with which the bot's endpoints refuse these keys. */
async function sendWrongCredentials(
  world: Awaited<ReturnType<typeof createSimulatedWorld>>,
  keys: readonly string[],
): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (const path of [
    "/api/executions",
    "/tollgate/v1/local/create-token",
    "/tollgate/v1/ingest",
    `/api/orgs/${OWNER}/projects/${NAME}/executions`,
  ])
    for (const key of keys) {
      const headers = {
        "x-api-key": key,
        "x-tollgate-key": key,
        "platform-account": "acc",
        "content-type": "application/json",
      };
      const body = `{"secret":"${key}`;
      const answer = await world.fetch(`${world.bot.url}${path}`, { method: "POST", headers, body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      bodies.push(await answer.text());
    }
  return bodies;
}

const PLATFORM_TOKEN = "pat.acc.5f0c1a2b3c4d5e6f.Zq7-canary/of+the=platform";

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
    telemetry: { metricsToken: null },
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
