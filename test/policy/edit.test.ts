import { expect, test } from "vitest";
import { describePolicyEdit } from "../../src/policy/edit.ts";
import { buildReport } from "../../src/report/build.ts";
import { cost, facts, known, stage } from "../report/facts.ts";
import { CONTEXT, policy } from "./policies.ts";

const report = buildReport(facts(stage({ cost: known(cost("100 > 200")) })), { stages: [] });
const base = policy(
  "rules: [{ id: a, limit: { increase: 50 USD } }, { id: b, limit: { drift: 0 } }, { id: c, limit: { drift: 5 } }]",
);
const edit = (text: string | null, organisation: string | null = null) =>
  describePolicyEdit({
    base,
    headText: text === null ? null : { file: "head.yml", text },
    organisation: organisation === null ? null : { file: "org.yml", text: organisation },
    report,
    context: CONTEXT,
  });

test("an edit is told with what it adds, changes and removes, and how it would come out", () => {
  const text = `version: 1
rules:
  - { id: a, limit: { increase: 500 USD } }
  - { id: b, limit: { drift: 0 } }
  - { id: d, limit: { deletions: 0 } }
`;
  expect(edit(text)).toEqual({
    outcome: { kind: "judged", verdict: "pass" },
    addedRules: ["d"],
    changedRules: ["a"],
    removedRules: ["c"],
  });
});

test("an edit that changes no rule says so", () => {
  const text = `version: 1
# a comment
rules: [{ id: a, limit: { increase: 50.00 USD } }, { id: b, limit: { drift: 0 }, per: pull-request }, { id: c, limit: { drift: 5 } }]`;
  expect(edit(text)).toEqual({
    outcome: { kind: "judged", verdict: "block" },
    addedRules: [],
    changedRules: [],
    removedRules: [],
  });
});

test("an edit that breaks the file says how many problems it has, and of no rule that it goes", () => {
  expect(edit("version: 2\nrulez: []")).toEqual({
    outcome: { kind: "invalid", problems: 2 },
    addedRules: [],
    changedRules: [],
    removedRules: [],
  });
});

test("a deletion takes away what is not the organisation's", () => {
  const organisation = "version: 1\nrules: [{ id: b, limit: { drift: 0 } }]";
  expect(edit(null, organisation)).toEqual({
    outcome: { kind: "deleted" },
    addedRules: [],
    changedRules: [],
    removedRules: ["a", "c"],
  });
});
