import { beforeAll, describe, expect, it, vi } from "vitest";
import type { GitHubApp } from "../../src/github/app.ts";
import { createGitHubFailure, GitHubError } from "../../src/github/client/result.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { parseOperatorFile, resolveNames } from "../../src/settings/operator.ts";
import type { Settings } from "../../src/settings/read.ts";
import { saveResolvedNames } from "../../src/store/resolved-names.ts";
import { replaceNames } from "../../src/wiring/doctor/fix-ids.ts";
import { resolveOperator } from "../../src/wiring/operator-names.ts";
import { openEmbedded } from "../world/engines.ts";

let db: Awaited<ReturnType<typeof openEmbedded>>["db"];
beforeAll(async () => {
  ({ db } = await openEmbedded());
});

/** A GitHub with the App installed on acme, where names have these ids; null: it does not answer. `renamed`: what names lead to. */
function gitHubWith(
  ids: Readonly<Record<string, number>> | null,
  renamed: Readonly<Record<string, string>> = {},
): GitHubApp {
  const find = async (asked: string, key: string) => {
    const name = renamed[asked] ?? asked;
    if (ids === null) throw new GitHubError(createGitHubFailure("unavailable", "it is down"));
    const id = ids[name];
    if (id === undefined) throw new GitHubError(createGitHubFailure("not_found", "Not Found"));
    return { data: { id, [key]: name } };
  };
  const rest = {
    users: { getByUsername: ({ username }: { username: string }) => find(username, "login") },
    repos: {
      get: ({ owner, repo }: { owner: string; repo: string }) => find(`${owner}/${repo}`, "full_name"),
    },
    apps: { getBySlug: ({ app_slug }: { app_slug: string }) => find(app_slug, "slug") },
  };
  return {
    installations: async () => [{ id: 1, account: "Acme", suspended: false }],
    installation: () => ({ octokit: { rest } }),
  } as unknown as GitHubApp; // what look-ups of names use of it
}

async function start(text: string, app: GitHubApp) {
  const read = parseOperatorFile(text);
  if (read.state !== "ok") throw new Error("the file is not valid");
  const log = { warn: vi.fn() };
  const given = { operator: resolveNames(read.file), namedOperator: read.file } as Settings; // what is resolved of them
  const { operator } = await resolveOperator(given, { db, app, clock: systemClock, log });
  const targets = operator.notifications.targets;
  return { targets, grants: operator.grants.map(({ owner, repository }) => [owner, repository]), log };
}

describe("names in the operator's file", () => {
  it("become ids at the first start, and keep them while GitHub does not answer and when the login is another account's", async () => {
    const file = "grants: [{ owner: acme, repository: acme/shop, org: o }]";
    const first = await start(file, gitHubWith({ acme: 5, "acme/shop": 51 }));
    expect(first.grants).toEqual([[5, 51]]);
    expect(first.log.warn).not.toHaveBeenCalled();
    expect((await start(file, gitHubWith(null))).grants).toEqual([[5, 51]]);
    const later = await start(file, gitHubWith({ acme: 6, "acme/shop": 51 }));
    expect(later.grants).toEqual([[5, 51]]);
    expect(later.log.warn.mock.calls).toEqual([
      [
        { name: "account acme", id: 5 },
        "a name in the operator's file is another account now, 6; the id 5 stays in force",
      ],
    ]);
    expect((await start(file, gitHubWith({}))).grants).toEqual([[5, 51]]);
  });

  it.each([
    ["GitHub does not answer", gitHubWith(null), "cannot be read: it is down"],
    ["nobody has it", gitHubWith({}), "is unknown to GitHub"],
  ])("grant nothing while %s", async (_, app, reason) => {
    const { grants, log } = await start("grants: [{ owner: umbrella, org: o }, { owner: 7, org: o }]", app);
    expect(grants).toEqual([[7, undefined]]);
    expect(log.warn.mock.calls).toEqual([
      [{ name: "account umbrella", id: null }, expect.stringContaining(reason)],
    ]);
  });

  it("of a repository are asked of the installation of its owner alone", async () => {
    const { grants, log } = await start(
      "grants: [{ owner: 7, repository: wayne/cave, org: o }]",
      gitHubWith({ "wayne/cave": 3 }),
    );
    expect(grants).toEqual([]);
    expect(log.warn.mock.calls).toEqual([
      [
        { name: "repository wayne/cave", id: null },
        expect.stringContaining("the App is not installed there"),
      ],
    ]);
  });

  it("of a repository that was transferred are not taken for what they lead to now", async () => {
    const moved = gitHubWith({ "wayne/moved": 9 }, { "acme/moved": "wayne/moved" });
    const { grants, log } = await start("grants: [{ owner: 7, repository: Acme/moved, org: o }]", moved);
    expect(grants).toEqual([]);
    expect(log.warn.mock.calls).toEqual([
      [
        { name: "repository acme/moved", id: null },
        "a name in the operator's file has another name now, wayne/moved; it grants nothing until the next start",
      ],
    ]);
  });

  it("leave a target of notifications out that would cover more without the one that is unknown", async () => {
    const target = "kind: webhook, url: 'https://x.example.com', secret: 0123456789abcdef01234567";
    const { targets } = await start(
      `notifications: { targets: [{ name: a, ${target}, owners: [nobody] }, { name: b, ${target}, owners: [8, nobody] }] }`,
      gitHubWith({}),
    );
    expect(targets).toEqual([]);
  });

  it("keep their first id, whichever process stores another one", async () => {
    const named = { kind: "account", name: "twice" } as const;
    await saveResolvedNames(db, [{ ...named, id: 1 }], new Date(0));
    await saveResolvedNames(db, [{ ...named, id: 2 }], new Date(0));
    expect((await start("grants: [{ owner: twice, org: o }]", gitHubWith({ twice: 2 }))).grants).toEqual([
      [1, undefined],
    ]);
  });

  it.each([
    ["as they are", (text: string) => text],
    ["in a file with the line ends of Windows", (text: string) => text.replaceAll("\n", "\r\n")],
    ["in a file with a byte order mark", (text: string) => `\uFEFF${text}`],
  ])("are replaced %s where ids are asked for, and nothing else of the file changes", (_, write) => {
    const text = write(`grants: # acme
- owner:   "acme"   # acme
  org: acme
- {"owner":ACME,"org":acme}
notifications: { targets: [ {name: acme, owners: [ acme,
   'acme' ], teams: [acme]} ] }
passing_statuses: [acme]
admins: { teams: ["Acme/acme", acme/b] }
webhook_secrets: { owner: acme, users: [acme] }
`);
    const replaced = text
      .replace('"acme"', "5")
      .replace("ACME", "5")
      .replace("[ acme,", "[ 5,")
      .replace("'acme' ]", "5 ]")
      .replace('"Acme/acme"', "5/acme")
      .replace("acme/b", "5/b");
    expect(replaceNames(text, [{ kind: "account", name: "acme", id: 5, problem: null }])).toBe(replaced);
  });
});
