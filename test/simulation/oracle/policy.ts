import { ORGANISATION_REPOSITORY, REPOSITORY, type Surroundings } from "../places.ts";
import {
  DISOWNED,
  ORGANISATION_POLICIES,
  type OrganisationPolicyName,
  POLICIES,
  type PolicyName,
} from "../policies.ts";

/** A limit on the monthly increase, in dollars. */
export interface ExpectedRule {
  readonly limit: number;
  /** The highest increase that passes: more than the limit while a waiver is in force. */
  readonly upTo: number;
  /** The effect of a higher increase; `approve`: it blocks until finance approves. */
  readonly effect: "block" | "approve" | "warn";
}

/** What the policies of a base branch and of the organisation ask for together. */
export interface ReadablePolicy {
  readonly rules: readonly ExpectedRule[];
  readonly hasBudget: boolean;
  /** Whether a review of the finance team approves, too. */
  readonly takesReviews: boolean;
  /** Whether changes that the finance team requests hold the check. */
  readonly hearsObjections: boolean;
  /** Whether approvals have to name their last day. */
  readonly mustEnd: boolean;
  /** Whether the finance team may override the check. */
  readonly isOverridable: boolean;
  /** Whether a change of provisioning code waits for an execution. */
  readonly isAwaiting: boolean;
}
export type ExpectedPolicy = "no policy" | "invalid" | ReadablePolicy;

interface OwnRule extends Omit<ExpectedRule, "upTo"> {
  readonly isWaived?: true;
}
interface OrganisationRule extends OwnRule {
  /** A rule of the repository has the same id. */
  readonly isNamesake: boolean;
  readonly isMandatory: boolean;
}

const RULES: Readonly<Record<Exclude<PolicyName, "none" | "invalid" | "budget">, OwnRule>> = {
  strict: { limit: 100, effect: "block" },
  approvable: { limit: 100, effect: "approve" },
  objectable: { limit: 100, effect: "approve" },
  reviewable: { limit: 100, effect: "approve" },
  owned: { limit: 100, effect: "approve" },
  disowned: { limit: 100, effect: "block" },
  temporary: { limit: 100, effect: "approve" },
  overridable: { limit: 100, effect: "block" },
  warning: { limit: 100, effect: "warn" },
  lax: { limit: 1_000, effect: "block" },
  careless: { limit: 1_000, effect: "block" },
  waived: { limit: 100, effect: "block", isWaived: true },
  renamed: { limit: 100, effect: "block" },
};

const OF_50 = { limit: 50, effect: "block" } as const;
const ORGANISATION_RULES: Readonly<
  Record<Exclude<OrganisationPolicyName, "none" | "invalid">, OrganisationRule>
> = {
  default: { ...OF_50, isNamesake: true, isMandatory: false },
  mandatory: { ...OF_50, isNamesake: false, isMandatory: true },
  fixed: { ...OF_50, isNamesake: true, isMandatory: true },
  waived: { ...OF_50, isNamesake: false, isMandatory: true, isWaived: true },
  renamed: { ...OF_50, isNamesake: false, isMandatory: true },
};

/** Waivers let pass so much until the end of their last day. */
const WAIVED = 600;
const WAIVED_UNTIL_MS = Date.UTC(2026, 2, 3);

/** A story, as far as policies need it. */
interface PolicySource extends Pick<Surroundings, "github"> {
  readonly scheduler: Pick<Surroundings, "time">;
}

export function policyOf(story: PolicySource, ref: string): ExpectedPolicy {
  const names = namesOf(story, ref);
  const { own, above } = names;
  if (isNone(names)) return "no policy";
  const rules = combineRules(names);
  if (rules === "invalid") return "invalid";
  const nowMs = story.scheduler.time.now();
  return {
    rules: rules.map(({ limit, effect, isWaived = false }) => ({
      limit,
      effect,
      upTo: isWaived && nowMs < WAIVED_UNTIL_MS ? WAIVED : limit,
    })),
    hasBudget: own === "budget",
    takesReviews: own === "reviewable",
    hearsObjections: own === "objectable",
    mustEnd: own === "temporary",
    isOverridable: own === "overridable",
    isAwaiting: own !== "careless" || ["mandatory", "fixed", "waived", "renamed"].includes(above),
  };
}

/**
 * The repository's rule takes the place of one of the organisation with the same name, unless that is mandatory. Where the organisation
 * has a mandatory rule, a repository names nobody who may override.
 */
function combineRules({ own, above }: PolicyNames): readonly OwnRule[] | "invalid" {
  if (own === "invalid" || above === "invalid") return "invalid";
  const rules = own === "none" || own === "budget" ? [] : [RULES[own]];
  if (above === "none") return rules;
  const organisation = ORGANISATION_RULES[above];
  if (own === "overridable" && organisation.isMandatory) return "invalid";
  if (rules.length === 0 || !organisation.isNamesake) return [organisation, ...rules];
  return organisation.isMandatory ? "invalid" : rules;
}

/** The names that any policy gives to the check of a base branch. */
export const allCheckNamesOf = (branch: string) => [`tollgate: ${branch}`, `cost of ${branch}`] as const;

/**
 * The names that the check of a base branch may have: that of the default branch's policy. While none can be read, a pull request keeps the
 * one that it had.
 */
export function checkNamesOf(places: Pick<Surroundings, "github">, branch: string): readonly string[] {
  const names = namesOf(places, "main");
  const [usual, other] = allCheckNamesOf(branch);
  if (combineRules(names) === "invalid" || [names, namesOf(places, branch)].every(isNone))
    return [usual, other];
  return [names.own === "renamed" || names.above === "renamed" ? other : usual];
}

const isNone = ({ own, above }: PolicyNames): boolean => own === "none" && above === "none";

/** Equal texts mean equal policies, but for the time. */
export const policyTextOf = (places: Pick<Surroundings, "github">, ref: string): string =>
  JSON.stringify(namesOf(places, ref));

interface PolicyNames {
  readonly own: PolicyName;
  readonly above: OrganisationPolicyName;
}

function namesOf({ github }: Pick<Surroundings, "github">, ref: string): PolicyNames {
  const { fileText } = github.verbs;
  const own = fileText({ repository: REPOSITORY, ref, path: ".github/tollgate.yml" });
  const above = fileText({ repository: ORGANISATION_REPOSITORY, ref: "main", path: "tollgate.yml" });
  const owners = fileText({ repository: REPOSITORY, ref, path: "CODEOWNERS" });
  const isDisowned = own === POLICIES.disowned && owners === DISOWNED;
  return {
    own: isDisowned ? "disowned" : findName(POLICIES, own),
    above: findName(ORGANISATION_POLICIES, above),
  };
}

function findName<Name extends string>(
  files: Readonly<Record<Name, string | null>>,
  text: string | null,
): Name {
  const found = Object.entries(files).find(([, content]) => content === text);
  if (found === undefined) throw new Error("there is a policy that no story writes");
  return found[0] as Name; // their own keys
}
