import { resolveCodeOwners } from "../../src/policy/approvals/code-owners.ts";
import { readGround, serializeFigures } from "../../src/policy/approvals/lapse.ts";
import { evaluatePolicy } from "../../src/policy/evaluate-policy.ts";
import { parsePolicy } from "../../src/policy/file/parse.ts";
import type { ApprovedStage } from "../../src/policy/model/approval.ts";
import type { Verdict } from "../../src/policy/model/finding.ts";
import type { LoadedPolicy } from "../../src/policy/model/loaded-policy.ts";
import type { Policy } from "../../src/policy/model/policy.ts";
import { buildReport } from "../../src/report/build.ts";
import { CONTEXT } from "../policy/policies.ts";
import {
  cost,
  counts,
  group,
  known,
  listed,
  facts as pullFacts,
  resource,
  row,
  stage,
} from "../report/facts.ts";
import { type Base, type Facts, type Moment, sharesOf } from "./world.ts";

/** Dollars of increase that each base allows; a policy is changed by halving it. */
export const allowed = (base: Base, policy: number): number =>
  (base === "main" ? 100 : 60) >> Math.min(policy, 2);
/** Dollars of increase that each value of the tag allows. */
export const TEAM_ALLOWED = 90;
/** Dollars of increase above which code owners must sign. */
export const OWNED_ALLOWED = 130;
/** How many of the finance team must sign for more. */
export const signersNeeded = (base: Base): number => (base === "main" ? 1 : 2);

const POLICIES = new Map<string, Policy>();

function policyOf(base: Base, version: number): Policy {
  const key = `${base} ${version}`;
  const made = POLICIES.get(key) ?? parsed(base, version);
  POLICIES.set(key, made);
  return made;
}

function parsed(base: Base, version: number): Policy {
  const text = `version: 1
expect: []
rules:
  - { id: increase, limit: { increase: ${allowed(base, version)} USD }, approve: { teams: [finops], count: ${signersNeeded(base)} } }
  - { id: deletions, limit: { deletions: 0 }, approve: { all: [{ teams: [finops] }, { teams: [security] }], objections: block } }
  - { id: drift, limit: { drift: 0 } }
  - { id: team, limit: { increase: ${TEAM_ALLOWED} USD }, per: { tag: payer }, approve: { by_tag: { key: payer, teams: { money: finops, guard: security } } } }
  - { id: dear, when: "cost.after > 1180", approve: { teams: [security], until: required } }
  - { id: owned, limit: { increase: ${OWNED_ALLOWED} USD }, approve: { codeowners: true } }
override: { teams: [security] }
`;
  const policy = parsePolicy({ repository: { file: "tollgate.yml", text }, organisation: null });
  if (policy.state === "invalid") throw new Error(JSON.stringify(policy.problems));
  return policy.policy;
}

/** The policy in force, with an id of its text. */
export const loadedPolicy = (base: Base, version: number): LoadedPolicy => ({
  state: "found",
  policy: policyOf(base, version),
  rulePlaces: [],
  sources: [{ repository: "acme/shop", path: ".github/tollgate.yml", ref: base, blob: `${base} ${version}` }],
});

export interface EvaluatedFacts {
  readonly policy: Policy;
  readonly verdict: Verdict;
  readonly ground: readonly ApprovedStage[];
  readonly figures: string;
}

type Owners = Parameters<typeof resolveCodeOwners>[1];

const EVALUATED = new Map<string, EvaluatedFacts>();

/** What the rules say of such facts; the same again is not worked out again. */
export function evaluateFacts({ base, policy, facts }: Moment, owners: Owners): EvaluatedFacts {
  const key = JSON.stringify([base, policy, facts, owners]);
  const known_ = EVALUATED.get(key) ?? evaluateAnew(resolveCodeOwners(policyOf(base, policy), owners), facts);
  EVALUATED.set(key, known_);
  return known_;
}

function evaluateAnew(policy: Policy, facts: Facts): EvaluatedFacts {
  const [first, ...others] = facts.workspaces;
  const quiet = others.map((workspace) =>
    stage({ workspace, cost: known(cost("10 > 10", { currency: facts.currency })) }),
  );
  const shares = sharesOf(facts);
  const busy = stage({
    workspace: first ?? "prod",
    cost:
      facts.increase === null
        ? { state: "unknown", reason: "not_estimated" }
        : known(
            cost(`1000 > ${1000 + facts.increase}`, {
              currency: facts.currency,
              groups: [
                group(
                  "aws_x",
                  `0 > ${facts.increase}`,
                  shares.map(([payer, share]) => resource(`aws_x.${payer}`, `0 > ${share}`)),
                ),
              ],
              listed: shares.map(([payer]) => ({
                ...{ address: `aws_x.${payer}`, type: "aws_x" },
                tags: { after: { values: { payer }, complete: true } },
              })),
            }),
          ),
    counts: known(counts({ deleted: facts.deleted.length, drifted: facts.drifted })),
    rows: listed(...facts.deleted.map((address) => row(address, "deleted"))),
  });
  const report = buildReport(pullFacts(busy, ...quiet), { stages: [] });
  return {
    policy,
    verdict: evaluatePolicy(report, policy, { context: CONTEXT }),
    ground: readGround(report),
    figures: serializeFigures(report),
  };
}
