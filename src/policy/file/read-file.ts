import { findOverrideFlaws } from "./checks/override-checks.ts";
import { findRuleFlaws, type OrganisationConstraints } from "./checks/rule-checks.ts";
import { findWaiverFlaws } from "./checks/waiver-checks.ts";
import { listRuleSources, type RuleSource } from "./rules/rule-source.ts";
import { PolicyFile } from "./schema/schema.ts";
import { readMember } from "./text/member.ts";
import { findSchemaProblems } from "./text/schema-problems.ts";
import { type FileProblem, formatPath } from "./text/text-position.ts";
import { findTextProblem } from "./text/text-problem.ts";
import { readYaml, type YamlTree } from "./text/yaml-tree.ts";

/** One policy file with its valid parts. */
export interface PolicyFileContents {
  readonly flaws: readonly FileProblem[];
  /** Null: the file is invalid. */
  readonly content: PolicyFile | null;
  /** The first line of each rule and budget, by id. */
  readonly lines: ReadonlyMap<string, number>;
  /** Its constraints on repository files; of an invalid file, the valid ones. */
  readonly constraints: OrganisationConstraints;
}

/** Reads one file; `organisation` is null when it is the organisation's own. */
export function readPolicyFile(
  text: string,
  organisation: OrganisationConstraints | null,
): PolicyFileContents {
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
export const NO_FILE: PolicyFileContents = createBrokenContents([]);

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
