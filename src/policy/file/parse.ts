import { HOUR_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { Expectation, Policy, PolicyProblem, Rule, RulePlace, Waiver } from "../model/policy.ts";
import {
  findPolicyFlaws,
  listWrittenRules,
  type OrganisationConstraints,
  readConstraints,
} from "./checks.ts";
import { type BudgetEntry, PolicyFile, type RuleEntry } from "./schema.ts";
import { readFile } from "./schema-problems.ts";
import { byPlace, type FileProblem } from "./yaml-tree.ts";

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
  const above = organisation === null ? NO_FILE : readPolicyFile(organisation.text, null);
  const below = repository === null ? NO_FILE : readPolicyFile(repository.text, above.constraints);
  const problems = [...toProblems(organisation, above), ...toProblems(repository, below)];
  if (problems.length > 0) return { state: "invalid", problems };
  const policy = combineFiles(above.content ?? EMPTY_FILE, below.content ?? EMPTY_FILE);
  const places = [...toRulePlaces(organisation, above), ...toRulePlaces(repository, below)];
  // Of two rules with one id the repository's is in force.
  return {
    state: "ok",
    policy,
    rulePlaces: [...new Map(places.map((place) => [place.rule, place])).values()],
  };
}

const EMPTY_FILE: PolicyFile = { version: 1 };

function toProblems(text: PolicyText | null, { flaws }: PolicyFileContents): readonly PolicyProblem[] {
  return flaws.toSorted(byPlace).map((flaw) => ({ file: text?.file ?? "", ...flaw }));
}

const toRulePlaces = (text: PolicyText | null, { lines }: PolicyFileContents): readonly RulePlace[] =>
  text === null ? [] : [...lines].map(([rule, line]) => ({ rule, file: text.file, line }));

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
  const { id, per = "pull-request", scope = null, approve = null, message = null, mandatory = false } = entry;
  const byStage = typeof entry.enforce === "object" ? entry.enforce : {};
  const enforce = typeof entry.enforce === "string" ? entry.enforce : "block";
  const limit = entry.limit ?? when;
  if (limit === undefined) throw new TollgateError("internal", "a rule without a limit passed the checks");
  return {
    id,
    limit: "count" in limit && existing !== undefined ? { ...limit, existing } : limit,
    per,
    scope,
    enforce,
    enforceIn: Object.entries(byStage).map(([stage, own]) => ({ stage, enforce: own })),
    onUnknown: entry.on_unknown ?? enforce,
    approve,
    message,
    mandatory,
  };
}

/** A budget is a rule about the total cost of a scope. */
const toBudgetRule = ({ amount, enforce = "block", ...entry }: BudgetEntry): Rule => ({
  id: entry.id,
  limit: { kind: "budget", amount },
  per: "pull-request",
  scope: entry.scope ?? null,
  enforce,
  enforceIn: [],
  onUnknown: enforce,
  approve: entry.approve ?? null,
  message: null,
  mandatory: entry.mandatory ?? false,
});

/** One policy file with its valid parts. */
interface PolicyFileContents {
  readonly flaws: readonly FileProblem[];
  /** Null: the file is invalid. */
  readonly content: PolicyFile | null;
  /** The first line of each rule and budget, by id. */
  readonly lines: ReadonlyMap<string, number>;
  /** Its constraints on repository files; of an invalid file, the valid ones. */
  readonly constraints: OrganisationConstraints;
}

/** Reads one file; `organisation` is null when it is the organisation's own. */
function readPolicyFile(text: string, organisation: OrganisationConstraints | null): PolicyFileContents {
  const { tree, value, flaws: ownFlaws } = readFile(text, PolicyFile);
  if (tree === null) return { ...NO_FILE, flaws: ownFlaws };
  const rules = listWrittenRules(tree);
  const constraints = readConstraints(tree, rules);
  const flaws = [...ownFlaws, ...findPolicyFlaws(tree, { rules, constraints, organisation })];
  const lines = rules.flatMap(({ id, path }) =>
    id === undefined ? [] : [[id, tree.findPosition(path).line] as const],
  );
  return { flaws, content: flaws.length === 0 ? (value ?? null) : null, lines: new Map(lines), constraints };
}

/** There is no such file. */
const NO_FILE: PolicyFileContents = {
  flaws: [],
  content: null,
  lines: new Map(),
  constraints: {
    mandatory: new Set(),
    warnableRules: new Set(),
    platform: { org: null, project: null },
    rules: [],
    isOverrideMandatory: false,
  },
};

/** Applies without `expect` in any file: a change of provisioning code waits two hours for one execution. */
export const DEFAULT_EXPECTATION: Expectation = {
  paths: ["**/*.{tf,tofu,tfvars,hcl}", "**/*.{tf,tofu,tfvars,hcl}.json", "**/*.{tftpl,tfbackend,tfstate}"],
  workspaces: [],
  withinMs: 2 * HOUR_MS,
};
