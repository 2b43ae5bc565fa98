import { TYPES, VARIABLES } from "../when/environment.ts";
import type { FactName } from "../when/facts.ts";
import { NEEDS } from "../when/needs.ts";

const ABOUT: { readonly [name in keyof typeof VARIABLES]: string } = {
  pull: "the pull request itself; `author` in lower case, of an app with `[bot]`; `base` is the branch to merge into",
  cost: "what it costs in all, where there is one currency",
  costs: "what it costs in all, for each currency",
  stages: "each stage: what it costs and how many resources change",
  modules: "each module, over all stages",
  resources: "each resource whose cost changes; `action` is what happens to it, or empty",
  changes: "how many resources change, and `rows`: each of them",
  unpriced: "resources without a price",
  usage:
    "resources whose price depends on usage that is not given: `count` after merging, `introduced` of them new or changed; `resources`, with `change`: `added`, `changed`, `deleted`, `given` (only now), `unchanged` or `unstated`",
  savings: "savings that are missed on resources that the pull request touches",
  anomalies: "open cost anomalies",
  governance: "newest evaluations of the governance engine",
  unit_costs:
    "what one unit of each granted metric costs; `perspective` is empty unless it was derived from one",
  governance_prompts: "rules that governance suggests for touched types of resources, one for each type",
  drift: "each stage with drift: `drift` is what of its change undoes or absorbs that, `own` the rest",
  lifetimes: "each stage that is destroyed again by itself: what it costs until then",
};

/** Every variable with its type. */
export function variableTable(): string {
  const rows = Object.entries(VARIABLES).map(
    ([name, type]) => `| \`${name}\` | \`${type}\` | ${ABOUT[name as keyof typeof VARIABLES]} |`, // its own keys
  );
  return ["| variable | type | |", "|---|---|---|", ...rows].join("\n");
}

/** Every type with its members. */
export function typeTable(): string {
  const rows = Object.entries(TYPES).map(([name, members]) => {
    const told = Object.entries(members).map(([member, type]) => `\`${member}\` ${type}`);
    return `| \`${name}\` | ${told.join(", ")} |`;
  });
  return ["| type | members |", "|---|---|", ...rows].join("\n");
}

const UNKNOWN_WHEN: { readonly [fact in FactName]: string } = {
  stages:
    "an execution may not be shown, its stages could not be read, nothing proves that it belongs to the commit, or it is not known how it ended",
  cost: "the cost of a stage is not known, is partly estimated, or contradicts itself, or a resource that is new, changed or deleted costs by usage that is not given",
  totals: "the scope names parts of a stage, and what is paid for them in all is not listed",
  currency: "there are several currencies",
  modules: "the modules of a stage are not known, or leave some of its change open",
  resources: "the listed resources leave some of a stage's change open",
  counts: "the numbers of changes of a stage are not known",
  unchanged: "the scope names parts of a stage",
  rows: "a change of a stage is not listed",
  unpriced: "it is not known what a stage leaves unpriced",
  usage: "it is not known which resources of a stage are paid by use",
  usage_resources: "some of the resources that are paid by use, and may be new, are counted and not named",
  paths: "GitHub does not list all changed files",
  author: "the author's account is gone",
  labels: "the labels are not known",
  savings: "the platform could not say it of a touched resource",
  anomalies: "they could not be read",
  governance: "they could not be read",
  unit_costs: "a metric has no value before or after",
  governance_prompts: "they could not be read, or it is not known what is touched",
  drift: "the numbers of changes of a stage are not known, or not what its drifted resources cost",
  lifetimes: "the schedules of a project could not be read, or leave open how long a stage lives",
};

/** What makes a rule undecided, by what its condition reads. */
export function needTable(): string {
  const rows = NEEDS.map(({ fact, variables, members }) => {
    const names = variables.map((name) => `\`${name}\``).join(", ");
    const read = members === null ? "" : `, with ${members.map((member) => `\`${member}\``).join(", ")}`;
    return `| ${names}${read} | ${UNKNOWN_WHEN[fact]} |`;
  });
  return ["| a condition that reads | is undecided where |", "|---|---|", ...rows].join("\n");
}
