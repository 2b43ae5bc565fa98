import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { declareEndpoint, type Endpoint } from "../../src/platform/contract/endpoint.ts";
import { listExecutions } from "../../src/platform/contract/executions.ts";
import { contract } from "../../src/platform/contract/registry.ts";
import {
  listChangeRows,
  listChanges,
  uploadChangePage,
} from "../../src/platform/contract/resource-changes.ts";
import { encodeRequest, readRequest } from "../../src/platform/contract/wire/codec.ts";

const WIRE = { dialect: "neutral", account: "acc123" } as const;
const params = { org: "acme", project: "shop" };
const stage = { ...params, pipeline_execution_id: "e", pipeline_stage_id: "s" };

const query = (endpoint: Endpoint, text: string, path: Record<string, string> = params) => {
  const read = readRequest(endpoint, {
    params: path,
    query: new URLSearchParams(text),
    headers: {},
    body: undefined,
  });
  return read.ok ? (read.value as { query: unknown }).query : read.problems; // every endpoint used here has a query
};

describe("queries as a server reads them", () => {
  test.each<[string, Endpoint, string, Record<string, string>, unknown]>([
    ["defaults", listExecutions, "", params, { limit: 30, page: 1 }],
    ["one value of a list", listExecutions, "status=none", params, { limit: 30, page: 1, status: ["none"] }],
    [
      "two values of a list",
      listExecutions,
      "status=none&status=success",
      params,
      { limit: 30, page: 1, status: ["none", "success"] },
    ],
    [
      "numbers",
      listExecutions,
      "limit=100&start_time=1691150743950",
      params,
      { limit: 100, page: 1, start_time: 1691150743950 },
    ],
    [
      "what a gateway adds is ignored",
      listExecutions,
      "routingId=x&accountIdentifier=y",
      params,
      { limit: 30, page: 1 },
    ],
  ])("%s", (...[, endpoint, text, path, expected]) => {
    expect(query(endpoint, text, path)).toEqual(expected);
  });

  test.each<[string, Endpoint, string]>([
    ["limit", listExecutions, "limit=0"],
    ["limit", listExecutions, "limit=101"],
    ["limit", listExecutions, "limit="],
    ["limit", listExecutions, "limit=1e2"],
    ["limit", listExecutions, "limit=0x10"],
    ["limit", listExecutions, "limit=-1"],
    ["limit", listExecutions, "limit=1.5"],
    ["limit", listExecutions, "limit=5&limit=6"],
    ["page", listExecutions, "page=0"],
    ["page", listExecutions, "page=99999999999999999999"],
    ["status.0", listExecutions, "status=running"],
    ["exclude_state", listChanges, "exclude_state=1"],
  ])("a wrong %s is named: %o %s", (...[name, endpoint, text]) => {
    expect(query(endpoint, text, { ...params, pipeline_execution_id: "e" })).toEqual([
      expect.stringMatching(`^query.${name}: `),
    ]);
  });

  test("all problems are reported at once", () => {
    const path = { ...stage, category: "x", page: "0", org: "a".repeat(129) };
    const read = readRequest(uploadChangePage, {
      params: path,
      query: new URLSearchParams("change=y"),
      headers: {},
      body: new Uint8Array(),
    });
    expect(read).toMatchObject({ ok: false, problems: { length: 4 } });
  });
});

describe("what a client writes, a server reads", () => {
  const id = fc.stringMatching(/^[A-Za-z0-9_$-][A-Za-z0-9_.$-]{0,127}$/);
  // As document 3 has it: any 1 to 128 characters. "." and ".." cannot stand in an address.
  const name = fc
    .oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
      fc.constantFrom("a b", "a/b", "../..", "%2e%2e", "ünïcode 雲", "a?b#c", " ", "a".repeat(128)),
    )
    .filter((text) => text.isWellFormed() && !text.includes("\u0000") && text !== "." && text !== "..");
  const words = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 4 });
  const input = fc.record({
    params: fc.record({
      org: name,
      project: name,
      pipeline_execution_id: id,
      pipeline_stage_id: id,
      category: fc.constant("outputs" as const),
    }),
    query: fc.record(
      {
        provider: words,
        module: words,
        search: fc.string({ unit: "grapheme", maxLength: 50 }),
        page_size: fc.integer({ min: 1, max: 100 }),
        page: fc.integer({ min: 1 }),
      },
      { requiredKeys: ["page_size", "page"] },
    ),
  });

  test("for any ids and any words", () => {
    fc.assert(
      fc.property(input, (sent) => {
        const encoded = encodeRequest(listChangeRows, sent, WIRE);
        if (!encoded.ok) throw new Error(encoded.problems.join());
        const url = new URL(encoded.value.target, "http://platform.test");
        const names = [...listChangeRows.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
        const values =
          new RegExp(`^${listChangeRows.path.replace(/\{\w+\}/g, "([^/]+)")}$`)
            .exec(url.pathname)
            ?.slice(1) ?? [];
        const path = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i] ?? "")]));
        expect(
          readRequest(listChangeRows, {
            params: path,
            query: url.searchParams,
            headers: {},
            body: undefined,
          }),
        ).toEqual({ ok: true, value: sent });
      }),
    );
  });

  test.each(["", ".", "..", "a\u0000", "\ud800", "a".repeat(129)])("no org is called %j", (org) => {
    const encoded = encodeRequest(contract.getPushDisabled, { params: { org, project: "shop" } }, WIRE);
    expect(encoded).toMatchObject({ ok: false, fields: [{ part: "params", field: "org" }] });
  });

  test("no id leads out of its place, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.constantFrom("..", ".", "%2e%2e", "a/b", "a?b", "a#b", ""),
        ),
        (org) => {
          const encoded = encodeRequest(contract.getPushDisabled, { params: { org, project: "shop" } }, WIRE);
          if (!encoded.ok) return;
          const url = new URL(encoded.value.target, "http://platform.test");
          expect(url.pathname.split("/")).toHaveLength(8);
          expect(decodeURIComponent(url.pathname.split("/")[3] ?? "")).toBe(org);
          expect([url.search, url.hash, url.host]).toEqual(["", "", "platform.test"]);
        },
      ),
    );
  });
});

describe("where each service reads the account", () => {
  const shared = {
    area: "x",
    operation: "y",
    method: "GET",
    summary: "",
    source: "",
    status: 200,
  } as const;
  const flags = declareEndpoint({
    ...shared,
    api: "flags",
    path: "/cf/x",
    query: z.object({ size: z.number().optional() }),
    response: "empty",
  });
  const hooks = declareEndpoint({
    ...shared,
    api: "registry",
    path: "/har/{registry_ref}/webhooks/{id}",
    params: z.object({ registry_ref: z.string(), id: z.string() }),
    slashes: ["registry_ref"],
    response: "empty",
  });
  const target = (sent: ReturnType<typeof encodeRequest>) => (sent.ok ? sent.value.target : sent.problems);

  test("names of parameters are written in one dialect and read in both", () => {
    const tagged = { ...flags, query: z.object({ cloud1Account: z.string().optional() }) };
    const live = { ...WIRE, dialect: "live" } as const;
    expect(target(encodeRequest(tagged, { query: { cloud1Account: "x" } }, live))).toBe(
      "/cf/x?accountIdentifier=acc123&awsAccount=x",
    );
    for (const text of ["awsAccount=x", "cloud1Account=x"])
      expect(query(tagged, text)).toEqual({ cloud1Account: "x" });
  });

  test("in the query", () => {
    expect(target(encodeRequest(flags, {}, WIRE))).toBe("/cf/x?accountIdentifier=acc123");
    expect(target(encodeRequest(flags, { query: { size: 2 } }, WIRE))).toBe(
      "/cf/x?accountIdentifier=acc123&size=2",
    );
    const twice = encodeRequest(flags, { query: { accountIdentifier: "other" } }, WIRE);
    expect(target(twice)).toEqual([
      "query.accountIdentifier: is not a parameter of this operation; it takes size",
    ]);
  });

  test.each([
    ["acc123/r/+", "/har/acc123/r/+/webhooks/w"],
    ["acc123/o/p/a$b/+", "/har/acc123/o/p/a%24b/+/webhooks/w"],
  ])("in the reference %s", (registry_ref, expected) => {
    expect(target(encodeRequest(hooks, { params: { registry_ref, id: "w" } }, WIRE))).toBe(expected);
  });

  test.each([
    "acc123/r",
    "acc123",
    "+",
    "/+",
    "",
    "acc123//+",
    "acc123/../+",
    "acc123/a b/+",
    "acc123/+/+",
    "other/r/+",
  ])("not in %s", (registry_ref) => {
    expect(target(encodeRequest(hooks, { params: { registry_ref, id: "w" } }, WIRE))).toEqual([
      expect.stringMatching(/^params\.registry_ref: expected /),
    ]);
  });
});
