import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type CheckWrite,
  type KnownCheck,
  NO_ANNOTATIONS,
  publishCheck,
} from "../../src/github/checks/publish-check.ts";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { createOctokit } from "../../src/github/client/octokit.ts";
import { SupersededError } from "../../src/github/client/result.ts";
import { OWN_APP } from "./deliveries.ts";
import { checkWrite, clientOn, outcomeOf } from "./github.ts";

const Input = z.object({ name: z.string(), headSha: z.string().optional(), status: z.string() });
const Operation = z.object({ query: z.string(), variables: z.record(z.string(), Input) });
type Inputs = Readonly<Record<string, z.infer<typeof Input>>>;

const shaOf = (number: number): string => String(number).padStart(40, "0");

const createWrite = (number: number, more: Partial<CheckWrite> = {}): CheckWrite =>
  checkWrite({ headSha: shaOf(number), externalId: `digest ${number}`, ...more });
const createWrites = (count: number, more: Partial<CheckWrite> = {}): readonly CheckWrite[] =>
  Array.from({ length: count }, (_, index) => createWrite(index + 1, more));

const toPayload = (number: number, { name, headSha = "" }: z.infer<typeof Input>) => ({
  checkRun: {
    databaseId: 100 + number,
    name,
    status: "COMPLETED",
    checkSuite: { app: { databaseId: OWN_APP }, commit: { oid: headSha } },
  },
});

const answerAll = (inputs: Inputs): object => ({
  data: Object.fromEntries(
    Object.entries(inputs).map(([field, input]) => [field, toPayload(Number(input.headSha), input)]),
  ),
});

/** A GitHub whose answers to operations are `answer`'s. The first write keeps the others waiting until `release`. */
function createStub(answer: (inputs: Inputs) => object | Response) {
  const requests: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = clientOn(async (url, init) => {
    const path = new URL(url).pathname;
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : null;
    if (path === "/graphql") {
      const { variables } = Operation.parse(body);
      requests.push(`batch of ${Object.keys(variables).length}`);
      const answered = answer(variables);
      return answered instanceof Response ? answered : Response.json(answered);
    }
    requests.push(`${init.method}`);
    await held;
    const { name, ...rest } = z.object({ head_sha: z.string().optional(), name: z.string() }).parse(body);
    const head_sha = rest.head_sha ?? shaOf(Number(path.split("/").at(-1)) - 100);
    const shown = { id: 100 + Number(head_sha), head_sha, name };
    return Response.json({ ...shown, status: "completed", app: { id: OWN_APP } });
  });
  return { client, requests, release };
}

type Outcome = Awaited<ReturnType<typeof outcomeOf<KnownCheck>>>;

/** Publishes the first write, and the others while it is under way. */
async function publishTogether(
  { client, release }: { client: InstallationClient; release: () => void },
  writes: readonly CheckWrite[],
): Promise<readonly Outcome[]> {
  const outcomes = Promise.all(writes.map((write) => outcomeOf(publishCheck(client, write))));
  release();
  return outcomes;
}

const ids = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => {
    if (typeof outcome === "string") return outcome;
    return "kind" in outcome ? outcome.kind : outcome.checkRunId;
  });

describe("checks that wait for their turn at the same time", () => {
  it("are one request, and each has its own check run", async () => {
    const stub = createStub(answerAll);
    const outcomes = await publishTogether(stub, createWrites(4));
    expect(stub.requests).toEqual(["POST", "batch of 3"]);
    expect(ids(outcomes)).toEqual([101, 102, 103, 104]);
  });

  it("are at most twenty in one request", async () => {
    const stub = createStub(answerAll);
    const outcomes = await publishTogether(stub, createWrites(30));
    expect(stub.requests).toEqual(["POST", "batch of 20", "batch of 9"]);
    expect(new Set(ids(outcomes)).size).toBe(30);
  });

  it("are fewer in one request when they are large", async () => {
    const stub = createStub(answerAll);
    const output = { title: "Blocked", summary: "é".repeat(32_000), text: "x".repeat(65_000) };
    await publishTogether(stub, createWrites(20, { output }));
    expect(stub.requests).toEqual(["POST", "batch of 10", "batch of 9"]);
  });

  it("are dropped one by one when they are no longer current", async () => {
    const stub = createStub(answerAll);
    const stale = { isCurrent: async () => false };
    const writes = [1, 2, 3, 4, 5].map((number) => createWrite(number, number % 3 === 2 ? stale : {}));
    const outcomes = await publishTogether(stub, writes);
    expect(stub.requests).toEqual(["POST", "batch of 2"]);
    expect(ids(outcomes)).toEqual([101, "superseded", 103, 104, "superseded"]);
  });

  it("are sent one by one when one of them is overtaken before their request is sent", async () => {
    const stub = createStub(answerAll);
    let asked = 0;
    const overtaken = { isCurrent: async () => ++asked === 1 };
    // As the authentication of an installation does, right before it sends.
    stub.client.octokit.hook.wrap("request", async (request, call) => {
      const { isPaced, isCurrent } = call.request?.write ?? {};
      if (isPaced === true && (await isCurrent?.()) === false) throw new SupersededError("overtaken");
      return request(call);
    });
    const writes = [1, 2, 3, 4].map((number) => createWrite(number, number === 3 ? overtaken : {}));
    const outcomes = await publishTogether(stub, writes);
    expect(stub.requests).toEqual(["POST", "POST", "POST"]);
    expect(ids(outcomes)).toEqual([101, 102, "superseded", 104]);
  });

  it("go alone when GitHub did not state the global id of their check run", async () => {
    const stub = createStub(answerAll);
    await publishTogether(stub, [createWrite(1), createWrite(2, { repositoryNodeId: null }), createWrite(3)]);
    expect(stub.requests).toEqual(["POST", "POST", "POST"]);
  });

  it("fail one by one", async () => {
    const stub = createStub((inputs) => {
      const [refused = "", silent = "", ...others] = Object.keys(inputs);
      if (others.length === 0) return answerAll(inputs);
      const { data } = z.object({ data: z.record(z.string(), z.unknown()) }).parse(answerAll(inputs));
      return {
        data: { ...data, [refused]: null, [silent]: null },
        errors: [{ type: "NOT_FOUND", path: [refused], message: "Could not resolve to a node" }],
      };
    });
    const outcomes = await publishTogether(stub, createWrites(4));
    expect(stub.requests).toEqual(["POST", "batch of 3"]);
    expect(ids(outcomes)).toEqual([101, "not_found", "malformed", 104]);
  });

  it("never count as written when the answer shows another commit, name or App", async () => {
    const stub = createStub((inputs) => ({
      data: Object.fromEntries(
        Object.entries(inputs).map(([field, input]) => [
          field,
          toPayload(1, { ...input, headSha: shaOf(999) }),
        ]),
      ),
    }));
    const outcomes = await publishTogether(stub, createWrites(3));
    expect(ids(outcomes)).toEqual([101, "malformed", "malformed"]);
  });

  it("are sent one by one after GitHub refused the form of the request", async () => {
    const message = "Field 'createCheckRun' doesn't exist on type 'Mutation'";
    const stub = createStub(() => ({ errors: [{ message }] }));
    const writes = createWrites(6);
    await publishTogether(stub, writes);
    expect(ids(await publishTogether(stub, writes))).toEqual([101, 102, 103, 104, 105, 106]);
    expect(stub.requests).toEqual(["POST", "batch of 5", ...Array<string>(6).fill("POST")]);
  });

  it("are sent one by one after GitHub did not finish many of them in time", async () => {
    const stub = createStub(() => new Response("Gateway Timeout", { status: 504 }));
    const writes = [1, 2, 3, 4].map((number) =>
      createWrite(number, {
        known: {
          checkRunId: 100 + number,
          digest: null,
          completed: true,
          annotations: NO_ANNOTATIONS,
          nodeId: `CR_${number}`,
        },
      }),
    );
    await publishTogether(stub, writes);
    expect(ids(await publishTogether(stub, writes))).toEqual([101, 102, 103, 104]);
    expect(stub.requests).toEqual(["PATCH", "batch of 3", ...Array<string>(4).fill("PATCH")]);
  });

  it("are sent one by one after GitHub forbade them as parts of one request", async () => {
    const stub = createStub((inputs) => ({
      data: Object.fromEntries(Object.keys(inputs).map((field) => [field, null])),
      errors: Object.keys(inputs).map((field) => ({
        type: "FORBIDDEN",
        path: [field],
        message: "Resource not accessible by integration",
      })),
    }));
    const writes = createWrites(3);
    await publishTogether(stub, writes);
    expect(ids(await publishTogether(stub, writes))).toEqual([101, 102, 103]);
    expect(stub.requests).toEqual(["POST", "batch of 2", "POST", "POST", "POST"]);
  });

  it("wait like every call after GitHub limited their request", async () => {
    const stub = createStub(() =>
      Response.json(
        { message: "You have exceeded a secondary rate limit." },
        { status: 403, headers: { "retry-after": "60" } },
      ),
    );
    const outcomes = await publishTogether(stub, createWrites(3));
    expect(stub.requests).toEqual(["POST", "batch of 2"]);
    const limited = { kind: "rate_limited", retryAfterMs: 60_000 };
    expect(outcomes.slice(1)).toMatchObject([limited, limited]);
  });

  it("are requests of their own where the operator wants it", async () => {
    const stub = createStub(answerAll);
    const { octokit: _, ...client } = stub.client;
    const alone = {
      ...client,
      octokit: createOctokit({
        apiUrl: "https://api.github.com",
        clock: { now: Date.now, monotonicMs: () => performance.now() },
        wait: async () => {},
        writeSpacingMs: 0,
        batchesChecks: false,
        fetch: async (_url, init) => {
          const body = z
            .object({ head_sha: z.string(), name: z.string() })
            .parse(JSON.parse(String(init.body)));
          stub.requests.push(String(init.method));
          return Response.json({ ...body, id: 1, status: "completed", app: { id: OWN_APP } });
        },
      }),
    };
    await Promise.all(createWrites(3).map((write) => publishCheck(alone, write)));
    expect(stub.requests).toEqual(["POST", "POST", "POST"]);
  });
});
