import { expect, it, test } from "vitest";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { priced } from "../report/facts.ts";
import { describeFindings, verdict } from "./evaluate-facts.ts";
import { problems, rule } from "./policies.ts";

const FIRST = Date.UTC(2026, 2, 1);
const LATER = rule("increase: 500 USD", "enforce_from: 2026-03-01");
const over: readonly StageFacts[] = [priced("prod", "0 > 600")];
const failed: readonly StageFacts[] = [priced("prod", "0 > 600", { status: "failed" })];

test.each([
  ["a violation warns in the last moment before it", over, FIRST - 1, "warn: violated 600 USD (warn)"],
  ["a violation blocks in its first moment", over, FIRST, "block: violated 600 USD"],
  ["what is unknown warns before it", failed, FIRST - 1, "warn: undecided execution_failed (warn)"],
  ["what is unknown is undecided from it on", failed, FIRST, "undecided: undecided execution_failed"],
] as const)("enforce_from is the first day in UTC: %s", (_, stages, nowMs, told) => {
  const { kind, findings } = verdict(LATER, { stages, pull: { nowMs } });
  expect(`${kind}: ${describeFindings(LATER, { stages, pull: { nowMs } }).join()}`).toBe(told);
  expect(findings[0]?.enforceFromMs).toBe(nowMs < FIRST ? FIRST : undefined);
});

it("enforce_from delays severities by stage too", () => {
  const byStage = rule("increase: 500 USD", 'enforce: { "prod*": block }', "enforce_from: 2026-03-01");
  const kindAt = (nowMs: number) => verdict(byStage, { stages: over, pull: { nowMs } }).kind;
  expect([kindAt(FIRST - 1), kindAt(FIRST)]).toEqual(["warn", "block"]);
});

test.each([
  [
    "a day beside enforce: warn",
    "enforce: warn, enforce_from: 2026-03-01",
    "enforce_from: states a day, but",
  ],
  ["no day", "enforce_from: soon", 'enforce_from: found "soon", expected a day, such as 2027-03-31'],
  ["a plain http address", "docs: http://wiki.example/costs", "expected an https address"],
  ["a script as an address", "docs: javascript:alert(1)", "expected an https address"],
  ["an address with credentials", "docs: https://me:secret@wiki.example/", "expected an https address"],
  ["an address that is too long", `docs: https://wiki.example/${"a".repeat(300)}`, "at most 300 characters"],
  [
    "an expectation that excludes nothing",
    "docs: https://wiki.example/",
    "expect[0].not: found an empty mapping, expected at least one of authors, paths, labels",
  ],
])("a policy file with %s is refused", (_, members, expected) => {
  const text = `version: 1\nexpect: [{ paths: [a], not: {} }]\nrules: [{ id: r, limit: { drift: 0 }, ${members} }]`;
  expect(problems(text)).toContain(expected);
});

it("a repository can neither delay nor explain a mandatory rule of the organisation", () => {
  const organisation = "version: 1\nrules: [{ id: r, limit: { drift: 0 }, mandatory: true }]";
  const own = "version: 1\nrules: [{ id: r, limit: { drift: 0 }, enforce_from: 2036-01-01 }]";
  expect(problems(own, organisation)).toContain(
    "a mandatory rule of the organisation that cannot be redefined",
  );
});
