import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildQueueUrl, findDetailsUrl } from "../../src/evaluate/comment-content.ts";
import { resolveGitHubPagesUrl } from "../../src/github/client/guarded-fetch.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import { saveComment } from "../../src/store/comments.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { evaluatedSituation, evaluation } from "../render/evaluation-builder.ts";
import { usualEngine } from "../world/engines.ts";

const WAITING = { kind: "waiting", missing: [], deadlineMs: 0 } as const;
const PULL = "https://github.com/acme/payments/pull/7";

describe("the details link of a check leads", () => {
  let store: Database;
  let repositoryId = 500;
  beforeAll(async () => {
    store = await usualEngine().open();
  });
  afterAll(() => store.close());

  interface Case {
    readonly mode: Evaluation["commentMode"];
    /** False: there is no comment of ours. */
    readonly comment?: boolean;
    readonly situation?: Evaluation["situation"];
    readonly expected: string;
  }
  it.each<[string, Case]>([
    ["to the pull request before there is a comment", { mode: "update", comment: false, expected: "" }],
    ["to the comment once there is one", { mode: "update", expected: "#issuecomment-44" }],
    [
      "to it while it waits, because that is written there",
      { mode: "update", situation: WAITING, expected: "#issuecomment-44" },
    ],
    ["not to a comment that another one is about to follow", { mode: "new", expected: "" }],
    ["not to one that is about to be folded", { mode: "hide-and-new", expected: "" }],
    ["not to one that is about to be deleted", { mode: "delete-and-new", expected: "" }],
    ["not to an earlier verdict while it waits", { mode: "new", situation: WAITING, expected: "" }],
  ])("%s", async (_, { mode, comment = true, situation = evaluatedSituation("pass"), expected }) => {
    const pull = { repositoryId: ++repositoryId, number: 7 };
    const known = { ...pull, commentId: 44, digest: "d", content: "2:another" };
    if (comment) await saveComment(store.db, known, new Date());
    const told = evaluation({ pull, commentMode: mode, situation });
    const deps = { db: store.db, githubPages: resolveGitHubPagesUrl(null) };
    expect(await findDetailsUrl(deps, told)).toBe(`${PULL}${expected}`);
  });

  it("to the pull request's page of our own where there is one, whatever the comment shows", async () => {
    const pull = { repositoryId: ++repositoryId, number: 7 };
    const deps = {
      db: store.db,
      githubPages: resolveGitHubPagesUrl(null),
      buildPullPage: ({ repository, number }: { repository: string; number: number }) =>
        `https://tollgate.example/${repository}/${number}`,
    };
    const told = evaluation({ pull, situation: evaluatedSituation("pass") });
    expect(await findDetailsUrl(deps, told)).toBe("https://tollgate.example/acme/payments/7");
  });

  it.each<[string | null, string]>([
    [null, "https://github.com"],
    ["https://github.com", "https://github.com"],
    ["https://ghe.acme.example", "https://ghe.acme.example"],
    ["https://ghe.acme.example:8443", "https://ghe.acme.example:8443"],
    ["https://acme.ghe.com", "https://acme.ghe.com"],
    ["https://api.acme.ghe.com", "https://acme.ghe.com"],
    ["https://api.github.com", "https://github.com"],
    ["http://127.0.0.1:3900", "http://127.0.0.1:3900"],
  ])("with GHE_HOST %s: to %s", (host, expected) => {
    expect(resolveGitHubPagesUrl(host)).toBe(expected);
  });

  it("to the queue of a branch, whatever its name", () => {
    const pages = { githubPages: "https://github.com" };
    expect(buildQueueUrl(pages, "acme/payments", "release/1.0 #2")).toBe(
      "https://github.com/acme/payments/queue/release/1.0%20%232",
    );
  });
});
