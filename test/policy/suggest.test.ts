import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluatePolicy } from "../../src/policy/evaluate-policy.ts";
import {
  formatLimit,
  type LimitChoice,
  type MeasuredPull,
  measurePull,
  suggestLimits,
} from "../../src/policy/suggest.ts";
import type { Report } from "../../src/report/model/report.ts";
import { evaluation, report, stage, unknownStage } from "../render/evaluation-builder.ts";
import { policy } from "./policies.ts";

const context = evaluation({}).context;
const measure = (reports: readonly Report[]): readonly MeasuredPull[] =>
  reports.map((own) => measurePull({ report: own, context }));
const rises = (...amounts: readonly number[]): readonly Report[] =>
  amounts.map((amount) => report([stage("prod", ["1000", String(1000 + amount)])]));
const limitsOf = (reports: readonly Report[], kind: string) =>
  suggestLimits(measure(reports)).filter(({ limit }) => limit.kind === kind);
const short = ({ limit, held, unknown, share }: LimitChoice) => [formatLimit(limit), held, unknown, share];

/** What the policy file with this limit would have held. */
function evaluateFile({ limit }: LimitChoice, reports: readonly Report[]) {
  const written = policy(`rules:\n  - id: own\n    ${formatLimit(limit)}\n`);
  const kinds = reports.map((own) => evaluatePolicy(own, written, { context }).kind);
  return {
    held: kinds.filter((kind) => kind === "block" || kind === "undecided").length,
    unknown: kinds.filter((kind) => kind === "undecided").length,
  };
}

test("limits are round numbers that hold about 1, 5 and 10 % of the pull requests, with their share of the rise", () => {
  const many = rises(...Array.from({ length: 95 }, () => 0.5), 427.13, 440, 512, 1000, 9000);
  expect(limitsOf(many, "increase").map(short)).toEqual([
    ["limit: { increase: 1000 USD }", 1, 0, "79"],
    ["limit: { increase: 0.5 USD }", 5, 0, "100"],
  ]);
  const close = rises(...Array.from({ length: 19 }, () => 427.13), 440);
  expect(limitsOf(close, "increase").map(short)).toEqual([["limit: { increase: 430 USD }", 1, 0, "5"]]);
});

test("a limit that would have held more than a quarter of the pull requests is not suggested", () => {
  const rest = (size: number) => Array.from({ length: size }, () => 0);
  expect(limitsOf(rises(...rest(15), 5, 5, 5, 5, 5), "increase").map(short)).toEqual([
    ["limit: { increase: 0 USD }", 5, 0, "100"],
  ]);
  expect(limitsOf(rises(...rest(14), 5, 5, 5, 5, 5, 5), "increase")).toEqual([]);
});

test("fewer than 20 pull requests suggest nothing", () => {
  expect(suggestLimits(measure(rises(...Array.from({ length: 19 }, (_, at) => at))))).toEqual([]);
});

test("pull requests whose value is unknown count as held, and a kind that is known of few is left out", () => {
  const known = rises(...Array.from({ length: 20 }, (_, at) => at * 10));
  const partial = report([unknownStage("eu"), stage("prod", ["0", "50"])]);
  const choice = limitsOf([...known, partial, partial], "increase")[0];
  expect(choice && short(choice)).toEqual(["limit: { increase: 180 USD }", 3, 2, "10"]);
  expect(limitsOf([...rises(1, 2, 3), ...Array.from({ length: 20 }, () => partial)], "increase")).toEqual([]);
});

test("amounts in another currency are not compared: the limit would not decide about them", () => {
  const euros = report([stage("prod", ["0", "9000"], { currency: "EUR" })]);
  const [choice] = limitsOf([...rises(...Array.from({ length: 20 }, (_, at) => at)), euros], "increase");
  expect(choice).toMatchObject({ limit: { amount: { currency: "USD" } }, held: 2, unknown: 1 });
});

test("a rise from zero exceeds every percentage, and a total that the pull request does not raise holds nothing", () => {
  const fresh = report([stage("new", ["0", "5"])]);
  const falls = report([stage("prod", ["90000", "80000"])]);
  const reports = [...rises(...Array.from({ length: 20 }, (_, at) => at)), fresh, falls];
  expect(limitsOf(reports, "percent").every(({ held }) => held >= 1)).toBe(true);
  for (const { limit } of limitsOf(reports, "total"))
    expect("amount" in limit && Number(limit.amount.amount)).toBeLessThan(2000);
});

test("a suggested limit holds exactly what the policy file with it holds, and a higher one never more", () => {
  const amount = fc.oneof(fc.integer({ min: -5_000, max: 900_000 }), fc.constantFrom(0, 100, 100_000));
  const part = fc.tuple(fc.constantFrom("USD", "USD", "USD", "EUR"), amount, amount);
  const pull = fc.array(fc.option(part, { freq: 20 }), { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(fc.array(pull, { minLength: 20, maxLength: 40 }), (pulls) => {
      const reports = pulls.map((parts) =>
        report(
          parts.map((own, at) =>
            own === null
              ? unknownStage(`w${at}`)
              : stage(`w${at}`, [String(Math.abs(own[1]) / 100), String(Math.abs(own[2]) / 100)], {
                  currency: own[0],
                }),
          ),
        ),
      );
      for (const [, own] of Map.groupBy(suggestLimits(measure(reports)), ({ limit }) => limit.kind))
        for (const [at, choice] of own.entries()) {
          expect(choice).toMatchObject(evaluateFile(choice, reports));
          if (at > 0) expect(choice.held).toBeGreaterThanOrEqual(own[at - 1]?.held ?? 0);
        }
    }),
    { numRuns: 40 },
  );
});
