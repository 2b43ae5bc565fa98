import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPolicyFiles } from "../../src/evaluate/load-policy.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import type { FileState, RepositoryState } from "../../src/github/head/head-state.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { Store } from "../../src/store/open.ts";
import { performHere } from "../policy/perform-here.ts";
import { usualEngines } from "../world/engines.ts";

const OWNER_ID = 9;

/** GitHub's answer about the file's history in the organisation's repository. */
function answerHistory(repositoryId: number, removed: boolean) {
  const parents = { nodes: [{ file: { mode: 33_188 } }] };
  const target = { file: null, history: { nodes: removed ? [{ file: null, parents }] : [] } };
  const branch = { target };
  return {
    repository: {
      databaseId: repositoryId,
      owner: { databaseId: OWNER_ID },
      ref: branch,
      defaultBranchRef: branch,
    },
  };
}

describe.each(usualEngines())("policy files that existed before, on $name,", ({ open }) => {
  let store: Store;
  let repositoryId = 100;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const file: FileState = {
    state: "found",
    text: "version: 1\nrules: []\n",
    blob: "b1",
    source: { repository: "acme/.github", ref: "main", path: "tollgate.yml", commit: "c1" },
  };
  const absent: FileState = { state: "absent" };
  const hidden: FileState = { state: "unreadable", reason: "not_covered" };
  const load = async (organisation: FileState, repository: FileState = absent, baseRef = "main") =>
    (
      await loadPolicyFiles(
        { db: store.db, clock: systemClock, policies },
        {
          client,
          repository: {
            id: repositoryId,
            owner: "acme",
            name: "infra",
            ownerId: OWNER_ID,
          } as RepositoryState, // all that is read
          baseRef,
          files: { repository, organisation, defaultBranch: null },
          before: null,
        },
      )
    ).state;

  let removed = false;
  const client = {
    octokit: { graphql: async () => answerHistory(repositoryId, removed) },
  } as unknown as InstallationClient; // all that is asked
  const policies = { inForce: performHere, proposed: performHere };
  it("are absent when the history shows a commit that removed them", async () => {
    repositoryId++;
    expect(await load(absent, file)).toBe("found");
    expect(await load(absent)).toBe("unreadable");
    removed = true;
    expect(await load(absent)).toBe("none");
    removed = false;
    expect(await load(absent)).toBe("none");
  });

  it("are unreadable on every base branch when the App loses access to the organisation's repository", async () => {
    repositoryId++;
    expect(await load(hidden)).toBe("none");
    expect(await load(file)).toBe("found");
    expect(await load(hidden)).toBe("unreadable");
    expect(await load(hidden, absent, "release")).toBe("unreadable");
    expect(await load(absent)).toBe("unreadable");
  });

  it("are unreadable when the repository's file vanishes without a push", async () => {
    repositoryId++;
    expect(await load(absent, file)).toBe("found");
    expect(await load(absent)).toBe("unreadable");
    expect(await load(absent, absent, "release")).toBe("none");
  });
});
