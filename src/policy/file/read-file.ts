import { type Organisation, ruleFlaws } from "./checks/rule-checks.ts";
import { waiverFlaws } from "./checks/waiver-checks.ts";
import { type RuleSource, rulesOf } from "./rules/rule-source.ts";
import { PolicyFile } from "./schema/schema.ts";
import { memberOf } from "./text/member.ts";
import { type Flaw, pathText } from "./text/place.ts";
import { schemaFlaws } from "./text/problems.ts";
import { textProblem } from "./text/source-text.ts";
import { readYaml, type YamlTree } from "./text/yaml-tree.ts";

/** One file as far as it could be read. */
export interface ReadFile {
  readonly flaws: readonly Flaw[];
  /** Null when something is wrong with it. */
  readonly content: PolicyFile | null;
  /** The first line of each rule and budget, by id. */
  readonly lines: ReadonlyMap<string, number>;
  /** What it says to files below it; as much as is right of it where something is wrong. */
  readonly says: Organisation;
}

/** Reads one file; `organisation` is null when it is the organisation's own. */
export function readPolicyFile(text: string, organisation: Organisation | null): ReadFile {
  const unreadable = textProblem(text);
  if (unreadable !== null) return broken([{ line: 1, column: 1, path: "", message: unreadable }]);
  const tree = readYaml(text);
  if (tree.value === undefined) return broken(tree.flaws);
  const rules = rulesOf(tree);
  const says = sayings(tree, rules);
  const { mayWarn } = organisation ?? says;
  const flaws = [
    ...tree.flaws,
    ...schemaFlaws(tree, PolicyFile),
    ...ruleFlaws(tree, { rules, mayWarn, organisation }),
    ...waiverFlaws(tree, { rules, organisation }),
    ...(organisation === null ? [] : repositoryFlaws(tree, organisation)),
  ];
  const parsed = PolicyFile.safeParse(tree.value);
  const content = flaws.length === 0 && parsed.success ? parsed.data : null;
  return { flaws, content, lines: linesOf(tree, rules), says };
}

const SILENT: Organisation = {
  mandatory: new Set(),
  mayWarn: new Set(),
  platform: { org: null, project: null },
  rules: [],
};

const broken = (flaws: readonly Flaw[]): ReadFile => ({
  flaws,
  content: null,
  lines: new Map(),
  says: SILENT,
});

/** There is no such file. */
export const NO_FILE: ReadFile = broken([]);

const linesOf = (tree: YamlTree, rules: readonly RuleSource[]): ReadonlyMap<string, number> =>
  new Map(
    rules.flatMap(({ id, list, index }) =>
      id === undefined ? [] : [[id, tree.placeOf([list, index]).line] as const],
    ),
  );

function sayings(tree: YamlTree, rules: readonly RuleSource[]): Organisation {
  const { allow_warn_on_unknown, platform } = PolicyFile.shape;
  const narrowed = platform.safeParse(memberOf(tree.value, "platform")).data;
  return {
    mandatory: new Set(
      rules.flatMap(({ id, mandatory }) => (mandatory === true && id !== undefined ? [id] : [])),
    ),
    mayWarn: new Set(allow_warn_on_unknown.safeParse(memberOf(tree.value, ALLOW)).data ?? []),
    platform: { org: narrowed?.org ?? null, project: narrowed?.project ?? null },
    rules,
  };
}

const ALLOW = "allow_warn_on_unknown";

function repositoryFlaws(tree: YamlTree, organisation: Organisation): readonly Flaw[] {
  const misplaced = memberOf(tree.value, ALLOW) === undefined ? [] : [misplacedList(tree)];
  return [...misplaced, ...(["org", "project"] as const).flatMap((key) => widened(tree, organisation, key))];
}

const misplacedList = (tree: YamlTree): Flaw => ({
  ...tree.keyPlaceOf([], ALLOW),
  path: ALLOW,
  message: "is for the organisation's file only; remove it",
});

function widened(tree: YamlTree, { platform }: Organisation, key: "org" | "project"): readonly Flaw[] {
  const path = ["platform", key];
  const own = memberOf(memberOf(tree.value, "platform"), key);
  const above = platform[key];
  if (typeof own !== "string" || above === null || own === above) return [];
  const message = `found ${JSON.stringify(own)}, but the organisation's file narrows it to ${JSON.stringify(above)}`;
  return [{ ...tree.placeOf(path), path: pathText(path), message }];
}
