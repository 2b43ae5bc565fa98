import fc from "fast-check";
import { expect, it } from "vitest";
import { isProblem } from "../../src/platform-server/area/problem.ts";
import { parsePage } from "../../src/platform-server/changes/page-elements.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** What is read of a page of outputs: their names; null: it is refused as no JSON, or no list. */
async function readNames(text: string): Promise<readonly string[] | null> {
  const read = await parsePage("outputs", undefined, encode(text));
  if (!isProblem(read)) return read.map(({ row }) => row.name);
  expect(read.message).toMatch(/^the page is not (JSON in UTF-8|a JSON array)$/);
  return null;
}

/** A byte-order mark may be at the beginning. */
function readNaively(text: string): readonly string[] | null {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")).map(({ name }: { readonly name: string }) => name);
  } catch {
    return null;
  }
}

/** Values of up to 100,000 characters, so that the parts of a page end between any two of them. */
const value = fc
  .tuple(fc.constantFrom('"', "\\", "[{", "]}", ",", "é", "x"), fc.nat(100_000))
  .map(([one, times]) => one.repeat(times / one.length));
const space = fc.constantFrom("", "", " ", "\n", " ".repeat(150_000));
const page = fc
  .array(fc.tuple(value, space, space), { maxLength: 12 })
  .map((all) =>
    all.map(
      ([text, before, after], at) => `${before}${JSON.stringify({ name: `n${at}`, value: text })}${after}`,
    ),
  )
  .map((elements) => `[${elements.join(",")}]`);

it("a page is read in parts as it would be read at once", async () => {
  await fc.assert(
    fc.asyncProperty(page, async (text) => {
      expect(await readNames(text)).toEqual(readNaively(text));
    }),
    { numRuns: 60 },
  );
});

it("a page that lost or got one character between its elements is refused where it would be refused at once", async () => {
  const damage = fc.record({
    text: page,
    at: fc.nat(),
    insert: fc.constantFrom("", ",", "]", "[", "],[", "\uFEFF", "]]"),
    removed: fc.constantFrom(0, 1),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ text, at, insert, removed }) => {
      const edges = [...text.matchAll(/^\[|,(?=\s*\{"name":"n\d+","value":)|\{(?="name":"n\d+")|\]$/g)];
      const edge = edges[at % edges.length]?.index ?? 0;
      const damaged = `${text.slice(0, edge)}${insert}${text.slice(edge + removed)}`;
      expect(await readNames(damaged)).toEqual(readNaively(damaged));
    }),
    { numRuns: 400 },
  );
});

it.each([
  [
    `{"resource_changes":${JSON.stringify(Array(4_000).fill({ address: "a".repeat(90) }))}}`,
    "the page is not a JSON array",
  ],
  ["{}", "the page is not a JSON array"],
  [
    `[{"name":"a","value":[${Array(60_001).fill(0)}]}]`,
    "an element of the page has too many lists, objects and members for its size",
  ],
])("a page that begins with %.20s is refused in words", async (text, message) => {
  expect(await parsePage("outputs", undefined, encode(text))).toMatchObject({
    problem: "bad_request",
    message,
  });
});
