import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { PlatformClient } from "../../src/platform/client.ts";
import { declareEndpoint, type LooseInput } from "../../src/platform/contract/endpoint.ts";
import { createIntegerText, list } from "../../src/platform/contract/shapes/fields.ts";
import { TOTAL_HEADERS } from "../../src/platform/contract/shapes/pagination.ts";
import { createFailure, type PlatformResult } from "../../src/platform/errors.ts";
import { type Item, readItems, readPages } from "../../src/platform/list-pages.ts";

const shared = {
  api: "provisioning",
  area: "test",
  operation: "list",
  method: "POST",
  path: "/things",
  summary: "",
  source: "a test",
  status: 200,
} as const;
const Thing = z.object({ id: z.number() });
const paging = { page: createIntegerText(0).default(0), size: createIntegerText(1, 4).default(2) };

const inQuery = declareEndpoint({
  ...shared,
  query: z.object({ ...paging, word: z.string().optional() }),
  response: list(Thing),
  pagination: {
    ask: { by: "page", in: "query", page: "page", size: "size", first: 0 },
    items: [],
    total: TOTAL_HEADERS,
  },
});
const fromOne = declareEndpoint({
  ...shared,
  query: z.object(paging),
  response: z.object({ data: z.object({ things: z.array(Thing), count: z.number() }) }),
  pagination: {
    ask: { by: "page", in: "query", page: "page", size: "size", first: 1 },
    items: ["data", "things"],
    total: { in: "body", path: ["data", "count"] },
  },
});
const byOffset = declareEndpoint({
  ...shared,
  query: z.object({ offset: createIntegerText(0).optional(), limit: createIntegerText(1, 4).optional() }),
  response: z.array(Thing),
  pagination: {
    ask: { by: "offset", in: "query", offset: ["offset"], limit: ["limit"], defaultLimit: 2 },
    items: [],
    total: TOTAL_HEADERS,
  },
});
const inBody = declareEndpoint({
  ...shared,
  body: z.object({
    filter: z.object({ offset: z.int().optional(), limit: z.int().max(4).default(2), word: z.string() }),
  }),
  response: z.object({ data: z.array(Thing) }),
  pagination: {
    ask: {
      by: "offset",
      in: "body",
      offset: ["filter", "offset"],
      limit: ["filter", "limit"],
      defaultLimit: 2,
    },
    items: ["data"],
    total: TOTAL_HEADERS,
  },
});

type Answer = { readonly value: unknown; readonly headers?: Readonly<Record<string, string>> } | "fails";

/** A service in place of the client: what it was asked, and an answer for each call. */
function service(answer: (input: LooseInput, call: number) => Answer) {
  const asked: LooseInput[] = [];
  const call = async (_: unknown, input: LooseInput): Promise<PlatformResult<unknown>> => {
    asked.push(input);
    const found = answer(input, asked.length);
    if (found === "fails")
      return { ok: false, failure: createFailure("unavailable", "down", { status: 503 }) };
    return { ok: true, value: found.value, headers: found.headers ?? {} };
  };
  return { asked, client: { call } as unknown as Pick<PlatformClient, "call"> }; // it answers whatever it is told to
}

const all = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
/** A piece of `count` things. */
const piece = (count: number, from: unknown, size: unknown) =>
  all(count).slice(Number(from), Number(from) + Number(size));

async function read(items: AsyncIterable<{ ok: boolean; value?: unknown; failure?: unknown }>) {
  const found = [];
  for await (const one of items) found.push(one.ok ? (one.value as { id: number }).id : one.failure);
  return found;
}
const ids = (count: number, from = 0) =>
  all(count)
    .slice(from)
    .map(({ id }) => id);

describe("all pages, as large as the endpoint gives them", () => {
  const counts = [0, 1, 3, 4, 5, 8, 9];
  const calls = (count: number, known: boolean) =>
    known || count === 0 ? Math.max(1, Math.ceil(count / 4)) : Math.max(2, Math.floor(count / 4) + 1);

  test.each(
    counts.flatMap((n) =>
      ["x-total-elements", "X-none", "x-total-items", "x-total"].map((h) => [n, h] as const),
    ),
  )("%d by page from 0, total in %s", async (count, header) => {
    const { client, asked } = service(({ query = {} }) => ({
      value: piece(count, Number(query["page"]) * 4, query["size"]),
      headers: { [header]: `${count}` },
    }));
    expect(await read(readItems(client, inQuery, { query: { word: "x" } }))).toEqual(ids(count));
    expect(asked).toHaveLength(calls(count, header !== "X-none"));
    expect(asked[0]).toEqual({ query: { word: "x", page: 0, size: 4 } });
  });

  test.each(counts)("%d by page from 1, total in the body", async (count) => {
    const { client, asked } = service(({ query = {} }) => ({
      value: { data: { things: piece(count, (Number(query["page"]) - 1) * 4, query["size"]), count } },
    }));
    expect(await read(readItems(client, fromOne, {}))).toEqual(ids(count));
    expect(asked.map(({ query }) => query?.["page"])).toEqual(ids(calls(count, true)).map((n) => n + 1));
  });

  test.each(counts)("%d by offset in the body, which stays otherwise unchanged", async (count) => {
    const input = { body: { filter: { word: "x" } } };
    const { client, asked } = service(({ body }) => {
      const { filter } = body as { filter: { offset: number; limit: number } };
      return { value: { data: piece(count, filter.offset, filter.limit) } };
    });
    expect(await read(readItems(client, inBody, input))).toEqual(ids(count));
    expect(asked[0]).toEqual({ body: { filter: { word: "x", offset: 0, limit: 4 } } });
    expect(input).toEqual({ body: { filter: { word: "x" } } });
  });
});

describe("what the caller says counts", () => {
  test("a size, and a page to start with", async () => {
    const { client, asked } = service(({ query = {} }) => ({
      value: piece(9, Number(query["page"]) * 2, query["size"]),
      headers: { "x-total-items": "9" },
    }));
    expect(await read(readItems(client, inQuery, { query: { page: 3, size: 2 } }))).toEqual([6, 7, 8]);
    expect(asked.map(({ query }) => query)).toEqual([
      { page: 3, size: 2 },
      { page: 4, size: 2 },
    ]);
  });

  test("whoever stops reading is not read for", async () => {
    const { client, asked } = service(({ query = {} }) => ({ value: piece(99, query["offset"], 4) }));
    for await (const one of readItems(client, byOffset, {})) if (one.ok && one.value.id === 5) break;
    expect(asked).toHaveLength(2);
  });
});

describe("services that do not do as they say", () => {
  test("one that gives smaller pages than it is asked for", async () => {
    const own = 3;
    const { client } = service(({ query = {} }) => ({
      value: piece(10, Number(query["page"]) * own, own),
      headers: { "x-total": "10" },
    }));
    expect(await read(readItems(client, inQuery, {}))).toEqual(ids(10));
    const late = service(({ query = {} }) => ({
      value: piece(20, Number(query["page"]) * own, own),
      headers: { "x-total": "20" },
    }));
    expect(await read(readItems(late.client, inQuery, { query: { page: 2 } }))).toEqual(ids(20, 6));
  });

  test.each([
    ["nothing", {}],
    ["the size of its pages", { "x-page-size": "3" }],
  ])("one that gives smaller pages than it is asked for, and states %s", async (_, headers) => {
    for (const count of [1, 3, 4, 6, 7]) {
      const small = ({ query = {} }: LooseInput) => ({
        value: piece(count, Number(query["page"]) * 3, 3),
        headers,
      });
      expect(await read(readItems(service(small).client, inQuery, {}))).toEqual(ids(count));
      const byPlace = ({ query = {} }: LooseInput) => ({ value: piece(count, query["offset"], 3), headers });
      expect(await read(readItems(service(byPlace).client, byOffset, {}))).toEqual(ids(count));
    }
  });

  test("one that knows no pages and gives all at once", async () => {
    const { client } = service(() => ({ value: all(3) }));
    expect(await read(readItems(client, inQuery, {}))).toEqual(ids(3));
  });

  test.each(["not_found", "rejected"] as const)(
    "one that says %s of a page beyond the last",
    async (kind) => {
      const call = async (__: unknown, { query = {} }: LooseInput): Promise<PlatformResult<unknown>> =>
        query["page"] === 0
          ? { ok: true, value: all(3), headers: {} }
          : { ok: false, failure: createFailure(kind, "no such page", { status: 404 }) };
      const client = { call } as unknown as Pick<PlatformClient, "call">; // it answers whatever it is told to
      expect(await read(readItems(client, inQuery, {}))).toEqual(ids(3));
    },
  );

  test("one that counts things that it does not give", async () => {
    const { client, asked } = service(({ query = {} }) => ({
      value: piece(5, Number(query["page"]) * 4, 4),
      headers: { "x-total": "50" },
    }));
    expect(await read(readItems(client, inQuery, {}))).toEqual(ids(5));
    expect(asked).toHaveLength(3);
  });

  test.each([
    ["ignores the page", (call: number) => piece(4, 0 * call, 4)],
    ["goes in circles", (call: number) => piece(99, 4 * (call % 3), 4)],
  ])("one that %s is found out", async (_, give) => {
    const { client } = service((__, call) => ({ value: give(call) }));
    const found = await read(readItems(client, byOffset, {}));
    expect(found.at(-1)).toMatchObject({
      kind: "malformed",
      code: "endless_list",
      message: expect.stringContaining("repeats a page"),
    });
    expect(new Set(found).size).toBe(found.length);
  });

  test("one that never ends is left", async () => {
    let given = 0;
    const { client, asked } = service(() => ({ value: [{ id: given++ }], headers: { "x-total": "1e9" } }));
    let last: PlatformResult<unknown> | undefined;
    for await (const page of readPages(client, byOffset, { query: { limit: 1 } })) last = page;
    expect(last).toMatchObject({ ok: false, failure: { kind: "malformed", code: "endless_list" } });
    expect(asked).toHaveLength(10_000);
  });

  test("a failure is the last element", async () => {
    const { client, asked } = service(({ query = {} }, call) =>
      call === 2 ? "fails" : { value: piece(99, query["offset"], 4) },
    );
    expect(await read(readItems(client, byOffset, {}))).toEqual([
      ...ids(4),
      expect.objectContaining({ kind: "unavailable", status: 503 }),
    ]);
    expect(asked).toHaveLength(2);
  });
});

test("items have the type of the list's elements", () => {
  expectTypeOf<Item<typeof inQuery>>().toEqualTypeOf<{ id: number }>();
  expectTypeOf<Item<typeof fromOne>>().toEqualTypeOf<{ id: number }>();
  expectTypeOf<Item<typeof inBody>>().toEqualTypeOf<{ id: number }>();
});
