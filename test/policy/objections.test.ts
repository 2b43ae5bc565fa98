import { expect, test } from "vitest";
import {
  applyObjections,
  findObjection,
  selectObjectionRules,
} from "../../src/policy/approvals/apply-objections.ts";
import { resolveCodeOwners } from "../../src/policy/approvals/code-owners.ts";
import { decideCheck } from "../../src/policy/decide-check.ts";
import { NO_APPROVALS } from "../../src/policy/model/approval.ts";
import { combineFindings, type Finding } from "../../src/policy/model/finding.ts";
import type { Policy, Rule } from "../../src/policy/model/policy.ts";
import { evaluatedSituation, finding } from "../render/evaluation-builder.ts";
import { problems, rule } from "./policies.ts";

const HEARS = "objections: block";
const only = ({ rules }: Policy): Rule => {
  const [first] = rules;
  if (first === undefined) throw new Error("there is no rule");
  return first;
};
const approved = (approve: string): Policy => rule("drift: 0", `approve: { ${approve} }`);
const GRACE = { id: 7, login: "grace" };

test.each<[string, string, Partial<Finding>, boolean]>([
  ["a rule that is violated", HEARS, {}, true],
  ["a rule that is met", HEARS, { outcome: "passed" }, true],
  ["an undecided rule", HEARS, { outcome: "undecided" }, true],
  ["a rule of which this finding only warns", HEARS, { enforce: "warn" }, true],
  ["a rule before its first day", HEARS, { enforce: "warn", enforceFromMs: 9 }, false],
  ["a rule for other pull requests", HEARS, { outcome: "not_applicable" }, false],
  ["a rule that does not say so", "reviews: true", {}, false],
])("%s hears objections or not: %s", (_, member, parts, hears) => {
  const own = approved(`teams: [finops], ${member}`);
  expect(selectObjectionRules(own.rules, [finding("r", parts)]).length).toBe(Number(hears));
});

test.each([
  ["of any group of the rule", "all: [{ teams: [a] }, { teams: [b] }]", "b", { by: GRACE }],
  ["of no group of it", "teams: [a]", "b", null],
  ["of a team that GitHub does not show", "teams: [hidden]", "b", { by: GRACE, unclear: true }],
])("somebody %s objects or not", (_, approve, team, expected) => {
  const found = findObjection(only(approved(`${approve}, ${HEARS}`)), GRACE, ({ teams }) => {
    if (teams.includes("hidden")) return "unclear";
    return teams.includes(team) ? "named" : "not_named";
  });
  expect(found).toEqual(expected);
});

test("where the code owners are unknown, anybody who may write objects, perhaps", () => {
  const resolved = resolveCodeOwners(approved(`codeowners: true, ${HEARS}`), { kind: "files_unknown" });
  expect(selectObjectionRules(resolved.rules, [finding("r")]).length).toBe(1);
  expect(findObjection(only(resolved), GRACE, () => "not_named")).toEqual({ by: GRACE, unclear: true });
});

test("an objection blocks what is approved, waived or met, once for a rule, and no approval opens the gate", () => {
  const waiver = { owner: "o", reason: "r", untilMs: 9 };
  const findings = [
    finding("a", { approved: true }),
    finding("a"),
    finding("b", { waiver }),
    finding("c", { outcome: "passed" }),
  ];
  const offer = { commands: [], rules: ["a"], opensGate: true, why: null };
  const objections = new Map(["a", "b", "c"].map((id) => [id, [{ by: null }]] as const));
  const { verdict, approvals } = applyObjections(
    { verdict: combineFindings(findings), approvals: { ...NO_APPROVALS, offer } },
    objections,
  );
  expect(verdict.findings.map(({ rule: id, objections: own }) => `${id} ${own?.length ?? 0}`)).toEqual([
    "a 1",
    "b 1",
    "c 1",
    "a 0",
  ]);
  expect(decideCheck(evaluatedSituation("block", verdict.findings), approvals)).toEqual({
    status: "completed",
    conclusion: "failure",
  });
});

test("objections beside a rule that only warns are refused", () => {
  const text = `version: 1\nrules: [{ id: r, limit: { drift: 0 }, enforce: warn, approve: { teams: [a], ${HEARS} } }]`;
  expect(problems(text)).toContain(
    'rules[0].approve.objections: found "block", but a rule that enforces warn never blocks',
  );
});
