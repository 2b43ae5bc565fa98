import { afterEach, describe, expect, it } from "vitest";
import {
  type CommentTarget,
  createComment,
  deleteComment,
  listOwnComments,
  updateComment,
} from "../../src/github/comments/own-comments.ts";
import { OWN_APP } from "./deliveries.ts";
import {
  always,
  type Fault,
  INSTALLATION,
  json,
  outcomeOf,
  type Received,
  type Stub,
  startStub,
  type TestApp,
  testApp,
  underFault,
} from "./github.ts";

interface Comment {
  id: number;
  node_id: string;
  body: string;
  user: { id: number; type: string };
  performed_via_github_app: { id: number } | null;
}

const BOT = 900;
let stub: Stub;
let world: TestApp;
let comments: Comment[];
afterEach(() => stub.close());

const ours = (id: number, body = "old"): Comment => ({
  id,
  node_id: `node-${id}`,
  body,
  user: { id: BOT, type: "Bot" },
  performed_via_github_app: { id: OWN_APP },
});
const theirs = (id: number, body = "hello"): Comment => ({
  ...ours(id, body),
  user: { id: 3, type: "User" },
  performed_via_github_app: null,
});

/** A GitHub that keeps comments of one pull request; `faults` are used up write by write. */
async function github(present: Comment[] = [], faults: Fault[] = []): Promise<void> {
  comments = [...present];
  stub = await startStub((response, request) => {
    if (request.method === "GET") return json(response, 200, shown(request.path));
    underFault(faults.shift(), response, () => apply(request));
  });
  world = testApp(stub.url, 500);
}

/** What a read shows: the App, its bot, or a page of comments. */
function shown(path: string): unknown {
  const { pathname, searchParams } = new URL(path, "http://github.test");
  if (pathname === "/app") return { id: OWN_APP, slug: "tollgate" };
  if (pathname.startsWith("/users/")) return { id: BOT };
  const from = (Number(searchParams.get("page")) - 1) * 100;
  return comments.slice(from, from + 100);
}

function apply({ method, path, body }: Received): Comment | null {
  if (method === "POST") {
    const created = ours(1000 + comments.length, body.body);
    comments.push(created);
    return created;
  }
  const comment = comments.find(({ id }) => id === Number(path.split("/").pop()));
  if (comment === undefined) return null;
  if (method === "DELETE") comments = comments.filter((other) => other !== comment);
  else comment.body = body.body;
  return comment;
}

const target = (isCurrent = always): CommentTarget => ({
  client: world.app.installation(INSTALLATION),
  repositoryId: 77,
  number: 12,
  isCurrent,
});
const TEXT = { body: "new", purpose: "report" } as const;
const asked = (): string[] =>
  stub.received.map(({ method, path }) => `${method} ${path.split(/[/?]/).at(-1)}`);
const listed = async () => (await listOwnComments(target())).map(({ id }) => id);

describe("our own comments", () => {
  it("are found by their author behind 250 others", async () => {
    await github([...Array.from({ length: 250 }, (_, index) => theirs(index + 1)), ours(700)]);
    expect(await listOwnComments(target())).toEqual([
      { id: 700, nodeId: "node-700", body: "old", purpose: null },
    ]);
  });

  it("are found by the bot's user id where GitHub does not name the App", async () => {
    await github([{ ...ours(7), performed_via_github_app: null }]);
    expect(await listed()).toEqual([7]);
  });

  it("are never those of another author, whatever their text", async () => {
    const text = "<!-- tollgate --> new";
    await github([
      theirs(1, text),
      { ...theirs(2, text), user: { id: 77, type: "Bot" } },
      { ...ours(3, text), performed_via_github_app: { id: 99 } },
    ]);
    expect(await listed()).toEqual([]);
  });

  it("are unknown when there are more comments than are read", async () => {
    await github(Array.from({ length: 3000 }, (_, index) => theirs(index + 1)));
    expect(await outcomeOf(listOwnComments(target()))).toMatchObject({ kind: "too_large" });
  });
});

describe("a comment", () => {
  it("is created, updated and deleted by one request each", async () => {
    await github([theirs(1)]);
    expect(await createComment(target(), TEXT)).toBe(1001);
    await updateComment(target(), 1001, { ...TEXT, body: "newer" });
    expect(comments.map(({ body }) => body)).toEqual(["hello", "newer"]);
    await deleteComment(target(), 1001);
    expect(comments).toEqual([theirs(1)]);
    expect(stub.received.map(({ method }) => method)).toEqual(["POST", "PATCH", "DELETE"]);
  });

  it("that is gone is deleted, and one that GitHub does not find for a moment is not", async () => {
    const notFound: Fault = (response) => json(response, 404, { message: "Not Found" });
    await github([ours(8)], [notFound, notFound]);
    await deleteComment(target(), 7);
    expect(await outcomeOf(deleteComment(target(), 8))).toMatchObject({ kind: "not_found" });
  });

  it("is not written for a job that is not the newest", async () => {
    await github([ours(7)]);
    const stale = target(async () => false);
    expect(await outcomeOf(createComment(stale, TEXT))).toBe("superseded");
    expect(await outcomeOf(updateComment(stale, 7, TEXT))).toBe("superseded");
    expect(asked()).toEqual([]);
  });

  it.each<Fault>(["lose", "fail"])("whose creation has no answer is not sent again: %s", async (fault) => {
    await github([], [fault]);
    expect(await outcomeOf(createComment(target(), TEXT))).toMatchObject({
      kind: expect.stringMatching(/unavailable|timed_out/),
    });
    expect(stub.received).toHaveLength(1);
  });

  it.each<[string, number, string, string]>([
    ["a locked conversation", 403, "Unable to create comment because issue is locked.", "forbidden"],
    ["too long a body", 422, "Validation Failed: body is too long (maximum is 65536 characters)", "rejected"],
    ["a deleted issue", 410, "This issue was deleted", "gone"],
  ])("that GitHub refuses for %s is not tried again", async (_, status, message, kind) => {
    await github([], [(response) => json(response, status, { message })]);
    expect(await outcomeOf(createComment(target(), TEXT))).toMatchObject({ kind });
    expect(stub.received).toHaveLength(1);
  });
});
