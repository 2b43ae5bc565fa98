import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { CommentOutcome, CommentWrite } from "../../src/github/comments/comment-write.ts";
import { publishComment } from "../../src/github/comments/publish-comment.ts";
import { casesToTry } from "../world/depth.ts";
import { OWN_APP } from "./deliveries.ts";
import {
  always,
  type Fault,
  INSTALLATION,
  json,
  type Received,
  type Stub,
  startStub,
  type TestApp,
  testApp,
  underFault,
} from "./github.ts";

interface Comment {
  id: number;
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
  body,
  user: { id: BOT, type: "Bot" },
  performed_via_github_app: { id: OWN_APP },
});
const theirs = (id: number, body = "hello"): Comment => ({
  id,
  body,
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

const publish = (members: Partial<CommentWrite> = {}): Promise<CommentOutcome> =>
  publishComment(world.app.installation(INSTALLATION), {
    repositoryId: 77,
    number: 12,
    known: null,
    body: "new",
    others: [],
    isCurrent: always,
    noteUnanswered: () => {},
    ...members,
  });
const known = (commentId: number) => ({ commentId, digest: "older" });
const writes = (): string[] =>
  stub.received
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path.split("/").pop()}`);
const own = (): Comment[] => comments.filter(({ performed_via_github_app: app }) => app?.id === OWN_APP);

describe("the comment", () => {
  it("is created when there is none, by one read and one write", async () => {
    await github([theirs(1)]);
    expect(await publish()).toMatchObject({ state: "written", known: { commentId: 1001 } });
    expect(stub.received.map(({ method }) => method)).toEqual(["GET", "POST"]);
  });

  it("that is stored is updated by one request, and not when nothing changed", async () => {
    await github([ours(7)]);
    const outcome = await publish({ known: known(7) });
    if (outcome.state !== "written") throw new Error(outcome.state);
    const unchanged = { state: "unchanged", known: outcome.known, extraIds: [] };
    expect(await publish({ known: outcome.known })).toEqual(unchanged);
    expect(stub.received.map(({ method }) => method)).toEqual(["PATCH"]);
    expect(own()).toMatchObject([{ id: 7, body: "new" }]);
  });

  it("is found by its author behind 250 others", async () => {
    const many = Array.from({ length: 250 }, (_, index) => theirs(index + 1));
    await github([...many, ours(700)]);
    expect(await publish()).toMatchObject({ state: "written", known: { commentId: 700 } });
    expect(writes()).toEqual(["PATCH 700"]);
  });

  it("is found by the bot's user id where GitHub does not name the App", async () => {
    await github([{ ...ours(7), performed_via_github_app: null }]);
    expect(await publish()).toMatchObject({ state: "written", known: { commentId: 7 } });
  });

  it("that has the same text already is not written", async () => {
    await github([ours(7, "new")]);
    expect(await publish()).toMatchObject({ state: "unchanged", known: { commentId: 7 } });
    expect(writes()).toEqual([]);
  });

  it("is never one of another author, whatever its text", async () => {
    const text = "<!-- tollgate --> new";
    const others = [
      theirs(1, text),
      { ...theirs(2, text), user: { id: 77, type: "Bot" } },
      { ...ours(3, text), performed_via_github_app: { id: 99 } },
    ];
    await github(others);
    await publish();
    expect(writes()).toEqual(["POST comments"]);
    expect(comments.slice(0, 3).map(({ body }) => body)).toEqual([text, text, text]);
  });

  it("that a person deleted is created again once", async () => {
    await github([theirs(1)]);
    expect(await publish({ known: known(7) })).toMatchObject({ state: "written" });
    expect(writes()).toEqual(["PATCH 7", "POST comments"]);
    expect(own()).toHaveLength(1);
  });

  it("that was duplicated is reduced to the oldest, and our other comments stay", async () => {
    await github([ours(7), ours(8), theirs(9), ours(10), ours(11, "an answer")]);
    const written = { state: "written", known: { commentId: 7 }, extraIds: [] };
    expect(await publish({ others: [11] })).toMatchObject(written);
    expect(comments.map(({ id }) => id)).toEqual([7, 9, 11]);
  });

  it("that was duplicated names the duplicates that it could not delete", async () => {
    await github([ours(7), ours(8), ours(10)]);
    let asked = 0;
    const isCurrent = async () => ++asked < 3; // until a later job begins
    expect(await publish({ isCurrent })).toMatchObject({ known: { commentId: 7 }, extraIds: [10] });
    expect(writes()).toEqual(["PATCH 7", "DELETE 8"]);
  });

  it("is deleted when there is nothing to report", async () => {
    await github([ours(7)]);
    expect(await publish({ known: known(7), body: null })).toEqual({ state: "deleted" });
    expect(await publish({ known: known(7), body: null })).toEqual({ state: "deleted" });
    expect(own()).toEqual([]);
  });
});

describe("a lost answer", () => {
  it("to a creation does not duplicate the created comment", async () => {
    await github([], ["lose"]);
    expect(await publish()).toMatchObject({ known: { commentId: 1000 } });
    expect(writes()).toEqual(["POST comments"]);
  });

  it("to a creation that did not happen is followed by one more attempt", async () => {
    await github([], ["fail"]);
    expect(await publish()).toMatchObject({ state: "written" });
    expect(own()).toHaveLength(1);
  });

  it("to a creation that happens after the search leaves one comment", async () => {
    const isLost: Fault = (response) => response.destroy();
    const comesBehind: Fault = (response) => {
      comments.push(ours(1000, "new"), ours(1001, "new"));
      json(response, 201, comments.at(-1));
    };
    await github([], [isLost, comesBehind]);
    expect(await publish()).toMatchObject({ known: { commentId: 1000 }, extraIds: [] });
    expect(own()).toHaveLength(1);
  });

  it("that never arrives times out", async () => {
    const silently = (): void => {
      apply({ method: "POST", path: "", headers: {}, body: { body: "new" } });
    };
    await github([], [silently]);
    expect(await publish()).toMatchObject({ state: "unchanged", known: { commentId: 1000 } });
    expect(own()).toHaveLength(1);
  });

  it("in any order of faults never leaves two comments, and leaves one once the faults stop", async () => {
    const fault = fc.constantFrom<Fault>("answer", "lose", "fail");
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: 6 }), fc.boolean(), async (faults, remembers) => {
        await github([theirs(1)], [...faults]);
        let last: CommentOutcome = await publish({ body: "first" });
        for (let round = 0; round < 8; round += 1) {
          const remembered =
            remembers && (last.state === "written" || last.state === "unchanged") ? last.known : null;
          last = await publish({ known: remembered, body: `round ${round}` });
          expect(own().length).toBeLessThanOrEqual(1);
        }
        expect(own().map(({ body }) => body)).toEqual(["round 7"]);
        expect(comments[0]).toEqual(theirs(1));
        await stub.close();
      }),
      { numRuns: casesToTry({ usual: 5, deep: 50 }) },
    );
  });
});

describe("a refusal", () => {
  const TOO_LONG = "Validation Failed: body is too long (maximum is 65536 characters)";
  it.each<[string, number, string, object]>([
    ["a locked conversation", 403, "Unable to create comment because issue is locked.", { reason: "locked" }],
    ["too long a body", 422, TOO_LONG, { reason: "too_long" }],
    ["missing rights", 403, "Resource not accessible by integration", { failure: { kind: "forbidden" } }],
    ["a deleted issue", 410, "This issue was deleted", { failure: { kind: "gone" } }],
  ])("for %s is said as it is, without another try", async (...[, status, message, why]) => {
    await github([], [(response) => json(response, status, { message })]);
    expect(await publish()).toMatchObject({ state: "refused", ...why });
    expect(writes()).toHaveLength(1);
  });

  it("is reported when there are more comments than are read", async () => {
    await github(Array.from({ length: 3000 }, (_, index) => theirs(index + 1)));
    expect(await publish()).toMatchObject({ state: "failed", failure: { kind: "too_large" } });
    expect(writes()).toEqual([]);
  });

  it("by a newer evaluation of the lane writes nothing", async () => {
    await github([ours(7)]);
    const outcome = await publish({ known: known(7), isCurrent: async () => false });
    expect(outcome).toEqual({ state: "superseded" });
    expect(writes()).toEqual([]);
  });
});
