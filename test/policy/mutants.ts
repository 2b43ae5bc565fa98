import { readFileSync } from "node:fs";
import fc from "fast-check";
import { parse } from "yaml";

/** The reference's examples use every key. */
const REFERENCE = readFileSync(new URL("../../docs/policy-reference.md", import.meta.url), "utf8");
const EXAMPLES = [...REFERENCE.matchAll(/```yaml[^\n]*\n(version: 1\n[\s\S]*?)```/g)].map(
  ([, text = ""]) => parse(text) as unknown,
);

const ODD = fc.constantFrom<unknown>(
  ...[null, true, 0, 1, -1, 1.5, 0.000001, 21, 1e12, [], {}, ["a"], ["a", "a"], [null], { a: 1 }],
  ...["", " ", "a", "*", "a/", "[x]", "{a", "..", "a/../b", "r r", "a".repeat(400), "\u0000", "\u200b"],
  ...["500 USD", "5 EUR", "5 ZZZ", "-1 USD", "5usd", "10%", "10 %", "9999999%", "2h", "8d", "0h"],
  ...["2027-01-01", "2027-02-30", "block", "warn", "write", "costs", "{{count}}", "{{x}}", "tollgate: x"],
  ...[{ "7": "warn" }, { "*": "warn" }, { "*": 1 }, ["costs", "costs"], "dependabot[bot]", "😀".repeat(200)],
);

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Array.isArray(value)
    ? value.flatMap((one: unknown, index) => pathsIn(one, [...path, index]))
    : Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]));
  return [path, ...inside];
}

/** The value with something else at a path; `undefined`: without it. */
function changed(value: unknown, [step, ...more]: Path, other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value)) {
    const items = value.map((one: unknown, index) => (index === step ? changed(one, more, other) : one));
    return items.filter((one) => one !== undefined);
  }
  const members = Object.entries(value ?? {}).map(([key, one]) => [
    key,
    key === step ? changed(one, more, other) : one,
  ]);
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}

/** Policy files with one or two slips: something left out, or something odd in its place. */
export const mutants: fc.Arbitrary<unknown> = fc
  .constantFrom(...EXAMPLES)
  .chain((example) =>
    fc
      .array(
        fc.tuple(fc.constantFrom(...pathsIn(example, []).slice(1)), fc.oneof(ODD, fc.constant(undefined))),
        { minLength: 1, maxLength: 2 },
      )
      .map((slips) => slips.reduce<unknown>((value, [path, other]) => changed(value, path, other), example)),
  );
