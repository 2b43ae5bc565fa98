import type { FactName } from "../model/fact-names.ts";
import { TYPES, VARIABLES, WORDS } from "../when/environment.ts";
import { NEEDS } from "../when/needs.ts";

const VARIABLE_DESCRIPTIONS: { readonly [name in keyof typeof VARIABLES]: string } = {
  pull: "the pull request itself; `author` in lower case, of an app with `[bot]`; `base` is the branch to merge into",
  cost: "the total cost, where there is one currency",
  costs: "the total cost in each currency",
  stages: "each stage: its cost and numbers of changed resources",
  modules: "each module, over all stages",
  resources: "each resource whose cost changes; `action` is what happens to it, or empty",
  changes: "how many resources change, and `rows`: each of them",
  invocations:
    "each action that a plan invokes, at an `event` of a `resource` (`AfterCreate`), or on request: both are empty then",
  unpriced: "unpriced resources",
  usage:
    "resources whose price depends on usage that is not given: `count` after merging, `introduced` of them new or changed; `resources`, whose `action` may be `given`: its usage is stated only now",
  savings: "missed savings on resources that the pull request touches",
  anomalies: "open cost anomalies",
  governance: "newest evaluations of the governance engine",
  unit_costs:
    "the cost of one unit of each granted metric; `perspective` is empty unless it was derived from one",
  governance_prompts: "rules that governance suggests for touched types of resources, one for each type",
  drift:
    "each stage with drift: `drift` is the part of its change that undoes or absorbs the drift, `own` the rest",
  lifetimes: "each stage that is destroyed automatically: its cost until then",
};

/** Returns a Markdown table of every variable with its type. */
export function renderVariableTable(): string {
  const rows = Object.entries(VARIABLES).map(
    ([name, type]) =>
      `| \`${name}\` | \`${type}\` | ${VARIABLE_DESCRIPTIONS[name as keyof typeof VARIABLES]} |`, // its own keys
  );
  return ["| variable | type | |", "|---|---|---|", ...rows].join("\n");
}

/** Returns a Markdown table of every type with its members. */
export function renderTypeTable(): string {
  const rows = Object.entries(TYPES).map(([name, members]) => {
    const memberTexts = Object.entries(members).map(([member, type]) => `\`${member}\` ${type}`);
    return `| \`${name}\` | ${memberTexts.join(", ")} |`;
  });
  return ["| type | members |", "|---|---|", ...rows].join("\n");
}

/** Returns a Markdown table of the members whose values are words; any other word is refused. */
export function renderWordTable(): string {
  const rows = Object.entries(WORDS).map(([member, words]) => {
    const texts = words.map((word) => (word === "" ? "empty (nothing is planned)" : `\`${word}\``));
    return `| \`${member}\` | ${texts.join(", ")} |`;
  });
  return ["| member | its values |", "|---|---|", ...rows].join("\n");
}

const UNKNOWN_WHEN: { readonly [fact in FactName]: string } = {
  stages:
    "an execution may not be shown, its stages could not be read, it is not proven to belong to the commit, or its result is unknown",
  cost: "the cost of a stage is unknown, partly estimated or contradictory, or a new, changed or deleted resource is usage-based",
  totals: "the scope names parts of a stage, whose total cost is not listed",
  currency: "there are several currencies",
  modules: "the modules of a stage are unknown, or do not add up to its change",
  resources: "the listed resources do not add up to the change of a stage",
  counts: "the numbers of changes of a stage are unknown",
  unchanged: "the scope names parts of a stage",
  rows: "a change of a stage is not listed",
  invocations: "the source of a stage does not state them, or they are too many to list",
  unpriced: "the unpriced resources of a stage are unknown",
  usage: "the usage-based resources of a stage are unknown",
  usage_resources: "some usage-based resources that may be new are counted and not named",
  paths: "GitHub does not list all changed files",
  author: "the author's account is deleted",
  labels: "the labels are unknown",
  savings: "the platform could not state them for a touched resource",
  anomalies: "they could not be read",
  governance: "they could not be read",
  unit_costs: "a metric has no value before or after",
  governance_prompts: "they could not be read, or the touched resources are unknown",
  drift: "the numbers of changes of a stage, or the cost of its drifted resources, are unknown",
  lifetimes: "the schedules of a project could not be read, or do not determine the lifetime of a stage",
};

/** Returns a Markdown table of the facts that a condition requires, by the members that it reads. */
export function renderNeedTable(): string {
  const rows = NEEDS.map(({ fact, variables, members }) => {
    const names = variables.map((name) => `\`${name}\``).join(", ");
    const read = members === null ? "" : `, with ${members.map((member) => `\`${member}\``).join(", ")}`;
    return `| ${names}${read} | ${UNKNOWN_WHEN[fact]} |`;
  });
  return ["| a condition that reads | is undecided where |", "|---|---|", ...rows].join("\n");
}
