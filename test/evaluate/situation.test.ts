import { describe, expect, it } from "vitest";
import { computeNextEvaluationMs } from "../../src/evaluate/schedule.ts";
import { CONTEXT_READS } from "../../src/policy/decide/read-attempts.ts";
import { determineSituation, type SituationInput } from "../../src/policy/decide/situation.ts";
import { decideCheck } from "../../src/policy/decide-check.ts";
import { NO_APPROVALS } from "../../src/policy/model/approval.ts";
import type { LoadedPolicy } from "../../src/policy/model/loaded-policy.ts";
import { buildReport } from "../../src/report/build.ts";
import type { ContextFacts } from "../../src/report/model/context.ts";
import { NO_FACTS } from "../../src/report/model/context.ts";
import type { RefusedExecution, StageFacts, UnknownReason } from "../../src/report/model/facts.ts";
import { UNREAD_ATTRIBUTES } from "../../src/report/model/resource-attributes.ts";
import { performHere } from "../policy/perform-here.ts";
import { CONTEXT, policy } from "../policy/policies.ts";
import { known, stage as knownStage, cost as stageCost } from "../report/facts.ts";

const HOUR = 3_600_000;
const NOW = 10 * HOUR;
const found = (text: string): LoadedPolicy => ({
  state: "found",
  policy: policy(text),
  sources: [],
  rulePlaces: [],
});

const EXPECTING = found(`
expect: [{ paths: ["infra/**"], workspaces: [production], within: 1h }]
rules: [{ id: a, limit: { increase: 100 USD } }]
`);
const COSTS = found("rules: [{ id: a, limit: { increase: 100 USD } }]\n");
const AROUND_IT = found("rules: [{ id: a, limit: { anomalies: 0 } }]\n");
const COUNTS = found("rules: [{ id: a, limit: { deletions: 0 } }]\n");

const unknown = (reason: UnknownReason) => ({ state: "unknown", reason }) as const;
const cost = (change: string) => known(stageCost(`0 > ${change}`));
const stage = (changes: Partial<StageFacts> = {}): StageFacts =>
  knownStage({ executionId: "e1", createdMs: NOW - HOUR, cost: cost("10"), ...changes });

interface SituationParts extends Partial<SituationInput> {
  readonly stages?: readonly StageFacts[];
  readonly refused?: readonly RefusedExecution[];
  readonly around?: Partial<ContextFacts>;
}

function situation({ stages = [], refused = [], around = {}, ...given }: SituationParts) {
  const facts = { ...NO_FACTS, stages, refused, context: { ...NO_FACTS.context, ...around } };
  const report = buildReport(facts, { stages: [] });
  return determineSituation({
    policy: COSTS,
    facts,
    report,
    context: { ...CONTEXT, paths: ["docs/a.md"] },
    attributes: UNREAD_ATTRIBUTES,
    claimsComplete: true,
    alwaysCheck: false,
    canWait: true,
    sinceMs: NOW - HOUR / 2,
    nowMs: NOW,
    attempts: new Map(),
    perform: performHere,
    owner: "1",
    ...given,
  });
}

const refused = (reason: RefusedExecution["reason"]) => [
  { org: "x", project: "y", executionId: "z", reason },
];
const tried = (attempts: number, firstMs = NOW - 1_000) => new Map([["e1", { attempts, firstMs }]]);
const triedAround = (attempts: number, agoMs = 1_000) =>
  new Map([[CONTEXT_READS, { attempts, firstMs: NOW - agoMs, outage: true }]]);
const QUIET = { state: "known", value: { count: 0, impact: null, items: [] } } as const;
/** An execution that a status names and the platform does not list. */
const LOST = stage({
  isUnread: true,
  workspace: "e1",
  status: "unknown",
  cost: unknown("not_listed"),
  modules: unknown("not_listed"),
  counts: unknown("not_listed"),
  rows: unknown("not_listed"),
});
const infra = { policy: EXPECTING, context: { ...CONTEXT, paths: ["infra/a.tf"] } };
const text = async (given: SituationParts): Promise<string> => {
  const found = await situation(given);
  const check = decideCheck(found, NO_APPROVALS);
  return `${found.kind} ${check.status === "completed" ? check.conclusion : check.status}`;
};

describe("the situation of a head", () => {
  it.each<[string, SituationParts, string]>([
    ["no policy", { policy: { state: "none" } }, "no_policy none"],
    ["no policy, a check asked for", { policy: { state: "none" }, alwaysCheck: true }, "no_policy success"],
    [
      "a broken policy",
      { policy: { state: "invalid", problems: [], sources: [] } },
      "policy_invalid failure",
    ],
    [
      "a policy that cannot be read",
      { policy: { state: "unreadable", level: "organisation", reason: "not_covered" } },
      "policy_unreadable failure",
    ],
    ["more statuses than are read", { claimsComplete: false, stages: [stage()] }, "failed failure"],
    ["nothing expected and nothing there", {}, "nothing_expected success"],
    [
      "another account's execution is not ours",
      { refused: refused("other_account") },
      "nothing_expected success",
    ],
    ["an execution that may not be shown", { refused: refused("not_granted") }, "evaluated failure"],
    [
      "one that may be shown beside one that may not",
      { stages: [stage()], refused: refused("not_granted") },
      "evaluated failure",
    ],
    ["an expected execution missing", infra, "waiting in_progress"],
    [
      "files that are not all known",
      { ...infra, context: { ...CONTEXT, paths: [], pathsComplete: false } },
      "waiting in_progress",
    ],
    ["its deadline passed", { ...infra, sinceMs: NOW - HOUR }, "deadline_passed failure"],
    [
      "missing in a CI job, which no other one follows",
      { ...infra, canWait: false },
      "deadline_passed failure",
    ],
    ["a draft", { context: { ...CONTEXT, draft: true }, stages: [stage()] }, "draft in_progress"],
    [
      "a draft in a CI job, which no other one follows when it is ready",
      { context: { ...CONTEXT, draft: true }, stages: [stage()], canWait: false },
      "evaluated success",
    ],
    [
      "the expected one only claimed",
      { ...infra, stages: [stage({ proven: false })] },
      "waiting in_progress",
    ],
    ["the expected one refused", { ...infra, refused: refused("not_granted") }, "waiting in_progress"],
    ["the expected one running", { ...infra, stages: [stage({ status: "pending" })] }, "waiting in_progress"],
    ["the expected one failed", { ...infra, stages: [stage({ status: "failed" })] }, "evaluated failure"],
    ["the expected one ended", { ...infra, stages: [stage()] }, "evaluated success"],
    ["an unexpected one running", { stages: [stage({ status: "pending" })] }, "waiting in_progress"],
    [
      "one that runs for more than two hours",
      { stages: [stage({ status: "pending", createdMs: NOW - 2 * HOUR })], sinceMs: NOW - 2 * HOUR },
      "deadline_passed failure",
    ],
    [
      "one begun again long after the push",
      { stages: [stage({ status: "pending", createdMs: NOW - HOUR })], sinceMs: NOW - 9 * HOUR },
      "waiting in_progress",
    ],
    [
      "one whose beginning lies in the future",
      { stages: [stage({ status: "pending", createdMs: NOW * 9 })], sinceMs: 0 },
      "waiting in_progress",
    ],
    ["a failed one with known costs", { stages: [stage({ status: "failed" })] }, "evaluated failure"],
    ["a claimed one", { stages: [stage({ proven: false })] }, "evaluated failure"],
    ["within the limit", { stages: [stage()] }, "evaluated success"],
    ["over the limit", { stages: [stage({ cost: cost("101") })] }, "evaluated failure"],
    ["an end of an unknown kind", { stages: [stage({ status: "unknown" })] }, "evaluated failure"],
    ...(
      [
        ["first try", new Map(), "waiting in_progress"],
        ["fourth try", tried(4), "waiting in_progress"],
        ["fifth try", tried(5), "cost_unreadable failure"],
        ["after a minute", tried(1, NOW - 60_000), "cost_unreadable failure"],
      ] as const
    ).map(([when, attempts, expected]): [string, SituationParts, string] => [
      `an absent cost, ${when}`,
      { stages: [stage({ cost: { state: "absent" } })], attempts },
      expected,
    ]),
    ["a cost that is forbidden", { stages: [stage({ cost: unknown("forbidden") })] }, "evaluated failure"],
    [
      "an execution that could not be asked about",
      { stages: [stage({ status: "unknown", cost: unknown("unavailable") })] },
      "waiting in_progress",
    ],
    ...(
      [
        ["first try", new Map(), "waiting in_progress"],
        ["fourth try", tried(4), "waiting in_progress"],
        ["fifth try", tried(5), "execution_unreadable failure"],
        ["after a minute", tried(1, NOW - 60_000), "execution_unreadable failure"],
      ] as const
    ).flatMap(([when, attempts, expected]) =>
      Object.entries({
        "a rule on costs": COSTS,
        "no rule": found("rules: []\n"),
        "rules that need none of it": AROUND_IT,
        "a rule for another workspace": found(
          "rules: [{ id: a, limit: { increase: 1 USD }, scope: { workspaces: [other] } }]\n",
        ),
        "a rule that warns": found("rules: [{ id: a, limit: { increase: 1 USD }, enforce: warn }]\n"),
      }).map(([rules, policy]): [string, SituationParts, string] => [
        `an execution that the platform does not list, with ${rules}, ${when}`,
        { policy, stages: [LOST], around: { anomalies: QUIET }, attempts },
        expected,
      ]),
    ),
    [
      "an execution that may not be read, with no rule",
      { policy: found("rules: []\n"), stages: [{ ...LOST, cost: unknown("forbidden") }], attempts: tried(5) },
      "execution_unreadable failure",
    ],
    [
      "an execution that is not listed beside one that breaks a rule",
      {
        policy: found("rules: [{ id: a, limit: { increase: 100 USD }, per: stage }]\n"),
        stages: [LOST, stage({ executionId: "e2", cost: cost("101") })],
      },
      "evaluated failure",
    ],
    [
      "an expected execution missing beside one that is not listed",
      { ...infra, stages: [LOST] },
      "waiting in_progress",
    ],
    [
      "counts that are not there yet, and are evaluated",
      { policy: COUNTS, stages: [stage({ counts: unknown("not_indexed") })] },
      "waiting in_progress",
    ],
    [
      "counts that never came",
      { policy: COUNTS, stages: [stage({ counts: unknown("not_indexed") })], attempts: tried(5) },
      "evaluated failure",
    ],
    [
      "counts that are not there and that nothing needs",
      { stages: [stage({ counts: unknown("not_indexed") })] },
      "evaluated success",
    ],
    [
      "a cost that is not there and that nothing needs",
      { policy: COUNTS, stages: [stage({ cost: unknown("not_estimated") })] },
      "evaluated success",
    ],
    ...(
      [
        ["out of reach, first try", { anomalies: unknown("unavailable") }, new Map(), "waiting in_progress"],
        ["too slow, fourth try", { anomalies: unknown("timed_out") }, triedAround(4), "waiting in_progress"],
        ["too slow, fifth try", { anomalies: unknown("timed_out") }, triedAround(5), "evaluated failure"],
        [
          "too slow for a minute",
          { anomalies: unknown("timed_out") },
          triedAround(1, 60_000),
          "evaluated failure",
        ],
        ["forbidden", { anomalies: unknown("forbidden") }, new Map(), "evaluated failure"],
        ["not granted", { anomalies: unknown("not_granted") }, new Map(), "evaluated failure"],
        ["not asked for", { anomalies: unknown("not_read") }, new Map(), "evaluated failure"],
        [
          "there, but another is not",
          { anomalies: QUIET, savings: unknown("timed_out") },
          new Map(),
          "evaluated success",
        ],
      ] as const
    ).map(([what, around, attempts, expected]): [string, SituationParts, string] => [
      `a fact around it that is ${what}`,
      { policy: AROUND_IT, stages: [stage()], around, attempts },
      expected,
    ]),
  ])("%s", async (_, given, expected) => {
    expect(await text(given)).toBe(expected);
  });
});

describe("the time of a lane's next evaluation", async () => {
  const lacking = (reason: "timed_out" | "not_granted" | "not_estimated") =>
    situation({
      policy: AROUND_IT,
      stages: [stage()],
      around: { anomalies: unknown(reason) },
      attempts: triedAround(5),
    });
  const waiting = (deadlineMs: number) => ({ kind: "waiting", missing: [], deadlineMs }) as const;
  it.each<[string, ReturnType<typeof computeNextEvaluationMs>, Parameters<typeof computeNextEvaluationMs>]>([
    ["never once decided", null, [{ kind: "nothing_expected" }, tried(1), NOW]],
    ["after the deadline", NOW + HOUR + 1_000, [waiting(NOW + HOUR), new Map(), NOW]],
    ["after a deadline that is over, not at once", NOW + 1_000, [waiting(NOW - HOUR), new Map(), NOW]],
    ["2 s after the first try", NOW + 2_000, [waiting(NOW + HOUR), tried(1), NOW]],
    ["16 s after the fourth try", NOW + 16_000, [waiting(NOW + HOUR), tried(4), NOW]],
    [
      "not for a cost without tries left, while another execution is missing",
      NOW + HOUR + 1_000,
      [waiting(NOW + HOUR), tried(5), NOW],
    ],
    [
      "not for a cost whose minute is over",
      NOW + HOUR + 1_000,
      [waiting(NOW + HOUR), tried(1, NOW - 60_000), NOW],
    ],
    [
      "for the execution that was tried least",
      NOW + 4_000,
      [waiting(NOW + HOUR), new Map([...tried(5), ["e2", { attempts: 2, firstMs: NOW }]]), NOW],
    ],
    [
      "a minute after the last try of an outage",
      NOW + 60_000,
      [await lacking("timed_out"), triedAround(5), NOW],
    ],
    ["then less and less often", NOW + 240_000, [await lacking("timed_out"), triedAround(7), NOW]],
    ["every 16 minutes in the end", NOW + 960_000, [await lacking("timed_out"), triedAround(99), NOW]],
    [
      "soon, where other rules decided meanwhile",
      NOW + 2_000,
      [await lacking("timed_out"), triedAround(1), NOW],
    ],
    ["not for an outage of what no rule lacks", null, [await lacking("not_granted"), triedAround(5), NOW]],
    ["not for ever for what is no outage", null, [await lacking("not_estimated"), tried(5), NOW]],
    [
      "for a cost that an outage hides",
      NOW + 60_000,
      [
        { kind: "cost_unreadable", workspaces: ["w"] },
        new Map([["e1", { attempts: 5, firstMs: NOW, outage: true }]]),
        NOW,
      ],
    ],
    ["no later than the deadline", NOW + 6_000, [waiting(NOW + 5_000), tried(4), NOW]],
  ])("%s", (_, expected, given) => {
    expect(computeNextEvaluationMs(...given)).toBe(expected);
  });
});
