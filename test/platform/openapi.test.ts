import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { contract } from "../../src/platform/contract/registry.ts";
import { list, orNull } from "../../src/platform/contract/shapes/fields.ts";
import { getEndpointPath } from "../../src/platform/contract/wire/codec.ts";
import { DIALECTS } from "../../src/platform/contract/wire/translate.ts";
import { openApiDocument } from "../../src/platform/openapi/document.ts";
import { describeWire, NamedShapes } from "../../src/platform/openapi/json-schema.ts";

const FILE = fileURLToPath(new URL("../../docs/openapi.json", import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: a test looks into every part of the document
const inParts = (document: unknown): any => document;
const document = inParts(openApiDocument());
const operationOf = (endpoint: Endpoint) =>
  document.paths[getEndpointPath(endpoint)]?.[endpoint.method.toLowerCase()];

test("docs/openapi.json is what the contract makes", () => {
  expect(readFileSync(FILE, "utf8"), "run `npm run generate:openapi`").toBe(
    `${JSON.stringify(document, null, 2)}\n`,
  );
});

describe.each(["neutral", "live"] as const)("in the words of the %s dialect", (dialect) => {
  test("another's validator finds nothing wrong", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(openApiDocument(dialect)));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test("no name of the other dialect is left", () => {
    const text = JSON.stringify(openApiDocument(dialect));
    const other = DIALECTS[dialect === "live" ? "neutral" : "live"];
    expect(text).not.toContain(other.accountHeader);
    expect(text).toContain(DIALECTS[dialect].accountHeader);
    expect(text).not.toMatch(dialect === "live" ? /"cloud[123][A-Z]\w*":/ : /"(aws|azure|gcp)[A-Z]\w*":/);
  });
});

test("limits and defaults are published", () => {
  const rows = operationOf(contract.listChangeRows).parameters;
  expect(rows.find((one: { name?: string }) => one.name === "page_size")).toMatchObject({
    name: "page_size",
    in: "query",
    required: false,
    description: expect.stringContaining("Also taken as `pageSize`, `limit`, `size`."),
    schema: { type: "integer", minimum: 1, maximum: 100, default: 25 },
  });
  expect(rows.find((one: { name?: string }) => one.name === "org")).toMatchObject({
    in: "path",
    required: true,
    schema: { minLength: 1, maxLength: 128 },
  });
});

describe("shapes", () => {
  const schema = z.object({ a: list(z.string()), b: orNull(z.int().nullable()), c: orNull(z.int()) });

  test("of answers say what is written, of requests what is read", () => {
    const answer = describeWire(schema, "answer", "neutral").schema;
    expect(answer).toMatchObject({
      properties: { a: { type: "array" }, b: { type: ["integer", "null"] }, c: { type: "integer" } },
      required: ["a", "b", "c"],
    });
    const request = describeWire(schema, "request", "neutral").schema;
    expect(request["required"]).toBeUndefined();
  });

  test("of one name that are read and written differently are two", () => {
    const inner = z.object({ words: list(z.string()) }).meta({ id: "Inner" });
    const outer = z.object({ inner }).meta({ id: "Outer" });
    const same = z.object({ n: z.int() }).meta({ id: "Same" });
    const shapes = new NamedShapes("neutral");
    const used = [outer, same].flatMap((one) => [
      shapes.describe(one, "request"),
      shapes.describe(one, "answer"),
    ]);
    const { document: refs, schemas } = shapes.finish(used);
    expect(Object.keys(schemas)).toEqual(["Inner", "InnerRequest", "Outer", "OuterRequest", "Same"]);
    expect(JSON.stringify(schemas["OuterRequest"])).toContain("#/components/schemas/InnerRequest");
    expect(refs.map(({ $ref }) => `${$ref}`.split("/").at(-1))).toEqual([
      "OuterRequest",
      "Outer",
      "Same",
      "Same",
    ]);
  });

  test("of one name that are not the same are refused", () => {
    const shapes = new NamedShapes("neutral");
    shapes.describe(z.object({ a: z.int().meta({ id: "X" }) }), "answer");
    expect(() => shapes.describe(z.object({ a: z.string().meta({ id: "X" }) }), "answer")).toThrow("X");
  });
});
