import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { formatExamination, toExaminationJson } from "../../src/cli/commands/doctor.ts";
import { TollgateError } from "../../src/kernel/errors.ts";
import type { Environment } from "../../src/settings/read.ts";
import { saveResolvedNames } from "../../src/store/resolved-names.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { type Examination, examineInstallation } from "../../src/wiring/doctor/examine.ts";
import { fixIds } from "../../src/wiring/doctor/fix-ids.ts";
import { githubProbes } from "../../src/wiring/doctor/github-probes.ts";
import { serveHttp } from "../platform/loopback.ts";
import { performHere } from "../policy/perform-here.ts";
import { openInbox } from "../sandbox/lab.ts";
import { emptyPostgres } from "../world/engines.ts";
import { DOCUMENTS } from "../world/graphql-documents.ts";
import { OWNER, REPOSITORY } from "../world/places.ts";
import { movableClock } from "../world/time.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = "version: 1\nrules:\n  - { id: increase, limit: { increase: 100 USD } }\n";
const keys = systemRandom.keyPair();
const REFUSED = new TollgateError("settings_invalid", "it is refused", { hint: "Correct it." });

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate doctor "));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** The text with what differs from run to run under fixed names. */
const steady = (text: string): string =>
  text
    .replaceAll(folder, "FOLDER")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\b\d{4,}\b/g, "NUMBER")
    .replaceAll(/differs by \d+ (ms|second)s?/g, "differs by N $1");

/** Only the lines that need attention; what was skipped is in the whole texts. */
const attention = (examination: Examination): string =>
  steady(
    formatExamination({
      ...examination,
      probes: examination.probes.filter(({ result: { state } }) => state !== "ok" && state !== "skipped"),
    }),
  );

/** A GitHub with the App installed on acme/shop, whose deliveries something accepts. Nothing of Tollgate runs. */
interface Site {
  readonly github: Sandbox;
  readonly appId: number;
  readonly installationId: number;
  readonly inbox: Awaited<ReturnType<typeof openInbox>>;
  readonly environment: Readonly<Record<string, string>>;
}

async function openSite(policy: string | null = POLICY): Promise<Site> {
  const random = { ...systemRandom, keyPair: () => keys };
  const github = await createSandbox({ clock: movableClock(), random, documents: DOCUMENTS });
  onTestFinished(() => github.close());
  github.createOwner({ login: OWNER, type: "organisation", admin: "ada" });
  const files = { "README.md": "# shop\n", ...(policy === null ? {} : { ".github/tollgate.yml": policy }) };
  github.createRepository({ owner: OWNER, name: "shop", files });
  const inbox = await openInbox();
  const publicUrl = inbox.url.replace("/hook", "");
  const webhookUrl = `${publicUrl}/api/github/webhooks`;
  const app = await github.registerApp({ name: "Tollgate", webhookUrl });
  const { id: installationId } = github.installApp({ appId: app.id, owner: OWNER });
  const check = { context: "tollgate: main", appId: app.id };
  github.protectBranch({ repository: REPOSITORY, branch: "main", requiredChecks: [check] });
  await github.deliveries.settled();
  const environment = {
    APP_ID: String(app.id),
    PRIVATE_KEY: app.privateKey,
    WEBHOOK_SECRET: app.webhookSecret,
    GITHUB_CLIENT_ID: app.clientId,
    GITHUB_CLIENT_SECRET: app.clientSecret,
    GHE_HOST: github.url,
    PUBLIC_URL: publicUrl,
    TOLLGATE_DATA: join(folder, "data"),
  };
  return { github, appId: app.id, installationId, inbox, environment };
}

const examine = (environment: Environment) =>
  examineInstallation(environment, { repository: REPOSITORY, timeoutMs: 15_000, perform: performHere });

describe("a healthy installation", () => {
  let world: World;
  afterEach(() => world.ends());

  it("passes every line beside the running process, and nothing is written anywhere", async () => {
    world = await createWorld({ policy: POLICY, databaseUrl: null });
    await world.opensPlanned();
    const { github, settings } = world;
    const environment = {
      APP_ID: String(settings.github.appId),
      PRIVATE_KEY: settings.github.privateKey,
      WEBHOOK_SECRET: settings.github.webhookSecret,
      GITHUB_CLIENT_ID: settings.signIn?.clientId,
      GITHUB_CLIENT_SECRET: settings.signIn?.clientSecret,
      GHE_HOST: github.url,
      PUBLIC_URL: settings.publicUrl ?? "",
      PORT: String(settings.port),
      TOLLGATE_DATA: settings.dataDirectory,
    };
    const decisions = () => sql`select count(*)::int as n from decisions`.execute(world.bot.session.store.db);
    const before = [await decisions(), readdirSync(settings.dataDirectory)];
    github.requests.clear();
    const examination = await examine(environment);
    expect(
      steady(formatExamination(examination)).replaceAll(settings.dataDirectory, "DATA"),
    ).toMatchInlineSnapshot(`
      "Settings
        ok       settings            can be used; App NUMBER
        ok       public address      http://127.0.0.1:PORT
        ok       templates           as shipped
        ok       notifications       none; no notifications are sent
        ok       names               none; ids alone

      Storage
        ok       database            embedded, in DATA; used by the Tollgate at http://127.0.0.1:PORT
        ok       migrations          all applied; the running Tollgate is ready
        ok       clock               the embedded database uses the clock of this machine

      GitHub
        ok       App                 Tollgate (NUMBER), http://127.0.0.1:PORT/apps/tollgate
        ok       permissions         as in app.yml (8)
        ok       events              as in app.yml (9)
        ok       installations       acme (all repositories)
        ok       rate limits         acme NUMBER of NUMBER
        ok       clock               GitHub's differs by N second
        ok       webhook             http://127.0.0.1:PORT/api/github/webhooks
        ok       deliveries          8 of the last 8 accepted; newest TIME
        ok       sign-in             at http://127.0.0.1:PORT/sign-in; GitHub must know http://127.0.0.1:PORT/sign-in/callback as callback URL

      Platform
        ok       platform            embedded, account tollgate
        ok       audit events        link executions to commits
        ok       trusted posters     none; the embedded platform needs none
        ok       grants              none; repositories have the project of their own name

      Policies
        ok       organisation files  can be read in 1 organisation
        ok       policy files        1 file valid, in 1 repository
        ok       required check      "tollgate: main" of this App, by branch protection of acme/shop
        ok       other checks        no other App or user reports "tollgate: main" (1 open pull request)

      Everything is in order."
    `);
    const writes = github.requests.list().filter(({ method }) => method !== "GET");
    const paths = writes.map(({ path }) =>
      path.replace(/^\/applications\/[^/]+/, "/applications/ID").replace(/\d+/, "N"),
    );
    // GitHub's check of a token is a POST, because a token belongs in no address; it changes nothing.
    expect(new Set(paths)).toEqual(new Set(["/app/installations/N/access_tokens", "/applications/ID/token"]));
    expect([await decisions(), readdirSync(settings.dataDirectory)]).toEqual(before);
  });
});

describe("a broken installation:", () => {
  it("nothing is configured", async () => {
    const examination = await examineInstallation(
      { TOLLGATE_DATA: join(folder, "data") },
      { repository: null },
    );
    expect(steady(formatExamination(examination))).toMatchInlineSnapshot(`
      "Settings
        ok       settings            can be used
        warning  public address      PUBLIC_URL is not set: comments do not link to Tollgate, and several replicas cannot share the embedded platform
                                     -> Set PUBLIC_URL to the address at which GitHub, people and CI reach Tollgate.
        ok       templates           as shipped
        ok       notifications       none; no notifications are sent
        ok       names               none; ids alone

      Storage
        ok       database            embedded, in FOLDER/data; the first start creates it
        ok       clock               the embedded database uses the clock of this machine
        skipped  migrations: no Tollgate uses the embedded database now, and opening it would write

      GitHub
        FAILED   App                 no GitHub App is configured
                                     -> Run \`tollgate start\`: it prints a link to pages that register one.
        skipped  permissions, events, installations, rate limits, clock, webhook, deliveries, sign-in: needs a GitHub App

      Platform
        ok       platform            embedded, account tollgate
        ok       audit events        link executions to commits
        skipped  trusted posters, grants: needs a GitHub App

      Policies
        skipped  organisation files, policy files, required check, other checks: needs a GitHub App

      1 failed, 1 warning."
    `);
    expect(existsSync(join(folder, "data"))).toBe(false);
  });

  it("the key of another App", async () => {
    const { environment } = await openSite();
    const other = systemRandom.keyPair();
    const examination = await examine({ ...environment, PRIVATE_KEY: (await other).privateKey });
    expect(attention(examination)).toMatchInlineSnapshot(`
      "GitHub
        FAILED   App  GitHub rejects the credentials of App NUMBER: A JSON web token could not be decoded - https://docs.github.com/rest
                      -> APP_ID and the private key must be of one App. Its settings page at GitHub shows the ID and generates a new key.

      1 failed."
    `);
  });

  it("a permission that nobody accepted, and a suspended installation", async () => {
    const { environment, github, installationId, appId } = await openSite();
    github.setInstallationPermissions({
      installationId,
      permissions: {
        checks: "read",
        contents: "read",
        issues: "read",
        metadata: "read",
        pull_requests: "write",
      },
    });
    github.createOwner({ login: "umbrella", type: "organisation", admin: "eve" });
    github.suspendInstallation(github.installApp({ appId, owner: "umbrella" }).id);
    await github.deliveries.settled();
    const { probes } = await examine(environment);
    const consent = probes.filter(({ id }) => id === "github_installations");
    expect(attention({ state: "failed", probes: consent })).toMatchInlineSnapshot(`
      "GitHub
        FAILED   installations  acme has not accepted checks: write, members: read, merge_queues: read, statuses: read
                                -> An owner of acme reviews the request and accepts it: http://127.0.0.1:PORT/organizations/acme/settings/installations/NUMBER
                                umbrella suspended the App
                                -> Unsuspend it: http://127.0.0.1:PORT/organizations/umbrella/settings/installations/NUMBER

      1 failed."
    `);
  });

  it("a webhook that leads elsewhere, where deliveries are answered with 404", async () => {
    const { environment, github, appId, inbox } = await openSite();
    inbox.answer = 404;
    github.setWebhookUrl({ appId, url: `${inbox.url}/old` });
    github.push({ repository: REPOSITORY, branch: "more", files: { "a.tf": "" } });
    await github.deliveries.settled();
    expect(attention(await examine(environment))).toMatchInlineSnapshot(`
      "GitHub
        FAILED   webhook     GitHub delivers to http://127.0.0.1:PORT/hook/old, not to http://127.0.0.1:PORT/api/github/webhooks
                             -> Set the webhook URL on the App's settings page to http://127.0.0.1:PORT/api/github/webhooks.
        FAILED   deliveries  1 of the last 3 accepted; the last lost one: check_suite.requested at TIME, answered with 404
                             -> Something else answers there. The webhook URL must end with /api/github/webhooks, and a proxy must forward that path.

      2 failed."
    `);
  });

  it("names in the operator's file that nobody has, and those that somebody has", async () => {
    const { environment } = await openSite();
    const TOLLGATE_SETTINGS = file(
      "tollgate.yml",
      `# who may see what
grants:
  - { owner: ${OWNER}, repository: ${REPOSITORY}, org: default } # the shop
  - { owner: Umbrella, repository: umbrella/x, org: default }
trusted_posters:
  users: ["ada", nobody]
  apps: [tollgate]
`,
    );
    const names = { ...environment, TOLLGATE_SETTINGS };
    expect(attention(await examine(names))).toMatchInlineSnapshot(`
      "Settings
        FAILED   names  the account umbrella is unknown to GitHub, or the App does not cover it; it grants nothing until the next start
                        -> Correct the name or write the id that is meant, or install the App there; then restart Tollgate.
                        the repository umbrella/x cannot be read: the App is not installed there; it grants nothing until the next start
                        -> Correct the name or write the id that is meant, or install the App there; then restart Tollgate.
                        the account nobody is unknown to GitHub, or the App does not cover it; it grants nothing until the next start
                        -> Correct the name or write the id that is meant, or install the App there; then restart Tollgate.

      1 failed."
    `);
    expect(await fixIds(names)).toMatchObject({ file: TOLLGATE_SETTINGS });
    expect(readFileSync(TOLLGATE_SETTINGS, "utf8").replaceAll(/\b\d+\b/g, "ID")).toBe(
      `# who may see what
grants:
  - { owner: ID, repository: ID, org: default } # the shop
  - { owner: Umbrella, repository: umbrella/x, org: default }
trusted_posters:
  users: [ID, nobody]
  apps: [ID]
`,
    );
  });

  it("names that others took over keep the stored ids where ids are asked for, although nothing runs on the database", async () => {
    const { environment } = await openSite();
    const store = await openDatabase(
      { kind: "directory", directory: environment["TOLLGATE_DATA"] ?? "" },
      () => {},
    );
    await saveResolvedNames(store.db, [{ kind: "account", name: OWNER, id: 1 }], new Date(0));
    await store.close();
    const text = `grants: [{ owner: ${OWNER}, org: default }]\n`;
    const TOLLGATE_SETTINGS = join(folder, "link.yml");
    symlinkSync(file("tollgate.yml", text), TOLLGATE_SETTINGS);
    const { names } = await fixIds({ ...environment, TOLLGATE_SETTINGS });
    expect(names).toEqual([
      {
        kind: "account",
        name: OWNER,
        id: 1,
        problem: expect.stringMatching(/^is another account now, \d+; the id 1 stays in force$/),
      },
    ]);
    expect(readFileSync(join(folder, "tollgate.yml"), "utf8")).toBe(text.replace(OWNER, "1"));
    expect(lstatSync(TOLLGATE_SETTINGS).isSymbolicLink()).toBe(true);
  });

  it.each([
    ["a name in a block", Buffer.from(`grants:\n  - owner: |-\n      ${OWNER}\n    org: default\n`)],
    [
      "a comment that is not UTF-8",
      Buffer.from(`# caf\xe9\ngrants: [{ owner: ${OWNER}, org: default }]\n`, "latin1"),
    ],
  ])("a file with %s is not changed where ids are asked for, and the ids are said", async (_, bytes) => {
    const { environment } = await openSite();
    const TOLLGATE_SETTINGS = join(folder, "tollgate.yml");
    writeFileSync(TOLLGATE_SETTINGS, bytes);
    await expect(fixIds({ ...environment, TOLLGATE_SETTINGS })).rejects.toMatchObject({
      code: "usage",
      hint: expect.stringMatching(new RegExp(`^Write the ids yourself: ${OWNER}: \\d+$`)),
    });
    expect(readFileSync(TOLLGATE_SETTINGS)).toEqual(bytes);
  });

  it("grants and trusted posters that name nobody", async () => {
    const { environment } = await openSite();
    const TOLLGATE_SETTINGS = file(
      "tollgate.yml",
      "grants:\n  - { owner: 1, org: default }\ntrusted_posters: { users: [2], apps: [3] }\n",
    );
    expect(attention(await examine({ ...environment, TOLLGATE_SETTINGS }))).toMatchInlineSnapshot(`
      "Platform
        FAILED   trusted posters  no account has the id 2
                                  -> Correct it in trusted_posters.users: \`gh api users/LOGIN --jq .id\` prints an id.
        warning  grants           grants[0] names the owner 1, where the App covers nothing
                                  -> Correct the id, install the App there, or remove the grant: \`gh api repos/OWNER/NAME --jq '.owner.id, .id'\` prints both ids.

      1 failed, 1 warning."
    `);
  });

  it("a policy file that cannot be used", async () => {
    const { environment } = await openSite("version: 1\nrules:\n  - { id: a, limit: { incraese: 5 USD } }\n");
    expect(attention(await examine(environment))).toMatchInlineSnapshot(`
      "Policies
        FAILED   policy files  acme/shop:.github/tollgate.yml:3:23 rules[0].limit.incraese is not a key here; did you mean increase?
                               -> Its pull requests fail until it is corrected; \`tollgate policy check FILE\` lists every problem.

      1 failed."
    `);
  });

  it("people of a policy who cannot act as it says", async () => {
    const people = "approve: { users: [ada, bob, nobody-here, shop-bumper], teams: [finops, finpos] }";
    const scope = "scope: { authors: [shop-bumper], not: { authors: ['shop-bumper[bot]', ghost] } }";
    const { environment, github } = await openSite(
      `version: 1\nrules:\n  - id: cost\n    limit: { increase: 5 USD }\n    ${people}\n    ${scope}\n`,
    );
    github.createBot("shop-bumper");
    github.createOwner({ login: "bob", type: "user" });
    github.createTeam({ organisation: OWNER, slug: "finops", members: ["ada"] });
    expect(attention(await examine(environment))).toMatchInlineSnapshot(`
      "Policies
        warning  policy files  acme/shop:.github/tollgate.yml:5:29 rules[0].approve.users[1] bob may not write to acme/shop, so no word of theirs counts
                               -> Give bob write access to acme/shop, or name somebody who has it.
                               acme/shop:.github/tollgate.yml:5:34 rules[0].approve.users[2] GitHub has no account nobody-here
                               -> Correct the name in the policy file.
                               acme/shop:.github/tollgate.yml:5:47 rules[0].approve.users[3] shop-bumper is an App, which approves nothing and overrides nothing
                               -> Correct the name in the policy file.
                               acme/shop:.github/tollgate.yml:5:77 rules[0].approve.teams[1] the team acme/finpos does not exist, so nobody is in it
                               -> Correct the name in the policy file.
                               acme/shop:.github/tollgate.yml:6:24 rules[0].scope.authors[0] is no account; the App is "shop-bumper[bot]"
                               -> Correct the name in the policy file.
                               acme/shop:.github/tollgate.yml:6:75 rules[0].scope.not.authors[1] GitHub has no account ghost
                               -> Correct the name in the policy file.

      1 warning."
    `);
  });

  it("people of an organisation's policy, once and without the rights of one repository", async () => {
    const { environment, github } = await openSite();
    github.createOwner({ login: "bob", type: "user" });
    const policy =
      "version: 1\nrules:\n  - id: cost\n    limit: { total: 5 USD }\n    approve: { users: [bob, nobody-here], teams: [finpos] }\n";
    github.createRepository({ owner: OWNER, name: "other", files: { ".github/tollgate.yml": POLICY } });
    github.createRepository({ owner: OWNER, name: ".github", files: { "tollgate.yml": policy } });
    await github.deliveries.settled();
    expect(attention(await examine(environment))).toMatchInlineSnapshot(`
      "Policies
        warning  policy files  acme/.github:tollgate.yml:5:29 rules[0].approve.users[1] GitHub has no account nobody-here
                               -> Correct the name in the policy file.
                               acme/.github:tollgate.yml:5:51 rules[0].approve.teams[0] the team acme/finpos does not exist, so nobody is in it
                               -> Correct the name in the policy file.

      1 warning."
    `);
    const none = await examine({ ...environment, ORG_POLICY: "none:acme" });
    expect(attention(none)).toBe("Everything is in order.");
  });

  it("a policy file of another ending", async () => {
    const { environment, github } = await openSite(null);
    github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yaml": POLICY } });
    expect(attention(await examine(environment))).toContain(
      "acme/shop:.github/tollgate.yaml has another ending and is not read",
    );
  });

  it.each(["tollgate.yaml", ".github/tollgate.yml"])(
    "an organisation's policy that is not read, because it is at %s",
    async (path) => {
      const { environment, github } = await openSite();
      github.createRepository({ owner: OWNER, name: ".github", files: { [path]: POLICY } });
      await github.deliveries.settled();
      const text = `FAILED   organisation files  acme/.github:${path} is not read as the organisation's policy, and every gate of acme fails`;
      expect(attention(await examine(environment))).toContain(text);
      const none = await examine({ ...environment, ORG_POLICY: "none:acme" });
      expect(attention(none)).toBe("Everything is in order.");
    },
  );

  it("selected repositories without the organisation's own, unless it is said to have no policy", async () => {
    const { environment, github, installationId, appId } = await openSite();
    github.uninstallApp(installationId);
    github.installApp({ appId, owner: OWNER, repositories: ["shop"] });
    await github.deliveries.settled();
    const without = await examine({ ...environment, ORG_POLICY: "none:Acme" });
    expect(attention(without)).toBe("Everything is in order.");
    const others = await examine({ ...environment, ORG_POLICY: "none:umbrella,globex" });
    expect(attention(others)).toContain("set ORG_POLICY=none:umbrella,globex,acme.");
    expect(attention(await examine(environment))).toMatchInlineSnapshot(`
      "Policies
        FAILED   organisation files  the App covers selected repositories of acme without acme/.github: whether there is an organisation's policy is unknown, and the gate fails
                                     -> If it has one, add .github to the installation (http://127.0.0.1:PORT/organizations/acme/settings/installations/NUMBER); if it has none, set ORG_POLICY=none:acme.

      1 failed."
    `);
  });

  it("a PostgreSQL that is down, and settings that cannot be used", async () => {
    const { environment } = await openSite();
    const broken = { ...environment, DATABASE_URL: "postgres://bot:hunter2@127.0.0.1:1/x", PORT: "http" };
    expect(attention(await examine(broken))).toMatchInlineSnapshot(`
      "Settings
        FAILED   settings  PORT: must be a number from 0 to NUMBER
                           -> Correct it in the environment or in .env; docs/operations/settings.md lists every setting.

      Storage
        FAILED   database  the PostgreSQL of DATABASE_URL cannot be used: nothing listens on its address (user bot, database x, 127.0.0.1:PORT)
                           -> Start PostgreSQL. If it moved, correct DATABASE_URL and restart Tollgate.

      2 failed."
    `);
  });

  it("a platform that rejects the token", async () => {
    const platform = await serveHttp((_request, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"status":"ERROR","code":"INVALID_TOKEN","message":"Token is not valid"}');
    });
    onTestFinished(() => platform.stop());
    const { state, probes } = await examineInstallation(
      {
        PLATFORM_URL: `http://127.0.0.1:${platform.port}`,
        PLATFORM_TOKEN: "pat.a.b.c",
        PLATFORM_ACCOUNT: "a",
      },
      { repository: null },
    );
    const own = probes.filter(({ id }) => id.startsWith("platform"));
    expect(steady(formatExamination({ state, probes: own }))).toMatchInlineSnapshot(`
      "Platform
        FAILED   platform      http://127.0.0.1:PORT answers 401: governance prompt-resources: answered 401: Token is not valid
                               -> PLATFORM_TOKEN is wrong, expired or of another account.
        ok       audit events  cannot be read on this platform; statuses, checks and notifications link executions to commits

      1 failed."
    `);
  });
});

describe("the required check of --repository", () => {
  const required = async (change: (site: Site) => void): Promise<string> => {
    const site = await openSite();
    change(site);
    const { state, probes } = await examine(site.environment);
    const { result } = probes.find(({ id }) => id === "required_check") ?? {};
    expect(state).not.toBe(result?.state === "ok" ? "failed" : "ok");
    return steady(result?.state === "ok" ? result.found : JSON.stringify(result));
  };
  const protect = (site: Site, requiredChecks: Parameters<Sandbox["protectBranch"]>[0]["requiredChecks"]) =>
    site.github.protectBranch({ repository: REPOSITORY, branch: "main", requiredChecks });

  it("is found in a ruleset", async () => {
    const found = await required(({ github, appId }) =>
      github.protectBranch({
        repository: REPOSITORY,
        branch: "main",
        requiredChecks: [{ context: "tollgate: main", appId }],
        kind: "ruleset",
      }),
    );
    expect(found).toBe('"tollgate: main" of this App, by a ruleset of acme/shop');
  });

  it.each([
    ["is missing", [], "nothing requires"],
    [
      "is required from any source",
      [{ context: "tollgate: main", appId: null }],
      "every App and workflow can set it",
    ],
    ["is required from another App", [{ context: "tollgate: main", appId: 5 }], "from another App"],
  ])("%s", async (_what, checks, found) => {
    expect(await required((site) => void protect(site, checks))).toContain(found);
  });

  it("is missing under the name that the policy gives, which the check does not have until then", async () => {
    const text = "version: 1\ncheck_names: [{ branch: main, name: cost gate }]\n";
    const files = { ".github/tollgate.yml": text };
    const found = await required(
      ({ github }) => void github.push({ repository: REPOSITORY, branch: "main", files }),
    );
    expect(found).toContain("cost gate");
    expect(found).toContain("Until then the check is called");
  });

  it("a status of the same name by somebody else is reported", async () => {
    const { environment, github } = await openSite();
    github.createOwner({ login: "mallory", type: "user" });
    github.push({ repository: REPOSITORY, branch: "more", files: { "a.tf": "" } });
    const { headSha: sha } = github.openPullRequest({ repository: REPOSITORY, head: "more", title: "More" });
    const status = { repository: REPOSITORY, sha, context: "tollgate: main", state: "success" } as const;
    github.postStatus({ ...status, creator: "mallory", targetUrl: "https://ci.example.com/1" });
    await github.deliveries.settled();
    expect(attention(await examine(environment))).toMatchInlineSnapshot(`
      "Policies
        warning  other checks  somebody also reports "tollgate: main" on pull request #1
                               -> Tollgate never reads it. Rename the other check; require the check with this App as its source.

      1 warning."
    `);
  });
});

describe("the credentials of sign-in", () => {
  const examineSignIn = async (changes: Environment) => {
    const { environment } = await openSite();
    const { probes } = await examineInstallation(
      { ...environment, ...changes },
      { repository: null, probes: githubProbes.filter(({ id }) => id === "sign_in"), perform: performHere },
    );
    const result = probes[0]?.result;
    return [result?.state, result !== undefined && "problems" in result ? result.problems[0].found : ""];
  };

  it.each<[string, Environment, string, string]>([
    [
      "a missing client id and secret",
      { GITHUB_CLIENT_ID: "", GITHUB_CLIENT_SECRET: "" },
      "warning",
      "are not set",
    ],
    ["a missing public address", { PUBLIC_URL: "" }, "warning", "PUBLIC_URL"],
    ["an address without TLS", { PUBLIC_URL: "http://tollgate.example.com" }, "warning", "in clear"],
    ["the client id of another App", { GITHUB_CLIENT_ID: "Iv23liOther" }, "failed", "the App's is"],
    ["a wrong client secret", { GITHUB_CLIENT_SECRET: "wrong" }, "failed", "rejects GITHUB_CLIENT_SECRET"],
  ])("the doctor names %s", async (_name, changes, state, words) => {
    expect(await examineSignIn(changes)).toEqual([state, expect.stringContaining(words)]);
  });
});

it.runIf(inject("postgresUrl"))("a PostgreSQL without tables is reported, and gets none", async () => {
  const url = await emptyPostgres(inject("postgresUrl") ?? "");
  const look = async () => {
    const { probes } = await examineInstallation({ DATABASE_URL: url }, { repository: null });
    return probes.filter(({ area }) => area === "Storage").map(({ result }) => result);
  };
  const first = await look();
  expect(first).toMatchObject([
    { state: "ok", found: expect.stringMatching(/^PostgreSQL \d+\.\d+$/) },
    { state: "warning", problems: [{ found: "the database has no tables yet" }] },
    { state: "ok" },
  ]);
  expect((await look())[1]).toEqual(first[1]);
});

it("a probe that ends in an error or does not answer is a failed line, and the JSON has the same members for every line", async () => {
  const late = {
    id: "late",
    area: "GitHub",
    title: "late",
    examine: () => new Promise<never>(() => {}),
  } as const;
  const broken = { ...late, id: "broken", examine: () => Promise.reject(REFUSED) };
  const probes = [broken, late];
  const examination = await examineInstallation({}, { repository: null, probes, timeoutMs: 10 });
  expect(toExaminationJson(examination)).toEqual({
    state: "failed",
    checks: [
      expect.objectContaining({ id: "broken", problems: [{ found: "it is refused", fix: "Correct it." }] }),
      {
        id: "late",
        area: "GitHub",
        title: "late",
        state: "failed",
        found: null,
        problems: [
          { found: "no answer within 0.01 s", fix: "Check the network, and run the command again." },
        ],
      },
    ],
  });
});
