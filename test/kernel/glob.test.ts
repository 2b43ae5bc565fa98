import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileGlob, describeGlobProblem, isGlobMatch } from "../../src/kernel/glob.ts";
import { casesToTry } from "../world/depth.ts";

describe("a glob", () => {
  test.each([
    ["main.tf", "main.tf", true],
    ["main.tf", "Main.tf", false],
    ["main.tf", "a/main.tf", false],
    ["*.tf", "main.tf", true],
    ["*.tf", ".tf", true],
    ["*.tf", "a/main.tf", false],
    ["**/*.tf", "main.tf", true],
    ["**/*.tf", "a/b/main.tf", true],
    ["**/*.{tf,tf.json}", "a/main.tf.json", true],
    ["**/*.{tf,tf.json}", "a/main.json", false],
    ["infra/**", "infra/a", true],
    ["infra/**", "infra/a/b/.c", true],
    ["infra/**", "infra", false],
    ["infra/**", "infrastructure/a", false],
    ["infra{,/**}", "infra", true],
    ["**", "a/b", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "ab", false],
    ["a/**/b", "a/xb", false],
    ["a/**/**/b", "a/x/b", true],
    ["a**b", "axxb", true],
    ["a**b", "a/b", false],
    ["prod-*", "prod-", true],
    ["prod-?", "prod-", false],
    ["prod-?", "prod-1", true],
    ["prod-?", "prod-/", false],
    ["prod-?", "prod-\u{1f600}", true],
    ["{prod,staging}-{eu,us}", "staging-us", true],
    ["{a{b,c},d}", "ac", true],
    ["{a{b,c},d}", "a", false],
    ["release/*", "release/1.0", true],
    ["release/*", "release/1/0", false],
    ["a.c", "abc", false],
    ["$&^+|", "$&^+|", true],
  ])("%s on %s: %s", (pattern, text, expected) => {
    expect(isGlobMatch(pattern, text)).toBe(expected);
  });

  test.each([
    ["", "is empty"],
    ["x".repeat(257), "is longer than 256 characters"],
    ["!infra/**", "may use *, **, ? and {a,b}; [ ] ( ) \\ and a leading ! have no meaning here"],
    ["!(!(!(a)))", "may use *, **, ? and {a,b}; [ ] ( ) \\ and a leading ! have no meaning here"],
    ["[[:alpha:]]*", "may use *, **, ? and {a,b}; [ ] ( ) \\ and a leading ! have no meaning here"],
    ["(a+)+$", "may use *, **, ? and {a,b}; [ ] ( ) \\ and a leading ! have no meaning here"],
    ["a\u0000", "may use *, **, ? and {a,b}; [ ] ( ) \\ and a leading ! have no meaning here"],
    ["{a,b", "has a brace without its partner"],
    ["}a{", "has a brace without its partner"],
    ["{a,b}".repeat(30), "stands for more than 64 alternatives"],
    [`{${"x".repeat(30)},y}${"z".repeat(200)}`, null],
    [`${"{a,b}".repeat(5)}${"z".repeat(60)}`, "stands for too many long alternatives"],
    ["/infra/**", "has a slash at its start or end, or two in a row"],
    ["infra/", "has a slash at its start or end, or two in a row"],
    ["a/{,b}/c", "has a slash at its start or end, or two in a row"],
  ])("%j as a pattern: %s", (pattern, problem) => {
    expect(describeGlobProblem(pattern)).toBe(problem);
    if (problem !== null) expect(isGlobMatch(pattern, pattern)).toBe(false);
  });

  const atom = fc.constantFrom("a", "b", "*", "?", "**", "/", "{a,b}", "{a/b,}", "{*a,**/b}");
  const pattern = fc.array(atom, { minLength: 1, maxLength: 9 }).map((atoms) => atoms.join(""));
  const text = fc
    .array(fc.constantFrom("a", "b", "ab", "/", "c"), { maxLength: 8 })
    .map((parts) => parts.join(""));

  test("matches what its definition says", () => {
    fc.assert(
      fc.property(pattern, text, (glob, subject) => {
        fc.pre(describeGlobProblem(glob) === null);
        expect(isGlobMatch(glob, subject)).toBe(
          unfold(glob).some((each) => naive(each.split("/"), subject.split("/"))),
        );
      }),
      { numRuns: casesToTry({ usual: 1_000, deep: 10_000 }) },
    );
  });

  test.each([
    "**/a/**/a/**/a/**/b",
    `**/${"a/".repeat(120)}b`,
    `${"**/a/".repeat(50)}b`,
    `${"*a".repeat(120)}b`,
    `**/*${"a".repeat(240)}b*`,
    `{${Array(30).fill("**/a/*b").join(",")}}{,?}`,
  ])("%s: hostile texts take no longer than harmless ones", (hostile) => {
    const glob = compileGlob(hostile);
    if (glob === null) throw new Error("this pattern is meant to be one");
    for (const subject of ["a/".repeat(4_000), "a".repeat(10_000)]) {
      // A backtracking matcher would outlast the test's own time limit.
      expect(glob(subject)).toBe(false);
    }
  });
});

/** Braces by the plainest rewriting. */
function unfold(glob: string): string[] {
  const innermost = /^(.*?)\{([^{}]*)\}(.*)$/.exec(glob);
  if (innermost === null) return [glob];
  const [, before, choices, after] = innermost;
  return (choices ?? "").split(",").flatMap((choice) => unfold(`${before}${choice}${after}`));
}

/** The definition: exponential, and plainly right. */
function naive(glob: readonly string[], segments: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return segments.length === 0;
  if (first === "**") {
    if (rest.length === 0) return segments.length > 0;
    return segments.some((_, from) => naive(rest, segments.slice(from)));
  }
  return segments[0] !== undefined && naiveSegment(first, segments[0]) && naive(rest, segments.slice(1));
}

function naiveSegment(glob: string, segment: string): boolean {
  if (glob === "") return segment === "";
  if (glob[0] === "*")
    return naiveSegment(glob.slice(1), segment) || (segment !== "" && naiveSegment(glob, segment.slice(1)));
  return (
    segment !== "" &&
    (glob[0] === "?" || glob[0] === segment[0]) &&
    naiveSegment(glob.slice(1), segment.slice(1))
  );
}
