import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import type { Approvals } from "../../src/policy/model/approval.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import type { Situation } from "../../src/policy/model/situation.ts";
import type { ContextFacts } from "../../src/report/model/context.ts";
import type { EstimatorResults } from "../../src/report/model/facts.ts";
import { casesToTry } from "../world/depth.ts";
import {
  approval,
  changes,
  evaluatedSituation,
  evaluation,
  finding,
  module,
  money,
  report,
  resource,
  row,
  saving,
  stage,
  tagLine,
  tagProblem,
  unitCost,
  unknownStage,
} from "./evaluation-builder.ts";
import { hostileName } from "./hostile.ts";
import { active, parse, skeleton, tables, words } from "./markdown.ts";
import { renderer } from "./renderer.ts";

const DETAILS = "https://tollgate.example/acme/7";
const links = { details: DETAILS, recheckHint: true };

type Names = (field: string) => string;

const ownFindings = (names: Names): EstimatorResults["listed"] =>
  (["finops", "budget"] as const).map((kind) => ({
    ...{
      kind,
      policy: names(`${kind} policy`),
      message: `<${names(`${kind} message`)}`,
      saving: decimal("1"),
    },
    ...{
      address: names(`${kind} address`),
      attribute: names(`${kind} attribute`),
      file: names(`${kind} file`),
      line: 1,
    },
  }));

/** An evaluation that shows every text from outside that there is, each from `names`. */
const everyField = (names: Names, situation: Situation): Evaluation => ({
  ...evaluation({
    situation,
    report: report(
      [
        stage("a", ["10", "20"], {
          name: names("stage"),
          workspace: names("workspace"),
          project: names("project"),
        }),
        stage("b", ["1", "2"], {
          name: names("stage 2"),
          executionId: names("execution"),
          superseded: [names("superseded")],
          estimatorFindings: { issues: 1, policies: 1, more: 0, listed: ownFindings(names) },
        }),
        stage("c", ["1", "2"], { name: names("stage 3"), currency: names("currency") }),
        unknownStage("d", {
          name: names("stage 4"),
          problems: [`[${names("problem")}`, `<${names("problem 2")}`],
        }),
      ],
      {
        // Dots nest modules, which is no harm, and changes the shape.
        modules: ["module", "module 2"].map((field, index) =>
          module(names(field).replaceAll(".", "-"), index === 0 ? "9" : "2"),
        ),
        resources: [
          resource(names("address"), "9", {
            action: "changed",
            workspace: names("workspace"),
            changedAttributes: [names("attribute"), names("attribute 2")],
          }),
          resource(names("address 2"), "2", { workspace: "b", usageBased: true }),
        ],
        byTag: {
          key: `[${names("tag")}`,
          lines: [tagLine("value", "9", { value: names("tag value") }), tagLine("untagged", "2")],
        },
        context: hostileContext(names),
        lifetimes: [
          { stage: "x", workspace: names("workspace"), currency: "USD", lifetimeMs: 1, amount: decimal("3") },
        ],
        changes: changes({ deleted: 2, replaced: 1, drifted: 1 }),
        rows: [
          row("deleted", names("deleted")),
          { ...row("replaced", names("replaced")), changedAttributes: [names("attribute 3")] },
          row("drifted", names("drifted")),
        ],
        unpriced: { count: 2, types: { [`t${names("type")}`]: 2 } },
      },
    ),
    policySources: [
      { repository: names("organisation"), path: names("path"), ref: "main", blob: names("blob") },
      { repository: "acme/payments", path: names("path 2"), ref: "main", blob: names("blob 2") },
    ],
    policyEdit: {
      outcome: { kind: "evaluated", verdict: "block" },
      addedRules: [names("new rule")],
      changedRules: [names("changed rule")],
      removedRules: [names("removed rule")],
      addedWaivers: [names("waived rule")],
      removedWaivers: [names("no longer waived rule")],
      otherParts: [],
      past: { compared: 1, changed: [{ from: "pass", to: "block", pulls: [3] }] },
    },
    foreignChecks: [names("poster")],
    unshared: { name: names("check"), because: "not_required" },
    pull: { baseRef: names("base") },
    approvals: hostileApprovals(names),
  }),
});

const hostileContext = (names: Names): ContextFacts => ({
  savings: {
    state: "stale",
    ageMs: 1,
    value: {
      totals: [money("5", names("currency"))],
      items: [
        saving(names("saving"), "5", {
          ...{ workspace: names("workspace"), resourceType: names("type") },
          monthly: money("5", names("currency")),
          advice: {
            ...{ current: names("configuration"), terminate: false },
            recommended: [names("recommended"), names("also recommended")],
          },
        }),
      ],
      unmatched: 1,
    },
  },
  anomalies: {
    state: "known",
    value: {
      count: 1,
      impact: money("5", "USD"),
      items: [
        {
          ...{ id: "a", resource: names("anomaly"), perspective: names("perspective"), spend: null },
          criticality: `[${names("criticality")}`,
        },
      ],
    },
  },
  governance: { state: "known", value: { day: `d${names("day")}`, failed: 1, total: 2, statuses: {} } },
  unitCosts: {
    state: "known",
    value: [
      unitCost(names("unit"), "1", null, {
        ...{
          metric: names("metric"),
          perspective: names("perspective of a bill"),
          asOf: `d${names("as of")}`,
        },
      }),
    ],
  },
  prompts: {
    state: "known",
    value: [{ description: names("prompt"), resource: names("kind"), types: [names("type of a prompt")] }],
  },
  schedules: {
    state: "known",
    value: [
      {
        org: "default",
        project: names("project"),
        provisioner: names("provisioner"),
        driftEveryMs: 1,
        lifetime: { ms: null, onDate: `d${names("date")}` },
      },
    ],
  },
});

function hostileApprovals(names: Names): Approvals {
  const hostile = (field: string) =>
    approval({
      ...{ approver: { id: 1, login: names(`approver ${field}`) }, reason: `[${names(`reason ${field}`)}` },
      ...{ headSha: names("sha"), baseRef: names("base"), upTo: money("5"), violated: [] },
      covered: [{ rule: names(`covered ${field}`), ruleText: "", groups: [0], findings: [] }],
    });
  return {
    live: [hostile("1")],
    lapsed: [{ approval: hostile("2"), why: { kind: "grown", rule: names("grown") } }],
    missing: [{ rule: names("rule"), groups: [{ group: 0, lacks: 1 }] }],
  };
}

const situations: Record<string, (names: Names) => Situation> = {
  judged: (names) =>
    evaluatedSituation("block", [
      finding(names("rule"), {
        per: "stage",
        subject: names("subject"),
        message: `[${names("own words")}`,
        items: [names("item")],
        approve: {
          groups: [{ teams: [names("team")], users: [names("user")], permission: "write", count: 1 }],
          reviews: false,
        },
      }),
      finding(names("rule 3"), {
        items: Array.from({ length: 9 }, (_, index) => names(`item ${index}`)),
        waiver: { owner: names("owner"), reason: `[${names("why")}`, untilMs: 0 },
      }),
      finding("unit", {
        limit: { kind: "unit-cost", metric: names("metric"), percent: decimal("5") },
        measured: { kind: "percent", percent: decimal("9") },
      }),
      finding(names("rule 2"), { per: "module", subject: names("subject 2"), mandatory: true }),
      finding("r", {
        outcome: "undecided",
        measured: null,
        because: [{ kind: "other_currency", found: names("found"), expected: names("expected") }],
      }),
      finding("tags", {
        outcome: "undecided",
        measured: null,
        because: [{ kind: "resources", unknown: "tags_later", count: 2, names: [names("later")] }],
        tagProblems: [
          tagProblem(names("untagged"), names("key"), { otherKey: names("other key") }),
          tagProblem(names("untagged"), names("key 2"), { found: names("value"), nearest: names("near") }),
          tagProblem(names("untagged 2"), names("key"), {
            found: names("value"),
            values: [names("allowed")],
          }),
          tagProblem(names("untagged 2"), names("key 2"), {
            found: names("value"),
            pattern: names("pattern"),
          }),
        ],
      }),
    ]),
  waiting: (names) => ({
    kind: "waiting",
    missing: [{ workspace: names("missing"), state: "pending" }],
    deadlineMs: 0,
  }),
  invalid: (names) => ({
    kind: "policy_invalid",
    problems: [
      {
        file: names("file"),
        line: 1,
        column: 2,
        path: `p${names("place")}`,
        message: `[${names("message")}`,
      },
    ],
  }),
  unread: (names) => ({ kind: "cost_unreadable", workspaces: [names("unread")] }),
  lost: (names) => ({
    kind: "execution_unreadable",
    executions: [{ executionId: names("lost"), reason: "not_listed" }],
  }),
};

/** Different for every field, alike in every run: what the shape of a comment is measured by. */
const tame: Names = (field) => `tame ${field}`;

describe.each(Object.entries(situations))("hostile names in every field (%s)", (_, situation) => {
  const plain = everyField(tame, situation(tame));
  const expected = parse(renderer.comment(plain, links));

  it("change neither the shape of the comment nor a word of it", { timeout: 120_000 }, () => {
    expect(active(expected, DETAILS)).toEqual([]);
    fc.assert(
      fc.property(fc.array(hostileName, { minLength: 40, maxLength: 40 }), (pool) => {
        const taken = new Map<string, string>();
        // A field's number keeps two fields apart even when the pool gives them the same name.
        const names: Names = (field) => {
          const known = taken.get(field);
          const fresh = known ?? `${pool[taken.size % pool.length]}${taken.size}`;
          taken.set(field, fresh);
          return fresh;
        };
        const root = parse(renderer.comment(everyField(names, situation(names)), links));
        expect(active(root, DETAILS)).toEqual([]);
        expect(skeleton(root)).toBe(skeleton(expected));
        expect(words(root)).toBe(words(expected));
        expect(tables(root).map((table) => table.map(({ length }) => length))).toEqual(
          tables(expected).map((table) => table.map(({ length }) => length)),
        );
      }),
      { numRuns: casesToTry({ usual: 4, deep: 100 }) },
    );
  });

  it("do nothing in the check either", () => {
    fc.assert(
      fc.property(hostileName, (text) => {
        const names: Names = (field) => text + field;
        const { title, summary, text: more } = renderer.check(everyField(names, situation(names)), links);
        expect(active(parse(summary), DETAILS)).toEqual([]);
        expect(active(parse(more ?? ""), DETAILS)).toEqual([]);
        expect(title).toBe(renderer.check(plain, links).title);
      }),
      { numRuns: casesToTry({ usual: 4, deep: 100 }) },
    );
  });
});

it("a details link that is not plain https is left out", () => {
  for (const details of [
    "javascript:alert(1)",
    "http://tollgate.example/",
    "https://a:b@tollgate.example/",
  ]) {
    const root = parse(
      renderer.comment(everyField(tame, evaluatedSituation("pass")), { details, recheckHint: false }),
    );
    expect(active(root, null)).toEqual([]);
  }
});
