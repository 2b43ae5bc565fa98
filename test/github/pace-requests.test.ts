import { beforeEach, describe, expect, it } from "vitest";
import { requestById } from "../../src/github/client/installation-client.ts";
import { createOctokit } from "../../src/github/client/octokit.ts";
import { SHA } from "./deliveries.ts";

const SHOP = { owner: "acme", repo: "shop" };
const COMMENT = { ...SHOP, issue_number: 1, body: "It costs more." };

let waits: number[];
let sent: string[];
let answer: () => Response;
let octokit: ReturnType<typeof createOctokit>;

beforeEach(() => {
  waits = [];
  sent = [];
  answer = () => Response.json({ data: {} });
  let ms = 0;
  octokit = createOctokit({
    apiUrl: "https://api.github.com",
    clock: { now: () => ms, monotonicMs: () => ms },
    wait: async (pause) => {
      waits.push(pause);
      ms += pause;
    },
    fetch: async (url, { method }) => {
      sent.push(`${method} ${new URL(url).pathname}`);
      return answer();
    },
  });
});

const WRITES: [string, () => Promise<unknown>][] = [
  ["a method of octokit.rest", () => octokit.rest.issues.createComment(COMMENT)],
  [
    "octokit.request",
    () => octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", COMMENT),
  ],
  ["octokit.request without a known route", () => octokit.request("PUT /anything", {})],
  [
    "an address by id",
    () =>
      requestById(octokit, "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        repository_id: 77,
        comment_id: 1,
      }),
  ],
  ["a mutation of GraphQL", () => octokit.graphql("mutation Hide { x }")],
  ["a mutation behind a fragment", () => octokit.graphql("fragment F on X { a } mutation Hide { x }")],
];

describe("any call of an Octokit", () => {
  it.each(WRITES)("that writes waits a second after another write: %s", async (_name, write) => {
    await octokit.rest.issues.createComment(COMMENT);
    await write();
    expect([waits, sent.length]).toEqual([[1_000], 2]);
  });

  it("that reads does not wait", async () => {
    await octokit.rest.issues.createComment(COMMENT);
    await octokit.rest.repos.get(SHOP);
    await octokit.request("GET /app");
    await octokit.graphql("query Login { viewer { login } }");
    await octokit.graphql("{ viewer { login } }");
    expect([waits, sent.length]).toEqual([[], 5]);
  });

  it.each<[string, () => Promise<unknown>]>([["reads", () => octokit.rest.repos.get(SHOP)], ...WRITES])(
    "fails after a rate limit without a request: %s",
    async (_name, call) => {
      answer = () =>
        Response.json({ message: "slow down" }, { status: 429, headers: { "retry-after": "75" } });
      await expect(octokit.request("GET /app")).rejects.toMatchObject({ failure: { status: 429 } });
      const failure = { kind: "rate_limited", status: null, retryAfterMs: 75_000 };
      await expect(call()).rejects.toMatchObject({ name: "GitHubError", failure });
      expect(sent).toEqual(["GET /app"]);
    },
  );

  it("that is dropped lets the next one start at once", async () => {
    const request = { write: { priority: "check", isCurrent: async () => false } } as const;
    const dropped = octokit.rest.issues.createComment({ ...COMMENT, request });
    await expect(dropped).rejects.toMatchObject({ name: "SupersededError" });
    await octokit.rest.issues.createComment(COMMENT);
    expect([waits, sent.length]).toEqual([[], 1]);
  });

  it("does not send its write options to GitHub", async () => {
    const request = { write: { priority: "check", isCurrent: async () => true } } as const;
    await requestById(octokit, "POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
      repository_id: 77,
      issue_number: 1,
      body: "It costs more.",
      request,
    });
    expect(sent).toEqual(["POST /repositories/77/issues/1/comments"]);
  });
});

describe("a call does not compile with", () => {
  it("a parameter that GitHub does not have", () => {
    const calls = () => [
      requestById(octokit, "POST /repos/{owner}/{repo}/check-runs", {
        repository_id: 77,
        name: "tollgate: main",
        head_sha: SHA,
        // @ts-expect-error the parameter is called details_url
        detailsUrl: "https://github.example",
      }),
    ];
    expect(calls).toBeTypeOf("function");
  });

  it("a route that GitHub does not have, or a value of another type", () => {
    const calls = () => [
      // @ts-expect-error there is no such route
      requestById(octokit, "POST /repos/{owner}/{repo}/checkruns", { repository_id: 77 }),
      requestById(octokit, "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", {
        repository_id: 77,
        comment_id: 1,
        // @ts-expect-error no reaction of GitHub
        content: "applause",
      }),
    ];
    expect(calls).toBeTypeOf("function");
  });
});
