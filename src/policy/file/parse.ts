import { HOUR_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { readFile } from "../../kernel/schema-problems.ts";
import { byPlace } from "../../kernel/yaml-tree.ts";
import type { Expectation, Policy, PolicyProblem, Rule, RulePlace, Waiver } from "../model/policy.ts";
import { findPolicyFlaws, type PolicyConstraints, readConstraints } from "./checks.ts";
import { type BudgetEntry, PolicyFile, type RuleEntry, readGranularity } from "./schema.ts";

/** The text of a policy file; `file` names it in every problem, e.g. `acme/infra:.github/tollgate.yml`. */
export interface PolicyText {
  readonly file: string;
  readonly text: string;
}

export interface PolicyTexts {
  readonly repository: PolicyText | null;
  readonly organisation: PolicyText | null;
}

export type ParsedPolicy =
  | { readonly state: "ok"; readonly policy: Policy; readonly rulePlaces: readonly RulePlace[] }
  | { readonly state: "invalid"; readonly problems: readonly PolicyProblem[] };

/** Reads both files: the policy in force, or all problems of both, each file's in the order of its lines. */
export function parsePolicy({ repository, organisation }: PolicyTexts): ParsedPolicy {
  const above = organisation === null ? NO_FILE : readPolicyFile(organisation, null);
  const below = repository === null ? NO_FILE : readPolicyFile(repository, above.constraints);
  const problems = [...above.problems, ...below.problems];
  if (problems.length > 0) return { state: "invalid", problems };
  // Of two rules with one id the repository's is in force.
  const places = new Map([...above.rulePlaces, ...below.rulePlaces].map((place) => [place.rule, place]));
  return {
    state: "ok",
    policy: combineFiles(above.content, below.content),
    rulePlaces: [...places.values()],
  };
}

/** The repository's file under the organisation's: see `docs/policy-reference.md`, "Two files". */
function combineFiles(above: PolicyFile, below: PolicyFile): Policy {
  const rules = combineRules(above, below);
  return {
    rules,
    expect: combineExpectations(above, below),
    stages: [...(below.stages ?? []), ...(above.stages ?? [])],
    organisationStages: above.stages ?? [],
    checkNames: [...(above.check_names ?? []), ...(below.check_names ?? [])],
    platform: toPlatform({ ...below.platform, ...above.platform }),
    comment: toCommentPolicy({ ...above.comment, ...below.comment }),
    waivers: [...selectWaivers(rules, above), ...(below.waivers ?? [])],
    tags: combineRequiredTags(above, below),
    byTag: below.report?.by_tag ?? above.report?.by_tag ?? null,
    showsYear: below.report?.year ?? above.report?.year ?? false,
    override: below.override ?? above.override ?? null,
    requestReviewers: below.request_reviewers ?? above.request_reviewers ?? false,
    ...(above.notify && { notify: above.notify }),
  };
}

const toPlatform = ({ org, project }: NonNullable<PolicyFile["platform"]>): Policy["platform"] => ({
  org: org ?? null,
  project: project ?? null,
});

function toCommentPolicy(comment: NonNullable<PolicyFile["comment"]>): Policy["comment"] {
  const { mode = "update", on_no_change: onNoChange = "comment", sections = null } = comment;
  const { min_change: amount = null, min_percent: percent = null } = comment;
  return {
    mode,
    onNoChange,
    smallChange: amount === null && percent === null ? null : { amount, percent },
    sections,
  };
}

/** The tags that either file requires: a repository adds to the organisation's and changes none of them. */
function combineRequiredTags(above: PolicyFile, below: PolicyFile): Policy["tags"] {
  const required = [above, below].flatMap(({ tags }) =>
    (tags?.required ?? []).map(({ key, values = null, pattern = null }) => ({
      ...{ key, values, pattern },
      exceptTypes: tags?.except?.types ?? [],
    })),
  );
  return required.length === 0 ? null : { required };
}

/** The organisation's rules are defaults that a rule of the same id replaces; replacing a mandatory one was refused before. */
function combineRules(above: PolicyFile, below: PolicyFile): readonly Rule[] {
  const own = toRules(below);
  const replaced = new Set(own.map(({ id }) => id));
  const inherited = toRules(above).filter(({ id }) => !replaced.has(id));
  return [...inherited, ...own];
}

const toRules = ({ rules = [], budgets = [] }: PolicyFile): readonly Rule[] => [
  ...rules.map(toRule),
  ...budgets.map(toBudgetRule),
];

/** The organisation's waivers, except those of a rule that the repository replaced by one of another kind. */
function selectWaivers(inForce: readonly Rule[], above: PolicyFile): readonly Waiver[] {
  const kinds = new Map(inForce.map(({ id, limit }) => [id, limit.kind]));
  const own = new Map(toRules(above).map(({ id, limit }) => [id, limit.kind]));
  return (above.waivers ?? []).filter(({ rule }) => kinds.get(rule) === own.get(rule));
}

/**
 * Expectations of both files apply. A repository that expects nothing would bypass mandatory rules that never see an
 * execution, so the default applies beside mandatory rules, unless the organisation states its own expectations.
 */
function combineExpectations(above: PolicyFile, below: PolicyFile): readonly Expectation[] {
  const isBound = above.expect === undefined && toRules(above).some(({ mandatory }) => mandatory);
  const isSilent = above.expect === undefined && below.expect === undefined;
  const expectations = [...(above.expect ?? []), ...(below.expect ?? [])];
  return isBound || isSilent ? [...expectations, DEFAULT_EXPECTATION] : expectations;
}

function toRule({ existing, when, ...entry }: RuleEntry): Rule {
  const { id, per, scope = null, approve = null, message = null, mandatory = false } = entry;
  const byStage = typeof entry.enforce === "object" ? entry.enforce : {};
  const enforce = typeof entry.enforce === "string" ? entry.enforce : "block";
  const limit = entry.limit ?? when;
  if (limit === undefined) throw new TollgateError("internal", "a rule without a limit passed the checks");
  return {
    id,
    limit: "count" in limit && existing !== undefined ? { ...limit, existing } : limit,
    per: readGranularity(per),
    ...(typeof per === "object" && { perTag: per.tag }),
    scope,
    enforce,
    enforceIn: Object.entries(byStage).map(([stage, own]) => ({ stage, enforce: own })),
    onUnknown: entry.on_unknown ?? enforce,
    approve,
    message,
    mandatory,
    ...readEnforceFrom(entry),
  };
}

const readEnforceFrom = ({ enforce_from: enforceFromMs }: Pick<RuleEntry, "enforce_from">) =>
  enforceFromMs === undefined ? {} : { enforceFromMs };

/** A budget is a rule about the total cost of a scope. */
const toBudgetRule = ({ amount, period, enforce = "block", ...entry }: BudgetEntry): Rule => ({
  id: entry.id,
  limit: { kind: "budget", amount, ...(period && { period }) },
  per: "pull-request",
  scope: entry.scope ?? null,
  enforce,
  enforceIn: [],
  onUnknown: enforce,
  approve: entry.approve ?? null,
  message: null,
  mandatory: entry.mandatory ?? false,
  ...readEnforceFrom(entry),
});

/** One policy file with its valid parts. */
interface PolicyFileContents {
  /** In the order of their lines. */
  readonly problems: readonly PolicyProblem[];
  /** Empty where there are problems. */
  readonly content: PolicyFile;
  readonly rulePlaces: readonly RulePlace[];
  /** What it binds repositories to. */
  readonly constraints: PolicyConstraints;
}

/** Reads one file; `organisation` is null when it is the organisation's own. */
function readPolicyFile(
  { file, text }: PolicyText,
  organisation: PolicyConstraints | null,
): PolicyFileContents {
  const { tree, value, flaws } = readFile(text, PolicyFile);
  const constraints = tree === null ? NO_FILE.constraints : readConstraints(tree);
  const further = tree === null ? [] : findPolicyFlaws(tree, constraints, organisation);
  const problems = [...flaws, ...further].toSorted(byPlace).map((flaw) => ({ file, ...flaw }));
  const rulePlaces = constraints.rules.flatMap(({ id, path, docs }) =>
    id === undefined || tree === null
      ? []
      : [{ rule: id, file, line: tree.findPosition(path).line, ...(docs !== undefined && { docs }) }],
  );
  return { problems, content: value ?? NO_FILE.content, rulePlaces, constraints };
}

/** There is no such file. */
const NO_FILE: PolicyFileContents = {
  problems: [],
  content: { version: 1 },
  rulePlaces: [],
  constraints: { rules: [], warnableRules: [], platform: {}, requiredTags: [], isOverrideMandatory: false },
};

/** Applies without `expect` in any file: a change of provisioning code waits two hours for one execution. */
export const DEFAULT_EXPECTATION: Expectation = {
  paths: ["**/*.{tf,tofu,tfvars,hcl}", "**/*.{tf,tofu,tfvars,hcl}.json", "**/*.{tftpl,tfbackend,tfstate}"],
  workspaces: [],
  withinMs: 2 * HOUR_MS,
};
