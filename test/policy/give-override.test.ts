import { describe, expect, it } from "vitest";
import {
  findOverrideEnd,
  giveOverride,
  type OverrideMoment,
  type OverrideSubmission,
} from "../../src/policy/approvals/give-override.ts";
import type { OverrideEnd, OverrideRefusal } from "../../src/policy/model/approval.ts";
import type { LoadedPolicy } from "../../src/policy/model/loaded-policy.ts";
import { HEAD } from "../render/evaluation-builder.ts";
import { policy } from "./policies.ts";

const OTHER = "b".repeat(40);
const found = (text: string, blob = "1"): LoadedPolicy => ({
  state: "found",
  policy: policy(text),
  rulePlaces: [],
  sources: [{ repository: "acme/shop", path: ".github/tollgate.yml", ref: "main", blob }],
});
const NAMING = "override: { users: [ivan] }";

/** Ivan, whom the policy names, wrote it a second after the head was evaluated. */
const REQUEST: OverrideSubmission = {
  id: "comment:5",
  person: { id: 3, login: "ivan" },
  sha: HEAD,
  reason: "the site is down",
  createdMs: 5_000,
  givenMs: 7_000,
};
const PLACE: OverrideMoment = {
  headSha: HEAD,
  baseRef: "main",
  policy: found(NAMING),
  contributors: new Set([1, 2]),
  evaluatedMs: 4_000,
  hold: "held",
  isNamed: true,
};
const SHORT = HEAD.slice(0, 12);
const LATER = { kind: "evaluated_later", headSha: HEAD } as const;

describe("an override is refused", () => {
  it.each<[string, Partial<OverrideSubmission>, Partial<OverrideMoment>, OverrideRefusal]>([
    ["of another head", { sha: OTHER }, {}, { kind: "other_head", named: OTHER, headSha: HEAD }],
    ["of the head's beginning", { sha: SHORT }, {}, { kind: "other_head", named: SHORT, headSha: HEAD }],
    ["where the head was evaluated here a second later", {}, { evaluatedMs: 6_000 }, LATER],
    ["where the head was never evaluated here", {}, { evaluatedMs: null }, LATER],
    ["where GitHub does not say when it was written", { createdMs: null }, {}, LATER],
    ["of one whom the policy does not name", {}, { isNamed: false }, { kind: "not_named" }],
    ["of one who worked on it", {}, { contributors: new Set([3]) }, { kind: "contributed" }],
    ["where nobody knows who worked on it", {}, { contributors: null }, { kind: "contributors_unknown" }],
    ["in a draft", {}, { hold: "draft" }, { kind: "draft" }],
    ["where the check passes", {}, { hold: "not_held" }, { kind: "nothing_to_override" }],
    ["where the policy names nobody", {}, { policy: found("rules: []") }, { kind: "not_allowed" }],
    ["where there is no policy", {}, { policy: { state: "none" } }, { kind: "no_policy" }],
  ])("%s", (_, request, place, why) => {
    expect(giveOverride({ ...REQUEST, ...request }, { ...PLACE, ...place })).toEqual({
      state: "refused",
      why,
    });
  });
});

it("an override of the head that its person saw is given, by the author too where the policy allows it", () => {
  const given = giveOverride(REQUEST, PLACE);
  expect(given).toMatchObject({
    state: "given",
    override: { headSha: HEAD, baseRef: "main", reason: "the site is down" },
  });
  const own = found("override: { users: [ivan], allow_author: true }");
  expect(giveOverride(REQUEST, { ...PLACE, policy: own, contributors: new Set([3]) }).state).toBe("given");
});

describe("an override ends", () => {
  const given = giveOverride(REQUEST, PLACE);
  if (given.state !== "given") throw new Error(`refused: ${given.why.kind}`);
  it.each<[string, Partial<OverrideMoment>, OverrideEnd["kind"] | null]>([
    ["never by itself", {}, null],
    ["with another head", { headSha: OTHER }, "pushed"],
    ["with another base branch", { baseRef: "release" }, "retargeted"],
    ["with any change of the policy", { policy: found(NAMING, "2") }, "policy_changed"],
    ["with a policy that names nobody", { policy: found("rules: []") }, "policy_changed"],
    ["when its person works on the pull request", { contributors: new Set([3]) }, "contributed"],
  ])("%s", (_, place, why) => {
    expect(findOverrideEnd(given.override, { ...PLACE, ...place })?.kind ?? null).toBe(why);
  });
});
