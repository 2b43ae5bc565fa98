import { describe, expect, it } from "vitest";
import { readRights, readTeams } from "../../src/github/people/permissions.ts";
import { readPushes } from "../../src/github/people/update-merges.ts";
import { clientOn, outcomeOf } from "./github.ts";

type GitHubAnswer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** An installation of a GitHub that answers every request alike. */
const sayingOf = ([status, body, headers]: GitHubAnswer) =>
  clientOn(async () => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
  });

const PERSON = { owner: "acme", name: "shop", person: { id: 3, login: "grace" } };
const GRACE = { id: 3 };
/** What no answer about a person can be taken from. */
const NO_ANSWERS: readonly [string, GitHubAnswer][] = [
  ["fails", [503, { message: "down" }]],
  ["refuses", [403, { message: "Resource not accessible by integration" }]],
  ["is cut off", [200, '{"permission":"wri']],
];
const TO_WAIT: GitHubAnswer = [
  403,
  { message: "API rate limit exceeded" },
  { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999" },
];

const LIMITED = expect.objectContaining({ kind: "rate_limited" });

describe("whether a person may approve in a repository", () => {
  const held = (permission: string, but: object = {}): GitHubAnswer => [
    200,
    { permission, user: GRACE, ...but },
  ];
  it.each<readonly [string, GitHubAnswer, unknown]>([
    ["with write access: yes", held("write", { role_name: "write" }), "write"],
    ["as maintainer: yes", held("write", { role_name: "maintain" }), "maintain"],
    ["as administrator: yes", held("admin"), "admin"],
    ["with read access: no", held("read"), "denied"],
    ["whose login another account has now: no", held("admin", { user: { id: 4 } }), "denied"],
    ["whose account is gone: no", [404, { message: "Not Found" }], "denied"],
    ["while GitHub asks us to wait: later", TO_WAIT, LIMITED],
    ...NO_ANSWERS.map(([how, said]) => [`where GitHub ${how}: unknown`, said, "unknown"] as const),
  ])("%s", async (_, said, expected) => {
    expect(await outcomeOf(readRights(sayingOf(said), PERSON))).toEqual(expected);
  });
});

describe("whether a person is in a team", () => {
  const teams = { ...PERSON, teams: ["finops"] };
  const active = { active: new Set(["finops"]), unknown: new Set() };
  const not = { active: new Set(), unknown: new Set() };
  const unknown = { active: new Set(), unknown: new Set(["finops"]) };
  it.each<readonly [string, GitHubAnswer, unknown]>([
    ["as a member: yes", [200, { state: "active" }], active],
    ["who is invited only: no", [200, { state: "pending" }], not],
    ["who left: no", [404, { message: "Not Found" }], not],
    ["while GitHub asks us to wait: later", TO_WAIT, LIMITED],
    ...NO_ANSWERS.map(([how, said]) => [`where GitHub ${how}: unknown`, said, unknown] as const),
  ])("%s", async (_, said, expected) => {
    expect(await outcomeOf(readTeams(sayingOf(said), teams))).toEqual(expected);
  });
});

describe("who moved a branch before Tollgate was told", () => {
  const read = (answer: GitHubAnswer) =>
    readPushes(sayingOf(answer), { headRepositoryId: 1, headRef: "cheaper" });

  it.each([403, 404, 422])("is nobody where GitHub answers %i: it never tells there", async (status) => {
    expect(await read([status, { message: "no" }])).toEqual([]);
  });

  it.each([
    ["unavailable", [503, { message: "down" }]],
    ["rate_limited", TO_WAIT],
  ] as const)("is unknown while GitHub is %s, so that nobody is let through", async (kind, answer) => {
    await expect(read(answer)).rejects.toMatchObject({ failure: { kind } });
  });
});
