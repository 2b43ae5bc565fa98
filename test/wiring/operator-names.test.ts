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

/** A GitHub with the App installed on acme, where logins have these ids; null: it does not answer. */
function gitHubWith(ids: Readonly<Record<string, number>> | null): GitHubApp {
  const find = async (name: string) => {
    if (ids === null) throw new GitHubError(createGitHubFailure("unavailable", "it is down"));
    const id = ids[name];
    if (id === undefined) throw new GitHubError(createGitHubFailure("not_found", "Not Found"));
    return { data: { id } };
  };
  const rest = {
    users: { getByUsername: ({ username }: { username: string }) => find(username) },
    repos: { get: ({ owner, repo }: { owner: string; repo: string }) => find(`${owner}/${repo}`) },
    apps: { getBySlug: ({ app_slug }: { app_slug: string }) => find(app_slug) },
  };
  return {
    installations: async () => [{ id: 1, account: "Acme", suspended: false }],
    installation: () => ({ octokit: { rest } }),
  } as unknown as GitHubApp; // what look-ups of names use of it
}

async function start(text: string, app: GitHubApp) {
  const read = parseOperatorFile(text);
  if (read.state !== "ok") throw new Error("the file is not valid");
  const log = { warn: vi.fn(), error: vi.fn() };
  const given = { operator: resolveNames(read.file), namedOperator: read.file } as Settings; // what is resolved of them
  const { operator } = await resolveOperator(given, { db, app, clock: systemClock, log });
  return { grants: operator.grants.map(({ owner, repository }) => [owner, repository]), log };
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
    expect(later.log.error.mock.calls).toEqual([
      [{ name: "account acme", id: 5, nowId: 6 }, expect.stringContaining("belongs to another account now")],
    ]);
    expect((await start(file, gitHubWith({}))).grants).toEqual([[5, 51]]);
  });

  it.each([
    ["GitHub does not answer", gitHubWith(null), "cannot be read: it is down"],
    ["nobody has it", gitHubWith({}), "is unknown to GitHub"],
  ])("grant nothing while %s", async (_, app, reason) => {
    const { grants, log } = await start("grants: [{ owner: umbrella, org: o }, { owner: 7, org: o }]", app);
    expect(grants).toEqual([[7, undefined]]);
    expect(log.warn.mock.calls).toEqual([[{ name: "account umbrella" }, expect.stringContaining(reason)]]);
  });

  it("of a repository are asked of the installation of its owner alone", async () => {
    const { grants, log } = await start(
      "grants: [{ owner: 7, repository: wayne/cave, org: o }]",
      gitHubWith({ "wayne/cave": 3 }),
    );
    expect(grants).toEqual([]);
    expect(log.warn.mock.calls).toEqual([
      [{ name: "repository wayne/cave" }, expect.stringContaining("the App is not installed there")],
    ]);
  });

  it("keep their first id, whichever process stores another one", async () => {
    const named = { kind: "account", name: "twice" } as const;
    await saveResolvedNames(db, [{ ...named, id: 1 }], new Date(0));
    await saveResolvedNames(db, [{ ...named, id: 2 }], new Date(0));
    expect((await start("grants: [{ owner: twice, org: o }]", gitHubWith({ twice: 2 }))).grants).toEqual([
      [1, undefined],
    ]);
  });

  it("are replaced where ids are asked for, and nothing else of the file changes", () => {
    const text = `grants: # acme
- owner:   "acme"   # acme
  org: acme
notifications: { targets: [ {name: acme, owners: [ acme,
   'acme' ], teams: [acme]} ] }
passing_statuses: [acme]
`;
    const replaced = text.replace('"acme"', "5").replace("[ acme,", "[ 5,").replace("'acme' ]", "5 ]");
    expect(
      replaceNames(text, ({ kind, name }) => (kind === "account" && name === "acme" ? 5 : undefined)),
    ).toBe(replaced);
  });
});
