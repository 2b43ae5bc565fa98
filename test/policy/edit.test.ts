import { expect, test } from "vitest";
import { TollgateError } from "../../src/kernel/errors.ts";
import type { PastPull } from "../../src/policy/describe-edit.ts";
import { describePolicyEdit } from "../../src/policy/describe-edit.ts";
import type { PerformTask, Task } from "../../src/policy/task.ts";
import { buildReport } from "../../src/report/build.ts";
import { UNREAD_ATTRIBUTES } from "../../src/report/model/resource-attributes.ts";
import { cost, facts, known, stage } from "../report/facts.ts";
import { performHere } from "./perform-here.ts";
import { CONTEXT, policy } from "./policies.ts";

const report = buildReport(facts(stage({ cost: known(cost("100 > 200")) })), { stages: [] });
const base = policy(
  "rules: [{ id: a, limit: { increase: 50 USD } }, { id: b, limit: { drift: 0 } }, { id: c, limit: { drift: 5 } }]",
);
const edit = (text: string | null, organisation: string | null = null, past: readonly PastPull[] = []) =>
  describePolicyEdit(
    {
      owner: "1",
      pastPulls: past,
      base,
      headText: text === null ? null : { file: "head.yml", text },
      organisation: organisation === null ? null : { file: "org.yml", text: organisation },
      report,
      context: CONTEXT,
      attributes: UNREAD_ATTRIBUTES,
    },
    performHere,
  );

const NOTHING_ELSE = {
  addedRules: [],
  changedRules: [],
  removedRules: [],
  addedWaivers: [],
  removedWaivers: [],
  otherParts: [],
  past: { compared: 0, changed: [] },
};

test("an edit is shown with what it adds, changes and removes, and with the verdict that it would cause", async () => {
  const text = `version: 1
rules:
  - { id: a, limit: { increase: 500 USD } }
  - { id: b, limit: { drift: 0 } }
  - { id: d, limit: { deletions: 0 } }
`;
  expect(await edit(text)).toEqual({
    ...NOTHING_ELSE,
    outcome: { kind: "evaluated", verdict: "pass" },
    addedRules: ["d"],
    changedRules: ["a"],
    removedRules: ["c"],
  });
});

test("an edit that changes no rule says so", async () => {
  const text = `version: 1
# a comment
rules: [{ id: a, limit: { increase: 50.00 USD } }, { id: b, limit: { drift: 0 }, per: pull-request }, { id: c, limit: { drift: 5 } }]`;
  const outcome = { kind: "evaluated", verdict: "block" };
  expect(await edit(text)).toEqual({ ...NOTHING_ELSE, outcome });
});

test("an edit that breaks the file says how many problems it has, and of no rule that it goes", async () => {
  const outcome = { kind: "invalid", problems: 2 };
  expect(await edit("version: 2\nrulez: []")).toEqual({ ...NOTHING_ELSE, outcome, past: null });
});

test("a deletion takes away what is not the organisation's", async () => {
  const organisation = "version: 1\nrules: [{ id: b, limit: { drift: 0 } }]";
  const gone = { outcome: { kind: "deleted" }, removedRules: ["a", "c"], past: null };
  expect(await edit(null, organisation)).toEqual({ ...NOTHING_ELSE, ...gone });
});

test("an edit of waivers, names of stages and expected executions is shown too", async () => {
  const text = `version: 1
rules: [{ id: a, limit: { increase: 50 USD } }, { id: b, limit: { drift: 0 } }, { id: c, limit: { drift: 5 } }]
waivers: [{ rule: a, up_to: 100 USD, until: 2027-03-31, reason: r, owner: o }]
stages: [{ match: { workspace: "prod*" }, name: Production }]
expect: []
comment: { on_no_change: quiet }
`;
  expect(await edit(text)).toMatchObject({
    outcome: { kind: "evaluated", verdict: "pass" },
    addedRules: [],
    changedRules: [],
    addedWaivers: ["a"],
    removedWaivers: [],
    otherParts: ["expect", "stages", "comment"],
  });
});

test("the last pull requests are evaluated by both policies, each as it was", async () => {
  const pull = (number: number, change: string, but: Partial<PastPull> = {}): PastPull => ({
    number,
    report: buildReport(facts(stage({ cost: known(cost(change)) })), { stages: [] }),
    context: { ...CONTEXT, number },
    ...but,
  });
  const unknown = buildReport(facts(stage({ status: "failed" })), { stages: [] });
  const past = [
    pull(9, "0 > 40"),
    pull(8, "0 > 20"),
    pull(7, "0 > 40"),
    pull(6, "0 > 80"),
    pull(5, "0 > 0", { report: unknown }),
    pull(4, "0 > 80", { context: { ...CONTEXT, baseRef: "release" } }),
  ];
  const stricter =
    "version: 1\nrules: [{ id: a, limit: { increase: 30 USD }, scope: { branches: [main] } }]\n";
  expect((await edit(stricter, null, past)).past).toEqual({
    compared: 6,
    changed: [
      { from: "pass", to: "block", pulls: [9, 7] },
      { from: "block", to: "pass", pulls: [4] },
    ],
  });
  expect((await edit("version: 1", null, past)).past).toEqual({
    compared: 6,
    changed: [
      { from: "block", to: "pass", pulls: [6, 4] },
      { from: "undecided", to: "pass", pulls: [5] },
    ],
  });
  const same =
    "version: 1\nstages: [{ match: { workspace: production }, name: P }]\nrules: [{ id: a, limit: { increase: 50 USD }, scope: { stages: [P] } }]";
  expect((await edit(same, null, past.slice(0, 4))).past).toEqual({ compared: 4, changed: [] });
});

test("while too many edits wait, the verdict that this one would cause is unknown", async () => {
  const busy = () => Promise.reject(new TollgateError("evaluation_busy", "busy"));
  const input = {
    owner: "1",
    base,
    headText: { file: "f", text: "version: 1" },
    organisation: null,
    attributes: UNREAD_ATTRIBUTES,
  };
  expect(await describePolicyEdit({ ...input, report, context: CONTEXT, pastPulls: [] }, busy)).toMatchObject(
    {
      outcome: { kind: "not_evaluated" },
      removedRules: [],
      past: null,
    },
  );
});

test("the pull requests that an edit is tried on share one budget, and those beyond it are not counted", async () => {
  const steps = 20_000_000;
  const perform = (async (task: Task) => {
    if (task.kind !== "compare") return performHere(task);
    return { from: "pass", to: "pass", steps, isCutOff: (task.limits?.file ?? 0) < steps };
  }) as PerformTask; // the results of its kinds
  const pastPulls = [3, 2, 1].map((number): PastPull => ({ number, report, context: CONTEXT }));
  const headText = { file: "f", text: "version: 1" };
  const input = {
    owner: "1",
    base,
    headText,
    organisation: null,
    report,
    context: CONTEXT,
    attributes: UNREAD_ATTRIBUTES,
    pastPulls,
  };
  expect((await describePolicyEdit(input, perform)).past?.compared).toBe(1);
});

test("a comparison whose conditions exceed the limit of all together is cut off", async () => {
  const costly = policy('rules: [{ id: a, when: "stages.all(s, s.change > 1)" }]');
  const input = { report, context: CONTEXT, base: costly, edited: costly };
  const compare = (file: number) =>
    performHere({ kind: "compare", input, owner: "1", limits: { rule: 1_000, file } });
  expect(await compare(1_000)).toMatchObject({ from: "block", to: "block", isCutOff: false });
  expect(await compare(10)).toMatchObject({ isCutOff: true });
});
