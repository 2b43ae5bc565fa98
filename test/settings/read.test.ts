import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TollgateError } from "../../src/kernel/errors.ts";
import { formatName } from "../../src/settings/named-ids.ts";
import {
  listNames,
  type OperatorFile,
  parseOperatorFile,
  resolveNames,
} from "../../src/settings/operator.ts";
import { type Environment, readSettings } from "../../src/settings/read.ts";
import { chooseOrgPolicy } from "../../src/wiring/policy/operator-rules.ts";

const pem = (type: "pkcs1" | "pkcs8" | "spki", key: KeyObject): string =>
  key.export({ type, format: "pem" }).toString();
const RSA = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = pem("pkcs1", RSA.privateKey);
const APP = { APP_ID: "12", PRIVATE_KEY: PEM, WEBHOOK_SECRET: "a-secret-of-twenty-or-more" };

function problemsOf(environment: Environment): string {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof TollgateError && error.code === "settings_invalid") return error.message;
    throw error;
  }
  throw new Error("the settings were accepted");
}

/** What the operator's file says. */
function operatorOf(text: string): OperatorFile {
  const read = parseOperatorFile(text);
  if (read.state === "ok") return read.file;
  throw new Error(listProblems(text).join("\n"));
}

/** The problems of an operator's file as a start prints them. */
function listProblems(text: string): readonly string[] {
  const read = parseOperatorFile(text);
  if (read.state === "ok") return [];
  return read.problems.map(({ line, column, path, message }) => `${line}:${column}: ${path}: ${message}`);
}

describe("settings", () => {
  it("need nothing: embedded database, embedded platform, setup pages", () => {
    expect(readSettings({})).toMatchObject({
      dataDirectory: "data",
      databaseUrl: null,
      platform: { kind: "embedded", account: "tollgate" },
      github: null,
      githubUrl: null,
      port: 3000,
      orgPolicy: "read",
      operator: { grants: [], public_figures: false },
    });
  });

  it("say every problem at once, and no secret's value", () => {
    const message = problemsOf({
      APP_ID: "x",
      PRIVATE_KEY: "not a key",
      WEBHOOK_SECRET: "short-secret",
      PLATFORM_URL: "ftp://x",
      DATABASE_URL: "mysql://root:hunter2@x",
      PORT: "99999",
    });
    expect(message).toMatchInlineSnapshot(`
      "these settings cannot be used:
        APP_ID: must be GitHub's number of the App
        DATABASE_URL: must start with postgres://
        PLATFORM_URL: must be a URL that starts with http:// or https://
        PORT: must be a number from 0 to 65535
        PRIVATE_KEY: is not a PEM private key; expected the RSA private key (.pem) that GitHub generated for the App
        WEBHOOK_SECRET: has fewer than 20 characters; expected a random text of at least 20 characters, the same as in the GitHub App's settings"
    `);
    expect(message).not.toMatch(/hunter2|short-secret|not a key/);
  });

  it("refuse to start without a secret", () => {
    expect(problemsOf({ ...APP, WEBHOOK_SECRET: "" })).toContain("WEBHOOK_SECRET");
  });

  it("take the private key as PEM, on one line, or in base64", () => {
    const keys = [PEM, PEM.replaceAll("\n", "\\n"), Buffer.from(PEM).toString("base64")];
    for (const PRIVATE_KEY of keys)
      expect(readSettings({ ...APP, PRIVATE_KEY }).github?.privateKey).toBe(PEM);
  });

  it.each([
    ["is a public key or a certificate", pem("spki", RSA.publicKey)],
    [
      "is a private key of the type ec",
      pem("pkcs8", generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
    ],
    ["is damaged or incomplete", PEM.slice(0, 800)],
    ["is an OpenSSH key", "-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----"],
    [
      "is encrypted with a passphrase",
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nx\n-----END ENCRYPTED PRIVATE KEY-----",
    ],
  ])("say that the private key %s, and what is expected", (found, PRIVATE_KEY) => {
    expect(problemsOf({ ...APP, PRIVATE_KEY })).toContain(
      `PRIVATE_KEY: ${found}; expected the RSA private key (.pem) that GitHub generated for the App`,
    );
  });

  it("leave the dialect of a real platform open, and take one that is stated, with its path", () => {
    const PLATFORM = { PLATFORM_URL: "https://p.example.com/", PLATFORM_TOKEN: "t", PLATFORM_ACCOUNT: "acc" };
    expect(readSettings(PLATFORM).platform).toEqual({
      kind: "remote",
      url: "https://p.example.com",
      token: "t",
      account: "acc",
      callsPerMinute: 360,
      dialect: null,
    });
    expect(readSettings({ ...PLATFORM, PLATFORM_CALLS_PER_MINUTE: "90" }).platform).toMatchObject({
      callsPerMinute: 90,
    });
    expect(readSettings({ ...PLATFORM, PLATFORM_DIALECT: "neutral" }).platform).toMatchObject({
      dialect: "neutral",
    });
    expect(readSettings({ ...PLATFORM, PLATFORM_PREFIX: "/iacm" }).platform).toMatchObject({
      dialect: "live",
      prefix: "/iacm",
    });
    expect(readSettings({ PLATFORM_DIALECT: "live" }).platform).toEqual({
      kind: "embedded",
      account: "tollgate",
      dialect: "live",
    });
    expect(problemsOf({ PLATFORM_URL: "https://p.example.com" })).toMatch(
      /PLATFORM_TOKEN[\s\S]*PLATFORM_ACCOUNT/,
    );
  });

  it.each<[string, string | null]>([
    ["github.example.com", "https://github.example.com"],
    ["https://github.example.com/api/v3", "https://github.example.com"],
    ["https://github.example.com/api/v3/", "https://github.example.com"],
    ["http://127.0.0.1:4010", "http://127.0.0.1:4010"],
    ["HTTPS://GitHub.Example.com", "https://github.example.com"],
    ["GitHub.com", null],
    ["https://github.com/", null],
    ["api.github.com", null],
    ["https://api.github.com/", null],
    ["www.github.com", null],
  ])("read GHE_HOST %s as %s", (GHE_HOST, url) => expect(readSettings({ GHE_HOST }).githubUrl).toBe(url));

  it.each([
    "ssh://github.example.com",
    "https:/github.example.com",
    "github.example.com/acme",
    "me:secret@github.example.com",
    "github.example.com?x",
  ])("refuse GHE_HOST %s, which is another address than it seems", (GHE_HOST) => {
    expect(problemsOf({ GHE_HOST })).toContain("GHE_HOST: must be a host name such as github.example.com");
  });

  it("read ORG_POLICY for all owners, or for some", () => {
    const policyOf = (ORG_POLICY: string, owner: string) =>
      chooseOrgPolicy(readSettings({ ORG_POLICY }), owner);
    expect([policyOf("none", "acme"), policyOf("read", "acme")]).toEqual(["none", "read"]);
    expect([policyOf("none: acme,Umbrella", "umbrella"), policyOf("none:acme", "other")]).toEqual([
      "none",
      "read",
    ]);
    for (const ORG_POLICY of ["acme", "none:", "none:a b", "read:acme"])
      expect(problemsOf({ ORG_POLICY })).toContain("ORG_POLICY: must be read, none, or none: and the owners");
  });

  it.each<[Environment, string | null]>([
    [{}, "https://token.actions.githubusercontent.com"],
    [{ GHE_HOST: "github.com" }, "https://token.actions.githubusercontent.com"],
    [{ GHE_HOST: "https://github.example.com/api/v3" }, "https://github.example.com/_services/token"],
    [{ GHE_HOST: "octocorp.ghe.com" }, "https://token.actions.octocorp.ghe.com"],
    [
      { OIDC_ISSUER: "https://token.actions.githubusercontent.com/octocat-inc/" },
      "https://token.actions.githubusercontent.com/octocat-inc",
    ],
    [{ OIDC_ISSUER: "none" }, null],
  ])("find the issuer of id tokens of %j: %s", (environment, issuer) =>
    expect(readSettings(environment).oidcIssuer).toBe(issuer),
  );

  it("reads a host with Probot's GHE_PROTOCOL as an address with that protocol", () => {
    const settings = readSettings({ GHE_HOST: "127.0.0.1:8080", GHE_PROTOCOL: "http" });
    expect(settings.githubUrl).toBe("http://127.0.0.1:8080");
  });

  it("read the operator's file strictly", () => {
    const file = join(mkdtempSync(join(tmpdir(), "tollgate settings ")), "tollgate.yml");
    writeFileSync(
      file,
      "grants:\n  - { owner: 7, org: default, project: payments }\ntrusted_posters: { users: [9] }\n",
    );
    const { operator } = readSettings({ TOLLGATE_SETTINGS: file });
    expect(operator.grants).toMatchObject([
      { owner: 7, org: "default", project: "payments", perspectives: [], unit_metrics: [] },
    ]);
    expect(operator).toMatchObject({
      cost_currency: "USD",
      fiscal_year_starts: "01-01",
      passing_statuses: ["SUCCESS"],
    });
    expect(operator.trusted_posters).toEqual({ users: [9], apps: [] });
    writeFileSync(file, "grants:\n  - { owner: acme, org: .. }\nwhatever: 1\n");
    const message = problemsOf({ TOLLGATE_SETTINGS: file });
    expect(message).toContain(
      `TOLLGATE_SETTINGS: ${file}:2:25: grants[0].org: found "..", expected 1 to 128 letters, digits or _ . $ -`,
    );
    expect(message).toContain(`${file}:3:1: whatever: is not a key here; expected one of grants, `);
    expect(problemsOf({ TOLLGATE_SETTINGS: "/nowhere/at/all" })).toContain("cannot be read");
  });

  it("state in days how long data is kept, and refuse less than Tollgate itself reads", () => {
    const read = (text: string) => {
      const result = parseOperatorFile(text);
      return result.state === "ok" ? result.file.retention : listProblems(text);
    };
    const day = 86_400_000;
    const defaults = { evaluations: 400 * day, plan_rows: 31 * day, deliveries: 7 * day };
    expect(read("")).toEqual(defaults);
    expect(read("retention: { plan_rows: 90d }")).toEqual({ ...defaults, plan_rows: 90 * day });
    expect(read("retention: { plan_rows: 1d, deliveries: 48h, evaluations: 20d }")).toEqual([
      '1:25: retention.plan_rows: found "1d", expected at least 15d',
      '1:41: retention.deliveries: found "48h", expected a number of days such as 3d or more',
      '1:59: retention.evaluations: found "20d", expected at least 31d',
    ]);
    expect(read("retention: { plan_rows: 500d }")).toEqual([
      "1:12: retention.evaluations: is missing; expected at least as long as plan_rows",
    ]);
    expect(read("retention: { evaluations: 40d }\nafter_merge: { compare_after_days: 60 }")).toEqual([
      '1:27: retention.evaluations: found "40d", expected longer than after_merge.compare_after_days',
    ]);
  });

  it("take clouds in the platform's words and in everybody's, and perspectives with and without workspaces", () => {
    const clouds = "governed_clouds: [AWS, CLOUD_2, GCP]";
    const perspectives = "perspectives: [shop, { id: pay, workspaces: [prod] }]";
    const { grants } = operatorOf(`grants: [{ owner: 1, org: o, ${clouds}, ${perspectives} }]`);
    expect(grants).toMatchObject([
      {
        governed_clouds: ["CLOUD_1", "CLOUD_2", "CLOUD_3"],
        perspectives: [
          { id: "shop", workspaces: undefined },
          { id: "pay", workspaces: ["prod"] },
        ],
      },
    ]);
  });

  it("store hosts in the form in which they are compared", () => {
    const hosts = "[CI.Example.com., 'ci.example.com:443', 'b\u00fccher.example:8443']";
    const stored = ["ci.example.com", "ci.example.com", "xn--bcher-kva.example:8443"];
    expect(operatorOf(`platform_hosts: ${hosts}`).platform_hosts).toEqual(stored);
  });

  const GRANT = "grants: [{ owner: 1, org: o,";
  it.each([
    ["cost_currency: usd", '1:16: cost_currency: found "usd", expected a currency code such as USD'],
    ["passing_statuses: []", "1:19: passing_statuses: found an empty list, expected at least 1 item"],
    ["fiscal_year_starts: 2", "1:21: fiscal_year_starts: found 2, expected a text"],
    ["grant: []", "1:1: grant: is not a key here; did you mean grants?"],
    ["admins:\n  user: [1]", "2:3: admins.user: is not a key here; did you mean users?"],
    ["- grants", "1:1: : found a list, expected a mapping of keys and values"],
    ["grants: [{ owner: 1 }]", "1:10: grants[0].org: is missing; expected a text"],
    [
      `${GRANT} perspectives: [../x] }]`,
      '1:45: grants[0].perspectives[0]: found "../x", expected a perspective\'s id',
    ],
    [
      `${GRANT} perspectives: [{ id: x, workspaces: [] }] }]`,
      "grants[0].perspectives[0].workspaces: found an",
    ],
    [`${GRANT} governed_clouds: [ASW] }]`, "(did you mean AWS?)"],
    [`${GRANT} unit_metrics: [{ metric: m, workspaces: [] }] }]`, "unit_metrics[0].workspaces: found an"],
    [
      `${GRANT} cloud_account: [x] }]`,
      "grants[0].cloud_account: is not a key here; did you mean cloud_accounts?",
    ],
    ["platform_hosts: [https://ci.example.com]", 'found "https://ci.example.com", expected a host such as'],
    ["admins: { users: [-grace] }", '1:19: admins.users[0]: found "-grace", expected GitHub\'s numeric id'],
    [
      "admins: { users: ['4711'] }",
      'admins.users[0]: found "4711", expected GitHub\'s numeric id of an account',
    ],
    [
      "grants: [{ owner: acme, org: o, repository: shop }]",
      'found "shop", expected GitHub\'s numeric id of a repository, or owner/name',
    ],
    ["public_figures: yes\npublic_figures: true", "2:1: public_figures: `public_figures` is there twice"],
    ["grants: [", "1:10: : not valid YAML"],
    ["WEBHOOK_SECRET=hunter2", "1:1: : expected a mapping of keys and values"],
  ])("refuse %j with the place, what was found and what was expected", (text, problem) => {
    expect(() => operatorOf(text)).toThrow(problem);
  });

  it("accept names in the place of ids, and leave out what they belong to until they are resolved", () => {
    const file = operatorOf(`
grants:
  - { owner: Acme, repository: acme/shop, org: o }
  - { owner: 5, repository: acme/shop, org: o }
  - { owner: 5, org: p }
trusted_posters: { users: ["ci[bot]", 9], apps: [drone] }
admins: { users: [grace, 4711], teams: [Umbrella/operators, 7/deputies] }
notifications:
  targets: [{ name: a, kind: slack, url: "https://x.example/", repositories: [acme/shop] }]`);
    expect(listNames(file)).toEqual([
      { kind: "account", name: "acme" },
      { kind: "repository", name: "acme/shop" },
      { kind: "account", name: "ci[bot]" },
      { kind: "app", name: "drone" },
      { kind: "account", name: "grace" },
      { kind: "account", name: "umbrella" },
    ]);
    expect(resolveNames(file)).toMatchObject({
      grants: [{ owner: 5, org: "p" }],
      trusted_posters: { users: [9], apps: [] },
      admins: { users: [4711], teams: [{ organisationId: 7, slug: "deputies" }] },
      notifications: { targets: [] },
    });
    const ids = {
      "account acme": 1,
      "repository acme/shop": 2,
      "account ci[bot]": 3,
      "app drone": 4,
      "account umbrella": 6,
    };
    expect(resolveNames(file, (named) => new Map(Object.entries(ids)).get(formatName(named)))).toMatchObject({
      grants: [{ owner: 1, repository: 2 }, { owner: 5, repository: 2 }, { owner: 5 }],
      trusted_posters: { users: [3, 9], apps: [4] },
      admins: {
        users: [4711],
        teams: [
          { organisationId: 6, slug: "operators" },
          { organisationId: 7, slug: "deputies" },
        ],
      },
      notifications: { targets: [{ owners: [], repositories: [2] }] },
    });
  });

  it("list all problems of the operator's file in the order of their lines", () => {
    expect(listProblems("cost_currency: usd\nwhatever: 1\nalso: 2\npublic_figures: 1")).toEqual([
      expect.stringMatching(/^1:16: cost_currency/),
      expect.stringMatching(/^2:1: whatever/),
      expect.stringMatching(/^3:1: also/),
      expect.stringMatching(/^4:17: public_figures: found 1, expected true or false/),
    ]);
  });
});

describe("trusted proxies", () => {
  it("are addresses and networks", () => {
    const { trustedProxies } = readSettings({ TRUSTED_PROXIES: "10.0.0.0/8, 203.0.113.9 ,fd00::/8" });
    expect(trustedProxies).toEqual(["10.0.0.0/8", "203.0.113.9", "fd00::/8"]);
    expect(readSettings({}).trustedProxies).toEqual([]);
  });

  it.each(["proxy.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "fd00::/129", "10.0.0/8"])(
    "cannot be %s",
    (text) => {
      expect(() => readSettings({ TRUSTED_PROXIES: `10.0.0.1,${text}` })).toThrowError(
        /TRUSTED_PROXIES: must be IP addresses or networks/,
      );
    },
  );
});

it("an address that people are shown has no password in it, and the message does not repeat it", () => {
  for (const name of ["PUBLIC_URL", "PLATFORM_URL"]) {
    const problems = problemsOf({ [name]: "https://tollgate:secret@host.example" });
    expect(problems).toContain(`${name}: must be a URL without user and password`);
    expect(problems).not.toContain("secret");
  }
});
