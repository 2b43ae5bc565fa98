import { HOUR_MS } from "../../kernel/clock.ts";
import type {
  Expectation,
  NotifyChoice,
  Policy,
  PolicyProblem,
  Rule,
  RulePlace,
  Waiver,
} from "../model/policy.ts";
import { findOverrideFlaws, findRuleFlaws, findWaiverFlaws, type OrganisationConstraints } from "./checks.ts";
import { PolicyFile } from "./schema.ts";
import { findSchemaProblems, findTextProblem, readMember } from "./schema-problems.ts";
import { byPlace, type FileProblem, formatPath } from "./text-position.ts";
import { listRuleSources, type RuleSource, toBudgetRule, toOverride, toRule, toWaiver } from "./to-rule.ts";
import { readYaml, type YamlTree } from "./yaml-tree.ts";

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
  return {
    rules: combineRules(above, below),
    expect: combineExpectations(above, below),
    stages: [...(below.stages ?? []), ...(above.stages ?? [])].map(({ match, name }) => ({ ...match, name })),
    organisationStages: (above.stages ?? []).map(({ match, name }) => ({ ...match, name })),
    checkNames: [...(above.check_names ?? []), ...(below.check_names ?? [])],
    platform: toPlatform({ ...below.platform, ...above.platform }),
    comment: toCommentPolicy({ ...above.comment, ...below.comment }),
    waivers: [...selectWaivers(combineRules(above, below), above), ...(below.waivers ?? []).map(toWaiver)],
    override: toOverride(below.override ?? above.override),
    requestReviewers: below.request_reviewers ?? above.request_reviewers ?? false,
    ...toNotify(above),
  };
}

const toNotify = ({ notify }: PolicyFile): Pick<Policy, "notify"> =>
  notify === undefined ? {} : { notify: notify.map(toNotifyChoice) };

const toNotifyChoice = ({
  target,
  on,
  above,
  off_by,
}: NonNullable<PolicyFile["notify"]>[number]): NotifyChoice => ({
  target,
  on,
  above: above ?? null,
  offBy: off_by ?? null,
});

const toPlatform = ({ org, project }: NonNullable<PolicyFile["platform"]>): Policy["platform"] => ({
  org: org ?? null,
  project: project ?? null,
});

const toCommentPolicy = (comment: NonNullable<PolicyFile["comment"]>): Policy["comment"] => ({
  mode: comment.mode ?? "update",
  onNoChange: comment.on_no_change ?? "comment",
  smallChange:
    comment.min_change === undefined && comment.min_percent === undefined
      ? null
      : { amount: comment.min_change ?? null, percent: comment.min_percent ?? null },
  sections: comment.sections ?? null,
});

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
  return (above.waivers ?? []).map(toWaiver).filter(({ rule }) => kinds.get(rule) === own.get(rule));
}

/**
 * Expectations of both files apply. A repository that expects nothing would bypass mandatory rules that never see an
 * execution, so the default applies beside mandatory rules, unless the organisation states its own expectations.
 */
function combineExpectations(above: PolicyFile, below: PolicyFile): readonly Expectation[] {
  const isBound = above.expect === undefined && toRules(above).some(({ mandatory }) => mandatory);
  const isSilent = above.expect === undefined && below.expect === undefined;
  const expectations = [...(above.expect ?? []), ...(below.expect ?? [])].map(
    ({ paths, workspaces, within }) => ({
      paths,
      workspaces: workspaces ?? [],
      withinMs: within ?? DEFAULT_EXPECTATION.withinMs,
    }),
  );
  return isBound || isSilent ? [...expectations, DEFAULT_EXPECTATION] : expectations;
}

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
  const unreadable = findTextProblem(text);
  if (unreadable !== null)
    return createBrokenContents([{ line: 1, column: 1, path: "", message: unreadable }]);
  const tree = readYaml(text);
  if (tree.value === undefined) return createBrokenContents(tree.flaws);
  const rules = listRuleSources(tree);
  const says = readConstraints(tree, rules);
  const { warnableRules: mayWarn } = organisation ?? says;
  const flaws = [
    ...tree.flaws,
    ...findSchemaProblems(tree, PolicyFile),
    ...findRuleFlaws(tree, { rules, warnableRules: mayWarn, organisation }),
    ...findWaiverFlaws(tree, { rules, organisation }),
    ...(organisation === null ? [] : findRepositoryFlaws(tree, organisation)),
  ];
  const parsed = PolicyFile.safeParse(tree.value);
  const content = flaws.length === 0 && parsed.success ? parsed.data : null;
  return { flaws, content, lines: indexLines(tree, rules), constraints: says };
}

const NO_CONSTRAINTS: OrganisationConstraints = {
  mandatory: new Set(),
  warnableRules: new Set(),
  platform: { org: null, project: null },
  rules: [],
  isOverrideMandatory: false,
};

const createBrokenContents = (flaws: readonly FileProblem[]): PolicyFileContents => ({
  flaws,
  content: null,
  lines: new Map(),
  constraints: NO_CONSTRAINTS,
});

/** There is no such file. */
const NO_FILE: PolicyFileContents = createBrokenContents([]);

const indexLines = (tree: YamlTree, rules: readonly RuleSource[]): ReadonlyMap<string, number> =>
  new Map(
    rules.flatMap(({ id, list, index }) =>
      id === undefined ? [] : [[id, tree.findPosition([list, index]).line] as const],
    ),
  );

function readConstraints(tree: YamlTree, rules: readonly RuleSource[]): OrganisationConstraints {
  const { allow_warn_on_unknown, platform } = PolicyFile.shape;
  const narrowed = platform.safeParse(readMember(tree.value, "platform")).data;
  return {
    mandatory: new Set(
      rules.flatMap(({ id, mandatory }) => (mandatory === true && id !== undefined ? [id] : [])),
    ),
    warnableRules: new Set(
      allow_warn_on_unknown.safeParse(readMember(tree.value, ALLOW_WARN_KEY)).data ?? [],
    ),
    platform: { org: narrowed?.org ?? null, project: narrowed?.project ?? null },
    rules,
    isOverrideMandatory: readMember(readMember(tree.value, "override"), "mandatory") === true,
  };
}

const ALLOW_WARN_KEY = "allow_warn_on_unknown";
/** Keys of the organisation's file alone. */
const ORGANISATION_KEYS = [ALLOW_WARN_KEY, "notify"] as const;

function findRepositoryFlaws(tree: YamlTree, organisation: OrganisationConstraints): readonly FileProblem[] {
  const misplaced = ORGANISATION_KEYS.filter((key) => readMember(tree.value, key) !== undefined);
  return [
    ...misplaced.map((key) => createMisplacedFlaw(tree, key)),
    ...findOverrideFlaws(tree, organisation),
    ...(["org", "project"] as const).flatMap((key) => findWidenedPlatform(tree, organisation, key)),
  ];
}

const createMisplacedFlaw = (tree: YamlTree, key: string): FileProblem => ({
  ...tree.findKeyPosition([], key),
  path: key,
  message: "is for the organisation's file only; remove it",
});

function findWidenedPlatform(
  tree: YamlTree,
  { platform }: OrganisationConstraints,
  key: "org" | "project",
): readonly FileProblem[] {
  const path = ["platform", key];
  const own = readMember(readMember(tree.value, "platform"), key);
  const above = platform[key];
  if (typeof own !== "string" || above === null || own === above) return [];
  const message = `found ${JSON.stringify(own)}, but the organisation's file narrows it to ${JSON.stringify(above)}`;
  return [{ ...tree.findPosition(path), path: formatPath(path), message }];
}

/** Applies without `expect` in any file: a change of provisioning code waits two hours for one execution. */
export const DEFAULT_EXPECTATION: Expectation = {
  paths: ["**/*.{tf,tofu,tfvars,hcl}", "**/*.{tf,tofu,tfvars,hcl}.json", "**/*.{tftpl,tfbackend,tfstate}"],
  workspaces: [],
  withinMs: 2 * HOUR_MS,
};
