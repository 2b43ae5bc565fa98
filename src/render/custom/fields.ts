/** What a partial may show: a value, a thing with fields of its own, or a list of such things or of values. */
export type Field =
  | {
      readonly kind: "value";
      readonly about: string;
      /** Made for a table cell, where a pipe is escaped. */
      readonly cell: boolean;
    }
  | { readonly kind: "thing"; readonly about: string; readonly of: Fields }
  | { readonly kind: "list"; readonly about: string; readonly of: Fields | "values" };

export type Fields = Readonly<Record<string, Field>>;

export const value = (about: string): Field => ({ kind: "value", about, cell: false });
export const cell = (about: string): Field => ({ kind: "value", about, cell: true });
export const thing = (about: string, of: Fields): Field => ({ kind: "thing", about, of });
export const list = (about: string, of: Fields | "values"): Field => ({ kind: "list", about, of });

const PLACE = "The stage, where there is more than one.";
const REASON = "Why, as a word such as `not_estimated`.";
const AGE = "How old this is, where it could not be read again.";

const ROW: Fields = {
  change: value("`deleted`, `replaced`, `removed`, `imported`, `drifted`, `added`, `changed` or `moved`."),
  resource: value("Its address."),
  from: value("The address before, of one that is moved."),
  stage: value(PLACE),
  attributes: list("Attributes that change, at most 4.", {
    attribute: cell("The name."),
    before: value("Whether the value before is told."),
    after: value("Whether the value afterwards is."),
  }),
  moreAttributes: value("How many more change."),
};

const COUNTS: Fields = {
  broken: value("How many rules are violated and block."),
  undecided: value("How many could not be evaluated and block."),
  warnings: value("How many are violated and warn."),
  notEvaluated: value("How many could not be evaluated and only warn."),
};

export const NEXT_STEP: Fields = {
  kind: value(
    "Where the pull request stands: `pass`, `warn`, `block`, `undecided`, `draft`, `waiting`, `deadline_passed`, `policy_invalid`, `policy_unreadable`, `cost_unreadable`, `execution_unreadable`, `failed`, `nothing_expected` or `no_policy`.",
  ),
  base: value("The base branch."),
  policyFile: value("The repository's policy file, if there is one."),
  organisationFile: value("The organisation's policy file, if there is one."),
  rules: value("How many rules were evaluated."),
  notApplicable: value("How many rules have a scope that nothing here matches."),
  ...COUNTS,
  mandatory: value("How much of what blocks is the organisation's: `none`, `some` or `all`."),
  covered: value("How many violated rules are excepted or approved."),
  approvable: value("Whether approvals alone open the gate."),
  command: value("The command that approves, as a code block of its own, where it takes one."),
  commands: list("Where it takes several, each in a comment of its own.", { command: value("One command.") }),
  some: list("Rules that can be approved, where others block that cannot.", { rule: value("Its name.") }),
  closed: value("Why rules that name approvers cannot be approved now, as a word such as `undecided`."),
  remedies: thing("Who can make unknown figures known.", {
    author: value("The pipeline has to make an estimate."),
    plan: value("A plan is missing."),
    operator: value("Whoever runs Tollgate."),
    later: value("They may still arrive."),
    pull: value("A local preview does not have them."),
    usage: value("What some resources cost depends on usage that is not given."),
    figures: value("The figures contradict each other."),
    currency: value("A rule and the estimate are in two currencies."),
  }),
  which: value("Whose policy file cannot be read: `repository` or `organisation`."),
  cause: value("Why it cannot be read, or why Tollgate failed, as a word."),
  deadline: value("Until when is waited."),
  missing: value("How many runs are waited for."),
  judged: value("Whether a draft was judged as it is."),
  reading: value("Whether nothing is missing and figures are being read."),
  recheck: value("Whether the check has a Re-check button."),
  local: value("Whether these are local files, without a pull request."),
  still: value("Whether the cost is known and does not change."),
};

export const SINCE_LAST: Fields = {
  head: value("The commit before."),
  changes: list("How the cost moved, one for each currency; empty where it did not.", {
    change: value("The amount per month."),
  }),
};

export const CHANGES: Fields = {
  known: value("Whether it is known which resources change."),
  because: list("Why it is not.", { reason: value(REASON) }),
  counts: list("How many change in which way.", {
    kind: value("`added`, `changed`, `deleted`, `imported`, `removed` or `drifted`."),
    text: value("How many."),
  }),
  replaced: value("How many of the deleted are created again."),
  replacedUnknown: value("Whether that is not known."),
  incomplete: value("Whether there may be more."),
  drift: list("What part of the cost comes of changes made outside.", {
    stage: value(PLACE),
    drift: value("That part."),
    own: value("The pull request's own part."),
  }),
  open: list("Resources that are destroyed, at most 10.", ROW),
  folded: list("Further resources by name.", ROW),
  foldedCount: value("How many these are."),
  moved: value("How many are moved to another address."),
  stages: list("The further resources, by stage.", {
    stage: value(PLACE),
    kinds: list("How many of each kind.", { action: value("As `change` above."), text: value("How many.") }),
    rows: list("These resources.", ROW),
  }),
  more: value("How many are not listed at all."),
  unnamed: list("Of how many it is not known which attributes change.", {
    count: value("How many."),
    reason: value(REASON),
  }),
};

const SAVING: Fields = {
  amount: value("What it saves per month."),
  resource: cell("Its address."),
  stage: cell(PLACE),
};

export const SAVINGS: Fields = {
  groups: list("What could be saved, one for each currency.", {
    total: value("In all, per month."),
    lines: list("The largest ones.", SAVING),
    others: thing("What is not listed.", { count: value("How many."), amount: value("What they save.") }),
  }),
  rounded: value(
    "Whether the lines, as they are rounded, do not add up to the total. A note below then says so.",
  ),
  done: list("What merging saves of what was recommended, one amount for each currency.", "values"),
  unmatched: value("Of how many resources it is not known."),
  age: value(AGE),
};

export const CONTEXT: Fields = {
  anomalies: thing("Open cost anomalies.", {
    count: value("How many."),
    impact: value("How much more than expected."),
    items: list("The first three.", {
      resource: value("What it is about."),
      perspective: value("Where it was found."),
      spend: value("What was spent."),
    }),
    age: value(AGE),
  }),
  governance: thing("Evaluations of the governance engine.", {
    day: value("Of which day."),
    failed: value("How many failed."),
    total: value("Of how many."),
    age: value(AGE),
  }),
  prompts: thing("Rules that the governance engine suggests.", {
    count: value("How many."),
    items: list("The first three.", {
      description: value("What it says."),
      types: list("For which types of resources.", { type: value("One type.") }),
    }),
    more: value("How many are not listed."),
    age: value(AGE),
  }),
  units: list("What one unit costs.", {
    unit: value("Its name."),
    perspective: value("Whose bill it comes of; empty for the cost of one unit."),
    before: value("Now."),
    after: value("After merging."),
    percent: value("The difference."),
    asOf: value("The day that `before` is of."),
    age: value(AGE),
  }),
  lifetimes: list("Stages that are destroyed again by themselves.", {
    stage: value(PLACE),
    lives: value("After how long."),
    amount: value("What one lifetime costs."),
    age: value(AGE),
  }),
  schedules: list("Schedules of projects.", {
    project: value("Its name."),
    drift: value("How often drift is looked for."),
    onDate: value("The day on which it is destroyed."),
    age: value(AGE),
  }),
  unknown: list("What could not be read.", {
    name: value("`savings`, `anomalies`, `governance`, `prompts`, `unitCosts` or `schedules`."),
    reason: value(REASON),
  }),
};

export const NOTE: Fields = {
  kind: value("Where the pull request stands, as in `next-step`."),
  repository: value("`owner/name`."),
  pull: value("The pull request's number."),
  base: value("The base branch."),
  stages: list("Its stages.", { stage: value("One name.") }),
  ...COUNTS,
};
