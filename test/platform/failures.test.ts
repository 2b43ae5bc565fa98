import nock from "nock";
import { describe, expect, test } from "vitest";
import { createExecution } from "../../src/platform/contract/executions.ts";
import { ingest } from "../../src/platform/contract/own-operations.ts";
import { uploadChangeCounts } from "../../src/platform/contract/resource-changes.ts";
import { getPushDisabled } from "../../src/platform/contract/settings.ts";
import type { Failure } from "../../src/platform/errors.ts";
import { closeNetwork } from "../world/network.ts";
import { createRig, TOKEN } from "./client-for-test.ts";

const HOST = "http://platform.test";
const params = { org: "acme", project: "shop" };
const PATH = "/api/orgs/acme/projects/shop/settings/disabled";
const HTML = "<!doctype html><title>Sign in</title>";

/** Reads once against an answer that stays the same, and hands back what came of it and how many tries it took. */
async function read(status: number, body: string | object, headers: Record<string, string> = {}) {
  let tries = 0;
  nock(HOST)
    .persist()
    .get(PATH)
    .reply(async () => {
      tries += 1;
      return [status, body, headers];
    });
  const { client, pauses } = createRig(HOST);
  const outcome = await client.call(getPushDisabled, { params });
  return { outcome, tries, pauses, failure: outcome.ok ? null : outcome.failure };
}

closeNetwork();

describe("statuses", () => {
  const goa = {
    name: "not_found",
    id: "x1",
    message: "no such thing",
    temporary: false,
    timeout: false,
    fault: false,
  };
  test.each<[number, Failure["kind"], number]>([
    [301, "malformed", 1],
    [302, "malformed", 1],
    [307, "malformed", 1],
    [400, "rejected", 1],
    [401, "unauthorised", 1],
    [403, "forbidden", 1],
    [404, "not_found", 1],
    [408, "timed_out", 4],
    [409, "rejected", 1],
    [412, "rejected", 1],
    [413, "rejected", 1],
    [415, "rejected", 1],
    [423, "unavailable", 1],
    [429, "rate_limited", 4],
    [499, "unavailable", 1],
    [500, "unavailable", 4],
    [502, "unavailable", 4],
    [503, "unavailable", 4],
    [504, "unavailable", 4],
    [599, "unavailable", 4],
  ])("%d is %s after %d tries", async (status, kind, expectedTries) => {
    const { failure, tries } = await read(status, goa);
    expect(failure).toMatchObject({ kind, status, code: "not_found", retryAfterMs: null });
    expect(tries).toBe(expectedTries);
  });

  test("a status without a body or with a page for people has the same kind", async () => {
    expect((await read(404, "")).failure).toMatchObject({ kind: "not_found", code: null });
    nock.cleanAll();
    expect((await read(401, HTML)).failure).toMatchObject({ kind: "unauthorised", code: null });
  });
});

describe("the service's own words", () => {
  const wrong = { field: "url", error: "is wrong" };
  const invalid = { code: "SCHEMA_VALIDATION_FAILED", correlationId: "c1" };
  const said = { status: "FAILURE", message: "m", errors: [{ fieldId: "url", error: "is wrong" }] };
  const inside = { status: "ERROR", code: "UNKNOWN_ERROR", responseMessages: [{ message: "inside" }] };
  const listed = { code: 404, message: "bad", errors: [{ field_name: "org", message: "is odd" }] };

  test.each<[string, unknown, string, Partial<Failure>]>([
    [
      "provisioning",
      { name: "bad_request", id: "x1", message: "limit is wrong", fault: false },
      "limit is wrong",
      { code: "bad_request", correlationId: "x1" },
    ],
    ["cost management, 400", { ...said, ...invalid }, "m; url: is wrong", { ...invalid, fields: [wrong] }],
    ["cost management, 500", { ...inside, correlationId: "c1" }, "inside", { correlationId: "c1" }],
    ["version 1", listed, "bad; org: is odd", { code: "404" }],
    [
      "flags",
      { code: "404", message: "m", details: { url: "is wrong", deep: {} } },
      "m; url: is wrong",
      { code: "404", fields: [wrong] },
    ],
    [
      "registry",
      { status: "FAILURE", code: "400", message: "m", details: { url: "is wrong" } },
      "m; url: is wrong",
      { code: "400", fields: [wrong] },
    ],
    [
      "code hosting",
      { message: "m", values: { url: "is wrong" } },
      "m; url: is wrong",
      { code: null, fields: [wrong], correlationId: null },
    ],
    ["odd members", { message: 5, code: {}, errors: "x" }, "no explanation", { code: null }],
    ["a list", [1], "no explanation", { code: null, fields: [], correlationId: null }],
  ])("%s", async (...[, body, words, expected]) => {
    const { failure } = await read(400, JSON.stringify(body));
    expect(failure).toMatchObject({ message: `settings disabled: answered 400: ${words}`, ...expected });
  });

  test("no credential comes back, however the service repeats it", async () => {
    const secret = TOKEN.split(".").at(-1) ?? "";
    const message = `bad key ${TOKEN}, ${encodeURIComponent(TOKEN)}, or only ${secret}\r\nSet-Cookie: x`;
    const hidden = { correlationId: TOKEN, details: { [TOKEN]: TOKEN } };
    expect(JSON.stringify((await read(400, { message: "m", ...hidden })).outcome)).not.toContain(secret);
    nock.cleanAll();
    const { outcome } = await read(400, { message, code: TOKEN });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(outcome).toMatchObject({
      failure: {
        code: "[hidden]",
        message:
          "settings disabled: answered 400: bad key [hidden], [hidden], or only [hidden] Set-Cookie: x",
      },
    });
  });

  test("an endless explanation is cut", async () => {
    expect((await read(400, { message: "x".repeat(10_000) })).failure?.message.length).toBe(500);
  });
});

describe("answers that are none", () => {
  test.each<[string, string | object, string]>([
    ["a web page", HTML, "the answer is a web page, not JSON"],
    ["nothing", "", "the answer is empty"],
    ["text", "ok", "the answer is not JSON"],
    ["half a document", '{"disabled": tr', "the answer is not JSON"],
    [
      "another envelope",
      { status: "ERROR", code: "X", message: "y" },
      "answer.disabled: is missing; expected true or false",
    ],
    ["a wrong type", { disabled: "false" }, "answer.disabled: expected true or false"],
    ["a list", [], "the answer is not what the contract says"],
    ["null", "null", "the answer is not what the contract says"],
  ])("%s with 200 is malformed and not repeated", async (_, body, words) => {
    const { failure, tries } = await read(200, body, { "content-type": "application/json" });
    expect(failure).toMatchObject({ kind: "malformed", status: 200 });
    expect(failure?.message).toContain(words);
    expect(tries).toBe(1);
  });

  test("a page for people is no proof that an upload arrived; nothing, or any JSON, is", async () => {
    const stage = { ...params, pipeline_execution_id: "e", pipeline_stage_id: "s" };
    const { client } = createRig(HOST);
    for (const [body, ok] of [
      [HTML, false],
      ["", true],
      ["{}", true],
      ["null", true],
      ["OK", false],
    ] as const) {
      nock(HOST)
        .post(/counts$/)
        .reply(200, body);
      const outcome = await client.call(uploadChangeCounts, { params: stage, body: new Uint8Array(2) });
      expect([body, outcome.ok]).toEqual([body, ok]);
    }
  });
});

describe("repetition", () => {
  test("a read succeeds at the third try, after two pauses that grow", async () => {
    nock(HOST).get(PATH).reply(503).get(PATH).reply(429).get(PATH).reply(200, { disabled: true });
    const { client, pauses } = createRig(HOST);
    expect(await client.call(getPushDisabled, { params })).toMatchObject({
      ok: true,
      value: { disabled: true },
    });
    expect(pauses).toEqual([125, 250]);
  });

  test.each([
    ["seconds", "3", [3125]],
    ["a date", new Date(Date.UTC(2026, 0, 1) + 7_000).toUTCString(), [7125]],
    ["a date gone by", new Date(Date.UTC(2025, 0, 1)).toUTCString(), [125]],
    ["nonsense", "soon", [125]],
    ["a fraction", "1.5", [125]],
  ])("Retry-After as %s is waited for", async (_, value, expected) => {
    nock(HOST).get(PATH).reply(429, "", { "retry-after": value }).get(PATH).reply(200, { disabled: true });
    const { client, pauses } = createRig(HOST);
    expect(await client.call(getPushDisabled, { params })).toMatchObject({ ok: true });
    expect(pauses).toEqual(expected);
  });

  test.each([
    ["120", 120_000],
    ["99999999999999999999", 86_400_000],
  ])("a pause of %s s is too long to wait for, and the caller receives an error", async (value, expected) => {
    let tries = 0;
    nock(HOST)
      .persist()
      .get(PATH)
      .reply(async () => {
        tries += 1;
        return [429, "", { "retry-after": value }];
      });
    const { client } = createRig(HOST, { limits: { totalMs: 1_000_000_000 } });
    expect(await client.call(getPushDisabled, { params })).toMatchObject({
      failure: { kind: "rate_limited", retryAfterMs: expected },
    });
    expect(tries).toBe(1);
  });

  test("the total time bounds repetition", async () => {
    nock(HOST).persist().get(PATH).reply(503, "", { "retry-after": "9" });
    const { client, pauses } = createRig(HOST, { limits: { totalMs: 20_000, tries: 100 } });
    expect(await client.call(getPushDisabled, { params })).toMatchObject({
      failure: { kind: "unavailable" },
    });
    expect(pauses).toEqual([9125, 9250]);
  });

  test.each([503, 408, 429])("what writes is never repeated: %d", async (status) => {
    const { client, pauses } = createRig(HOST);
    nock(HOST).post("/tollgate/v1/ingest").reply(status);
    nock(HOST)
      .post(/executions$/)
      .reply(status);
    const ids = { pipeline_execution_id: "e", pipeline_stage_id: "s" };
    const written = [
      await client.call(ingest, { body: { ...params, ...ids, status: "success" } }),
      await client.call(createExecution, { params, body: { ...ids, pipeline: "p", workspace: "w" } }),
    ];
    expect(written.map((outcome) => outcome.ok)).toEqual([false, false]);
    expect(pauses).toEqual([]);
    expect(nock.pendingMocks()).toEqual([]);
  });

  test("above the cap requests wait for their minute; below it nobody does", async () => {
    nock(HOST).persist().get(PATH).reply(200, { disabled: false });
    const { client, pauses } = createRig(HOST, { perMinute: 3, limits: { totalMs: 1_000, turnMs: 60_000 } });
    for (let i = 0; i < 4; i += 1) await client.call(getPushDisabled, { params });
    expect(pauses).toEqual([60_000]);
  });

  test("a wait for the turn takes nothing from the time for another try", async () => {
    const { client } = createRig(HOST, { perMinute: 1, limits: { totalMs: 1_000, turnMs: 60_000 } });
    nock(HOST).get(PATH).reply(200, { disabled: false });
    nock(HOST).get(PATH).reply(503, {});
    nock(HOST).get(PATH).reply(200, { disabled: false });
    await client.call(getPushDisabled, { params });
    expect(await client.call(getPushDisabled, { params })).toMatchObject({ ok: true });
  });

  test("a wait above the longest one is refused at once", async () => {
    nock(HOST).persist().get(PATH).reply(200, { disabled: false });
    const { client, pauses } = createRig(HOST, { perMinute: 1, limits: { turnMs: 1_000 } });
    await client.call(getPushDisabled, { params });
    expect(await client.call(getPushDisabled, { params })).toMatchObject({
      failure: { kind: "rate_limited", status: null, code: "own_limit" },
    });
    expect(pauses).toEqual([]);
  });
});
