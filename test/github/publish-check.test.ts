import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import {
  type CheckAnnotation,
  type CheckWrite,
  computeAnnotationsDigest,
  type KnownCheck,
  listRuns,
  NO_ANNOTATIONS,
  publishCheck,
} from "../../src/github/checks/publish-check.ts";
import { OWN_APP, SHA } from "./deliveries.ts";
import {
  checkWrite,
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

interface Run {
  id: number;
  name: string;
  head_sha: string;
  external_id: string;
  status: string;
  app: { id: number };
}

let stub: Stub;
let world: TestApp;
let runs: Run[];
afterEach(() => stub.close());

/** A GitHub that keeps check runs; `faults` are used up write by write. */
async function github(faults: Fault[] = []): Promise<void> {
  runs = [];
  stub = await startStub((response, request) => {
    if (request.method === "GET") return json(response, 200, { check_runs: runs });
    underFault(faults.shift(), response, () => apply(request));
  });
  world = testApp(`${stub.url}/api/v3`, 1_000);
}

function apply({ method, path, body }: Received): Run | null {
  const id = Number(path.split("/").pop());
  const known = runs.find((run) => run.id === id);
  if (method === "PATCH" && known === undefined) return null;
  const run = known ?? { id: 100 + runs.length, head_sha: body.head_sha, app: { id: OWN_APP } };
  const { name, external_id, status } = body;
  const stands = Object.assign(run, { name, external_id, status }) as Run;
  if (known === undefined) runs.push(stands);
  return stands;
}

const OUTPUT = { title: "Blocked", summary: "It costs more.", text: "Details." };
const WRITE = checkWrite({
  repositoryNodeId: null,
  output: OUTPUT,
  externalId: "digest-1",
  actions: [{ label: "Re-check", description: "Read everything again", identifier: "recheck" }],
});
const OWN_RUN = {
  name: "tollgate: main",
  head_sha: SHA,
  external_id: "digest-1",
  status: "completed",
  app: { id: OWN_APP },
};
const publish = (members: Partial<CheckWrite> = {}) =>
  outcomeOf(publishCheck(world.app.installation(INSTALLATION), { ...WRITE, ...members }));
const publishFirst = async (members: Partial<CheckWrite> = {}): Promise<KnownCheck> => {
  const first = await publish(members);
  return typeof first === "object" && "checkRunId" in first ? first : expect.fail("it is written");
};
const asked = (): string[] =>
  stub.received.map(
    ({ method, path }) => `${method} ${path.replace(/\?.*/, "").replace("/api/v3/repositories/77", "")}`,
  );
const written = { checkRunId: 100 };
const known = (checkRunId: number, completed = true, annotations: string | null = NO_ANNOTATIONS) => ({
  ...{ checkRunId, completed, annotations },
  digest: "older",
});

describe("a check", () => {
  it("is created by one request with everything in it", async () => {
    await github();
    expect(await publish()).toMatchObject({ checkRunId: 100, completed: true });
    expect(stub.received).toHaveLength(1);
    expect(stub.received[0]?.body).toEqual({
      name: "tollgate: main",
      head_sha: SHA,
      external_id: "digest-1",
      details_url: WRITE.detailsUrl,
      status: "completed",
      conclusion: "failure",
      output: OUTPUT,
      actions: WRITE.actions,
    });
  });

  it("that did not change is not written, and one that changed is updated", async () => {
    await github();
    const first = await publishFirst();
    expect(await publish({ known: first })).toEqual(first);
    const elsewhere = `${WRITE.detailsUrl}#issuecomment-1`;
    expect(await publish({ known: first, detailsUrl: elsewhere })).toEqual(first);
    await publish({ known: first, decision: { status: "completed", conclusion: "success" } });
    expect(asked()).toEqual(["POST /check-runs", "PATCH /check-runs/100"]);
    expect(runs).toHaveLength(1);
  });

  it("ends with the version of Tollgate, and an upgrade alone writes no check", async () => {
    await github();
    const first = await publishFirst({ output: { ...OUTPUT, footer: "Tollgate 1.0.0" } });
    const upgraded = { known: first, output: { ...OUTPUT, footer: "Tollgate 1.1.0" } };
    expect(await publish(upgraded)).toEqual(first);
    await publish({ ...upgraded, decision: { status: "completed", conclusion: "success" } });
    expect(stub.received.map(({ body }) => body.output.summary)).toEqual([
      "It costs more.\n\nTollgate 1.0.0",
      "It costs more.\n\nTollgate 1.1.0",
    ]);
  });

  it("that was completed is not reopened: a new run goes in its place", async () => {
    await github();
    await publish();
    expect(await publish({ known: known(100), decision: { status: "in_progress" } })).toMatchObject({
      checkRunId: 101,
      completed: false,
    });
  });

  it("that GitHub no longer has is created anew", async () => {
    await github();
    expect(await publish({ known: known(55) })).toMatchObject(written);
    expect(asked()).toEqual(["PATCH /check-runs/55", "POST /check-runs"]);
  });

  it("whose creation got no answer is found before it is written again", async () => {
    await github(["lose"]);
    runs.push({ ...OWN_RUN, id: 500, app: { id: 99 } }); // of another App
    expect(await publish()).toMatchObject({ kind: "unavailable" });
    const { newest, hidden } = await listRuns(world.app.installation(INSTALLATION), WRITE);
    expect([newest, hidden]).toEqual([{ ...known(101), digest: null }, []]);
    expect(await publish({ known: newest })).toMatchObject({ checkRunId: 101 });
    expect(runs).toHaveLength(2);
  });

  it("that a newer one hides is listed until it is completed", async () => {
    await github();
    for (const [id, status] of [
      [4, "in_progress"],
      [5, "completed"],
      [6, "in_progress"],
    ] as const)
      runs.push({ ...OWN_RUN, id, status });
    const { newest, hidden } = await listRuns(world.app.installation(INSTALLATION), WRITE);
    expect([newest?.checkRunId, hidden]).toEqual([6, [4]]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["a page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>")],
    [
      "somebody else's run",
      (response) => json(response, 200, { id: 3, name: "ci", head_sha: SHA, status: "completed" }),
    ],
    [
      "half an answer",
      (response) =>
        response.writeHead(201, { "content-type": "application/json", "content-length": "99" }).end('{"id"'),
    ],
  ])("answered by %s does not count as written", async (_what, answer) => {
    await github([answer]);
    expect(await publish()).toMatchObject({ kind: expect.stringMatching(/malformed|unavailable|timed_out/) });
  });
});

describe("annotations", () => {
  const annotation: CheckAnnotation = {
    ...{ path: "infra/main.tf", line: 7, title: "no-big", message: "too big" },
    level: "failure",
  };
  const sent = { path: "infra/main.tf", start_line: 7, end_line: 7, annotation_level: "failure" };
  const [own, other] = [computeAnnotationsDigest([annotation]), "0".repeat(32)];

  it.each<[string, KnownCheck | null, { wanted?: readonly []; isUncertain?: true }, string, number]>([
    ["are written with a new check", null, {}, "POST", 1],
    ["are added to a check that has none", known(100, false), {}, "PATCH", 1],
    ["that the check has already are not added again", known(100, true, own), {}, "PATCH", 0],
    ["that change go with a new run", known(100, true, other), {}, "POST", 1],
    ["that end go with a new run", known(100, true, other), { wanted: [] }, "POST", 0],
    ["that a late update may still add go with a new run", known(100), { isUncertain: true }, "POST", 1],
    ["of which nothing is known go with a new run", known(100, true, null), {}, "POST", 1],
  ])("%s", async (...[, before, { wanted = [annotation], isUncertain = false }, method, count]) => {
    await github();
    if (before !== null) runs.push({ ...OWN_RUN, id: before.checkRunId });
    const output = { ...OUTPUT, annotations: wanted };
    expect(await publish({ known: before, output, isUncertain })).toMatchObject({
      annotations: wanted.length === 0 ? NO_ANNOTATIONS : own,
    });
    const [{ body } = { body: null }, ...more] = stub.received;
    expect([stub.received[0]?.method, body.output.annotations?.length ?? 0, more]).toEqual([
      method,
      count,
      [],
    ]);
    const { newest } = await listRuns(world.app.installation(INSTALLATION), WRITE);
    expect(newest?.annotations).toBe(wanted.length === 0 ? NO_ANNOTATIONS : own);
  });

  it("that GitHub refuses do not keep the check from being written", async () => {
    await github([(response) => json(response, 422, { message: "Invalid annotation" })]);
    expect(await publish({ output: { ...OUTPUT, annotations: [annotation] } })).toMatchObject(written);
    const outputs = stub.received.map(({ body }) => body.output);
    expect(outputs).toEqual([{ ...OUTPUT, annotations: [expect.objectContaining(sent)] }, OUTPUT]);
  });
});

describe("an output", () => {
  const tooLong = (response: ServerResponse): void =>
    json(response, 422, { message: "Invalid request. Only 65535 characters are allowed" });
  const long = "é".repeat(40_000);

  it.each([
    ["too long a text", { ...OUTPUT, text: long }, { title: "Blocked", summary: "It costs more." }],
    ["too long a summary", { ...OUTPUT, summary: long }, { title: "Blocked", summary: "Blocked" }],
  ])("with %s goes without it at once", async (...[, output, sent]) => {
    await github();
    await publish({ output });
    expect(stub.received.map(({ body }) => body.output)).toEqual([sent]);
  });

  it("that GitHub still finds too long is shortened until GitHub accepts it", async () => {
    await github([tooLong, tooLong]);
    expect(await publish()).toMatchObject(written);
    expect(stub.received.map(({ body }) => Object.keys(body.output).length)).toEqual([3, 2, 2]);
    expect(stub.received[2]?.body.output).toEqual({ title: "Blocked", summary: "Blocked" });
  });

  it("of three buttons with long words stays within GitHub's limits", async () => {
    await github();
    const action = {
      label: `${"l".repeat(18)}😀😀`,
      description: "d".repeat(50),
      identifier: "i".repeat(30),
    };
    await publish({ actions: [action, action, action, action] });
    const { actions } = stub.received[0]?.body ?? {};
    expect(actions).toHaveLength(3);
    expect(Object.values(actions[0]).map((text) => String(text).length)).toEqual([20, 40, 20]);
  });
});

describe("a refusal", () => {
  it("for a missing commit is reported after one attempt", async () => {
    await github([(response) => json(response, 422, { message: "No commit found for SHA: 6113" })]);
    expect(await publish()).toMatchObject({ kind: "rejected" });
    expect(stub.received).toHaveLength(1);
  });

  it("by a rate limit states when to retry", async () => {
    const headers = { "content-type": "application/json", "retry-after": "30" };
    await github([(response) => response.writeHead(403, headers).end('{"message":"secondary rate limit"}')]);
    expect(await publish()).toMatchObject({ kind: "rate_limited", retryAfterMs: 30_000 });
  });

  it("by a newer evaluation of the lane writes nothing", async () => {
    await github();
    expect(await publish({ isCurrent: async () => false })).toBe("superseded");
    expect(stub.received).toEqual([]);
  });
});
