import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildAttributeChanges } from "../../src/evaluate/facts/attribute-values.ts";

const change = (before: unknown, after: unknown) =>
  buildAttributeChanges({ it: { old: before, new: after } });
const text = (value: string) => ({ kind: "text", text: value });

describe("the values shown of a changed attribute", () => {
  it.each([
    ["a text", "t3.medium", "t3.large", text("t3.medium"), text("t3.large")],
    ["a number", 100, 200, text("100"), text("200")],
    ["a switch", false, true, text("false"), text("true")],
    ["one that is set", null, "a", { kind: "none" }, text("a")],
    ["one that is emptied", "a", "", text("a"), { kind: "none" }],
    ["one known after the apply", "a", "(known after apply)", text("a"), { kind: "later" }],
    ["a list that is set", null, [1, 2], { kind: "none" }, { kind: "list", count: 2 }],
    ["a map in place of a text", "a", { b: 1 }, text("a"), { kind: "map", count: 1 }],
    [
      "a JSON document",
      '{"a":1}',
      '{"a":1,"b":2}',
      { kind: "document", count: 1 },
      { kind: "document", count: 2 },
    ],
    ["a text that only begins as JSON", "{a", "{b", text("{a"), text("{b")],
    ["a long text", "a", "b".repeat(500), text("a"), text(`${"b".repeat(120)}…`)],
    ["one cut within a character", "a", `b${"😀".repeat(70)}`, text("a"), text(`b${"😀".repeat(59)}…`)],
    ["a credential", "a", `ghp_${"x".repeat(36)}`, text("a"), { kind: "sensitive" }],
  ])("%s is shown as it is, summed up or withheld", (...[, before, after, told, next]) => {
    expect(change(before, after)).toEqual([{ name: "it", before: told, after: next }]);
  });

  it("name the place inside blocks and maps", () => {
    const disk = (size: number) => [{ type: "gp3", size, tags: { env: "prod" } }];
    expect(change(disk(100), disk(200))).toEqual([
      { name: "it.0.size", before: text("100"), after: text("200") },
    ]);
  });

  it("withhold what the member beside calls a secret", () => {
    const set = (value: string) => [{ name: "auth.rootPassword", value, type: "string" }];
    expect(change(set("hunter2"), set("hunter3"))).toEqual([
      { name: "it.0.value", before: { kind: "sensitive" }, after: { kind: "sensitive" } },
    ]);
  });

  it("are summarised when they differ in many places", () => {
    const list = (from: number) => Array.from({ length: 9 }, (_, at) => from + at);
    expect(change(list(1), list(11))).toEqual([
      { name: "it", before: { kind: "list", count: 9 }, after: { kind: "list", count: 9 } },
    ]);
  });

  it("are at most eight per resource", () => {
    const many = Array.from({ length: 20 }, (_, at) => [`a${at}`, { old: at, new: at + 1 }]);
    expect(buildAttributeChanges(Object.fromEntries(many))).toHaveLength(8);
  });
});

describe("a value that is a secret", () => {
  const CANARY = "kestrel-94c1-sings";
  const within = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.constant(CANARY), tie("list"), tie("map")),
    list: fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
    map: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { minKeys: 1, maxKeys: 3 }),
  })).value;

  it("is never shown if it is marked, listed as sensitive or named like a secret, in any shape", () => {
    fc.assert(
      fc.property(within, within, (before, after) => {
        const pair = { old: before, new: after };
        const told = [
          buildAttributeChanges({ it: { ...pair, sensitive: true } }),
          buildAttributeChanges({ it: pair }, new Set(["it"])),
          buildAttributeChanges({ master_password: pair }),
          buildAttributeChanges({ block: { old: [{ api_token: before }], new: [{ api_token: after }] } }),
        ];
        expect(JSON.stringify(told)).not.toContain(CANARY);
      }),
    );
  });

  it("is shown as sensitive, and as absent if there is none", () => {
    expect(buildAttributeChanges({ it: { old: null, new: CANARY, sensitive: true } })).toEqual([
      { name: "it", before: { kind: "none" }, after: { kind: "sensitive" } },
    ]);
  });
});
