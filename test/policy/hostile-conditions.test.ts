import fc from "fast-check";
import { expect, test } from "vitest";
import { compileCondition } from "../../src/policy/when/compile.ts";
import { CostExceededError, CostMeter } from "../../src/policy/when/cost-meter.ts";
import { createValues } from "../../src/policy/when/values.ts";
import { buildReport } from "../../src/report/build.ts";
import { NO_FACTS } from "../../src/report/model/context.ts";
import { UNREAD_ATTRIBUTES } from "../../src/report/model/resource-attributes.ts";
import { casesToTry } from "../world/depth.ts";
import { CONTEXT } from "./policies.ts";

const paths = Array.from({ length: 300 }, (_, at) => `infra/module-${at}/main-${"a".repeat(at % 40)}.tf`);
const VALUES = createValues(buildReport(NO_FACTS, { stages: [] }), { ...CONTEXT, paths }, UNREAD_ATTRIBUTES);
const LIMITS = { rule: 300_000, file: 1_000_000 };

/** Steps that make more of what they are given. */
const GROWTH = [
  ".map(x, [x, x])",
  ".map(x, x + x)",
  ".map(x, x + x + x)",
  ".map(x, x)",
  ".filter(x, x == x)",
  ".map(x, {'a': x, 'b': x})",
  ".map(x, cel.bind(y, [x, x], y + y))",
  ".filter(x, x in [x, x])",
];
const TEXT_GROWTH = [
  ".map(x, x + x)",
  ".map(x, [x, x, x].join(x))",
  ".map(x, x.split('a').join('aab'))",
  ".map(x, x.upperAscii() + x.lowerAscii())",
  ".filter(x, x.contains(x + 'b') == false)",
  ".filter(x, x.lastIndexOf(x) == 0)",
  ".map(x, x.substring(0, x.size()) + x)",
  ".filter(x, x.like('(a|b)*c{20}$') == false)",
  ".map(x, x.trim() + 'ab')",
];
const START = ["[['a']]", "[[1]]", "[[[1], [2]]]", "[pull.paths]"];
const TEXT_START = ["['aab']", "pull.paths", "['abcdefgh', 'aaaaaaaa']"];
const AMOUNT_GROWTH = [
  ".map(x, x * x)",
  ".map(x, x + x)",
  ".map(x, x * x - x)",
  ".filter(x, x == x)",
  ".map(x, sum([x, x, x]))",
];
const END = [
  (of: string) => `${of}.size() > 3`,
  (of: string) => `${of} == ${of}`,
  (of: string) => `${of} != ${of} || ${of}.exists(x, x == x)`,
  (of: string) => `${of}.all(a, ${of}.exists(b, a == b))`,
  (of: string) => `pull.paths.exists(p, ${of} == ${of} && p == "")`,
  (of: string) => `(${of} == ${of} ? ${of} : ${of}) in [${of}]`,
];

const chain = (starts: readonly string[], growth: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...starts),
      fc.array(fc.constantFrom(...growth), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 25 }),
      fc.constantFrom(...END),
    )
    .map(([start, steps, times, end]) => end(start + steps.join("").repeat(times)));

const conditions = fc.oneof(
  chain(START, GROWTH),
  chain(TEXT_START, TEXT_GROWTH),
  chain(["[cost.change + 1.5]", "[cost.change - 0.123456789, cost.after]"], AMOUNT_GROWTH),
);

test("no condition takes more steps than it may, or fails otherwise, whatever it is made of", () => {
  const outcomes = { refused: 0, stopped: 0, evaluated: 0 };
  fc.assert(
    fc.property(conditions, (text) => {
      const compiled = compileCondition(text);
      if (!compiled.ok) {
        outcomes.refused += 1;
        return;
      }
      const meter = new CostMeter(LIMITS);
      meter.startRule();
      try {
        if (compiled.condition.isTrue(VALUES, meter)) compiled.condition.listMatches(VALUES, meter);
        outcomes.evaluated += 1;
      } catch (error) {
        if (error instanceof CostExceededError) outcomes.stopped += 1;
        else outcomes.evaluated += 1;
      }
      expect(meter.spent).toBeLessThanOrEqual(LIMITS.rule);
    }),
    { numRuns: casesToTry({ usual: 100, deep: 400 }) },
  );
  expect(outcomes.stopped).toBeGreaterThan(10);
  expect(outcomes.evaluated).toBeGreaterThan(10);
});

const cost = (text: string): number => {
  const compiled = compileCondition(text);
  if (!compiled.ok) throw new Error(compiled.message);
  const meter = new CostMeter();
  meter.startRule();
  compiled.condition.isTrue(VALUES, meter);
  return meter.spent;
};

test.each([
  ["a loop", "pull.paths.all(p, p != '')", 300 * 5],
  ["a filter", "pull.paths.filter(p, p != '').size() >= 0", 300 * 5],
  ["a map", "pull.paths.map(p, p + p).size() >= 0", 300 * 4],
  ["exists_one", "pull.paths.exists_one(p, p == '')", 300 * 5],
  ["a condition in a condition", "pull.paths.all(p, p == '' ? false : p != '')", 300 * 8],
  ["bind", "cel.bind(l, pull.paths, l.all(p, p != ''))", 300 * 5],
  ["a comparison of lists", "pull.paths == pull.paths.map(p, p)", 300 * 4],
  ["membership", "'x' in pull.paths", 300],
  ["a text's search", "pull.paths.all(p, !p.contains('zzzzzzzz'))", 300 * 6],
  ["a pattern", "pull.paths.all(p, !p.like('(a|b)*zz'))", 300 * 20],
  ["a sum", "sum([cost.change, cost.change, cost.change]) >= 0", 24],
  ["a join", "pull.paths.join(',').size() > 0", 300 + 5_000],
])("%s is charged for each element that it reads", (_, text, least) => {
  expect(cost(text)).toBeGreaterThanOrEqual(least);
});
