import { isGlobMatch } from "../../kernel/glob.ts";
import { toIsoDay } from "../../kernel/instant.ts";
import { toOneLine } from "../../kernel/terminal-text.ts";
import type { UnsharedName } from "../../policy/model/evaluation.ts";
import {
  decideEffect,
  type Finding,
  type MeasuredValue,
  type PullMember,
  type TagProblem,
  type UndecidedReason,
  type Verdict,
} from "../../policy/model/finding.ts";
import type { Limit, Rule, Scope, ScopeNames } from "../../policy/model/policy.ts";
import type { Situation } from "../../policy/model/situation.ts";
import { describeMismatch } from "../../policy/scope/mismatch.ts";
import { isPartialScope, narrowToScope } from "../../policy/scope/scope.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import { listDeferred, type Report } from "../../report/model/report.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { withPolicyThread } from "../../wiring/evaluation/policy-tasks.ts";
import { type ExplainableEvaluation, readStoredEvaluation } from "../../wiring/local-store.ts";
import { type ExitCode, type MakeCommand, type OptionsOf, type Output, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { createLocalCommand, evaluateLocalPull, LOCAL_PULL_DETAILS } from "../local-pull.ts";

/** `tollgate policy explain`: which rule decided, and by which value. */
export const policyExplainCommand =
  (withPolicies = withPolicyThread): MakeCommand =>
  (output) => {
    const command = createCommand();
    return command.action(async (options) => {
      const isPull = options.repository !== undefined || options.number !== undefined;
      const local = command.options.find(
        (option) =>
          !["repository", "number", "json"].includes(option.name()) &&
          command.getOptionValueSource(option.attributeName()) === "cli",
      );
      if (isPull && local !== undefined)
        throw usageError(
          `${local.long} is about local files and does not go with --repository and --number.`,
        );
      output.exit(
        await (isPull ? explainPull(options, output) : explainFiles(options, output, withPolicies)),
      );
    });
  };

const createCommand = () =>
  createLocalCommand()
    .option("--policy <FILE>", "the policy file to evaluate for local files")
    .option(
      "--repository <OWNER/NAME>",
      "a repository that Tollgate on this machine evaluates (or its numeric id)",
    )
    .option("--number <NUMBER>", "the pull request of that repository")
    .option("--json", "print the explanation as JSON")
    .addHelpText("after", DETAILS);

type ExplainOptions = OptionsOf<typeof createCommand>;

const DETAILS = paragraphs(
  "For local files: give --policy with --infracost, --plan or both. For a pull request: give --repository and --number; its newest " +
    "evaluation is read from the database of this machine, also while `tollgate start` runs.",
  LOCAL_PULL_DETAILS,
  "Exits 0 when it passes or warns, 1 when it is blocked, 2 when something cannot be read, 3 when it is undecided.",
);

async function explainPull({ repository, number, json }: ExplainOptions, output: Output): Promise<ExitCode> {
  if (repository === undefined) throw usageError("--repository OWNER/NAME is missing.");
  if (number === undefined) throw usageError("--number NUMBER is missing.");
  if (!/^[1-9]\d{0,8}$/.test(number))
    throw usageError(`--number takes a pull request's number, found ${JSON.stringify(number)}.`);
  const pull = { repository, number: Number(number) };
  const evaluation = await readStoredEvaluation(readSettings(readEnvironment()), pull);
  return print(evaluation, json === true, output);
}

async function explainFiles(
  options: ExplainOptions,
  output: Output,
  withPolicies: typeof withPolicyThread,
): Promise<ExitCode> {
  if (options.infracost === undefined && options.plan === undefined)
    throw usageError(
      "There is nothing to explain: give --infracost FILE, --plan FILE or both, or --repository and --number.",
    );
  if (options.policy === undefined) throw usageError("--policy FILE is missing.");
  const evaluated = await evaluateLocalPull(options, output, withPolicies);
  if (evaluated === null) return 2;
  const { policy, evaluation } = evaluated;
  const scopes = policy === null ? undefined : scopeLines(policy.rules, evaluation.report);
  const explained = { ...evaluation, deferred: listDeferred(evaluation.report) };
  return print(explained, options.json === true, output, scopes);
}

function print(
  evaluation: ExplainableEvaluation,
  isJson: boolean,
  output: Output,
  scopes?: ReturnType<typeof scopeLines>,
): ExitCode {
  if (isJson) output.result(JSON.stringify(asJson(evaluation), null, 2));
  else output.result(formatExplanation(evaluation, scopes).map(toOneLine).join("\n"));
  return getExitCode(evaluation);
}

function getExitCode({ situation }: Pick<ExplainableEvaluation, "situation">): ExitCode {
  if (situation.kind === "nothing_expected" || situation.kind === "no_policy") return 0;
  const verdict = verdictIn(situation);
  return verdict === null ? 3 : EXIT_CODES[verdict.kind];
}

const EXIT_CODES = { pass: 0, warn: 0, block: 1, undecided: 3 } as const;

/** Findings as they are, with what each makes of the verdict. */
function asJson({ pull, situation, check, checkName, rulePlaces = [] }: ExplainableEvaluation) {
  const verdict = verdictIn(situation);
  const findings = (verdict?.findings ?? []).map((finding) => ({
    ...finding,
    effect: decideEffect(finding),
    docs: rulePlaces.find(({ rule }) => rule === finding.rule)?.docs ?? null,
  }));
  return {
    repository: pull.repository,
    number: pull.number,
    headSha: pull.headSha,
    checkName,
    situation: situation.kind,
    conclusion: check.status === "completed" ? check.conclusion : null,
    verdict: verdict?.kind ?? null,
    decidedBy: [
      ...new Set(
        findings
          .filter(({ effect }) => effect !== "pass" && effect === verdict?.kind)
          .map(({ rule }) => rule),
      ),
    ],
    findings,
  };
}

/**
 * Describes which rule decided, and by which value: every rule of an evaluation, those that decided first. `scopes`: lines about scopes
 * and severities by stage, by rule, where the policy is available.
 */
export function formatExplanation(
  evaluation: Omit<ExplainableEvaluation, "pull">,
  scopes: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly string[] {
  const { situation, check, checkName, unshared, deferred, rulePlaces = [] } = evaluation;
  const verdict = verdictIn(situation);
  const outcome = check.status === "completed" ? check.conclusion : check.status.replace("_", " ");
  const heading = `${checkName}: ${check.status === "none" ? "no check" : outcome}, ${SITUATIONS[situation.kind]}`;
  const name =
    unshared === undefined ? [] : [`  not called "${unshared.name}": ${UNSHARED[unshared.because]}`];
  if (verdict === null) return [heading, ...name, ...details(situation)];
  const { kind, findings } = verdict;
  const deciding = kind === "pass" ? [] : findings.filter((finding) => decideEffect(finding) === kind);
  const others = findings.filter((finding) => !deciding.includes(finding));
  const lines = (finding: Finding) => {
    const docs = rulePlaces.flatMap((place) => (place.rule === finding.rule ? (place.docs ?? []) : []));
    const about = [...docs.map((address) => `why: ${address}`), ...(scopes.get(finding.rule) ?? [])];
    return formatFinding(finding, deferred, about);
  };
  return [
    `${heading}: ${kind}`,
    ...name,
    "",
    ...(deciding.length > 0 ? ["Decided by", ...deciding.flatMap(lines)] : []),
    ...(others.length > 0 ? [deciding.length > 0 ? "Other rules" : "Rules", ...others.flatMap(lines)] : []),
    ...(findings.length === 0 ? ["The policy has no rules."] : []),
  ];
}

/** The verdict, of a draft the one to come; null: there is none. */
const verdictIn = (situation: Situation): Verdict | null =>
  situation.kind === "evaluated" || situation.kind === "draft" ? situation.verdict : null;

const UNSHARED: { readonly [because in UnsharedName["because"]]: string } = {
  other_policy: "only the default branch's policy names checks",
  not_required: "GitHub does not require that name on this branch",
  creatable: "a pattern names it, and no ruleset restricts who creates such a branch",
  unreadable: "GitHub's rules for this branch could not be read",
};

const SITUATIONS: { readonly [kind in Situation["kind"]]: string } = {
  evaluated: "evaluated",
  draft: "a draft, decided when it is ready for review",
  waiting: "waiting for executions",
  deadline_passed: "an expected execution never ended",
  policy_invalid: "the policy is invalid",
  policy_unreadable: "the policy cannot be read",
  cost_unreadable: "a cost cannot be read",
  execution_unreadable: "an execution cannot be read",
  stack_held: "it waits for what is below it in its stack",
  failed: "Tollgate failed",
  nothing_expected: "nothing was expected and nothing ran",
  no_policy: "there is no policy",
};

function details(situation: Situation): readonly string[] {
  switch (situation.kind) {
    case "waiting":
    case "deadline_passed":
      return situation.missing.map(({ workspace, state }) => `  ${workspace ?? "any workspace"}: ${state}`);
    case "policy_invalid":
      return situation.problems.map(
        ({ file, line, column, message }) => `  ${file}:${line}:${column} ${message}`,
      );
    case "policy_unreadable":
      return [`  ${situation.which}: ${situation.reason}`];
    case "cost_unreadable":
      return situation.workspaces.map((workspace) => `  ${workspace}`);
    case "stack_held":
      return situation.below.map(({ number, state }) => `  #${number}: ${state.replace("_", " ")}`);
    case "execution_unreadable":
      return situation.executions.map(({ executionId, reason }) => `  ${executionId}: ${REASONS[reason]}`);
    default:
      return [];
  }
}

function formatFinding(
  finding: Finding,
  deferred: readonly string[],
  ruleLines: readonly string[],
): readonly string[] {
  const { rule, subject, because, items, message, waiver, others, mismatch } = finding;
  if (mismatch !== undefined) return [`  ${rule}: not applicable`, `    ${describeMismatch(mismatch)}`];
  const about =
    subject === null ? "" : ` (${finding.perTag === undefined ? "" : `${finding.perTag}: `}${subject})`;
  const named = items.length > 0 ? items : [...new Set(finding.tagProblems?.map(({ item }) => item))];
  return [
    `  ${rule}${about}: ${describeFinding(finding)}`,
    ...ruleLines.map((line) => `    ${line}`),
    `    allowed: ${allowedBy(finding.limit)}`,
    ...foundBy(finding),
    ...(finding.objections ?? []).map(
      ({ by }) => `    held: ${by === null ? "perhaps somebody" : `@${by.login}`} requested changes`,
    ),
    ...because.map((reason) => `    not known: ${becauseWords(reason, deferred)}`),
    ...(message === null ? [] : [`    says: ${message}`]),
    ...(waiver === null ? [] : [`    waived: ${waiver.owner} owns the waiver (${waiver.reason})`]),
    ...named.slice(0, MOST_ITEMS).map((item) => `    - ${item}${formatTagProblems(item, finding)}`),
    ...(named.length > MOST_ITEMS ? [`    - and ${named.length - MOST_ITEMS} more`] : []),
    ...(others === 0 ? [] : [`    and ${others} similar ones`]),
  ];
}

/** What is wrong with the tags of an item: `: team is missing, cost-center is "CC-12"`. */
function formatTagProblems(item: string, { tagProblems = [] }: Finding): string {
  const own = tagProblems.filter((problem) => problem.item === item);
  return own.length === 0 ? "" : `: ${own.map(formatTagProblem).join(", ")}`;
}

function formatTagProblem({
  key,
  found,
  nearest,
  otherKey,
  pattern,
  values,
  moreValues,
}: TagProblem): string {
  if (found === null)
    return `${key} is missing${otherKey === null ? "" : ` (it has ${otherKey}, another key)`}`;
  const is = `${key} is ${JSON.stringify(found)}`;
  if (nearest !== null) return `${is} (did you mean ${nearest}?)`;
  const more = moreValues === 0 ? [] : [`${moreValues} more`];
  const expected = pattern ?? [...values, ...more].join(", ");
  return expected === "" ? is : `${is} (expected ${expected})`;
}

/** The measured value, or why a rule passed without one. */
function foundBy({ measured, outcome, limit }: Finding): readonly string[] {
  if (measured !== null) return [`    found: ${measuredWords(measured, limit)}`];
  if (outcome !== "passed") return [];
  if (limit.kind === "when") return ["    found: the condition is false, or nothing matches it"];
  return [`    found: ${"percent" in limit ? "nothing to compare" : "nothing that the rule applies to"}`];
}

const MOST_ITEMS = 10;

const listFirst = (all: readonly string[]): string =>
  [...all.slice(0, MOST_ITEMS), ...(all.length > MOST_ITEMS ? [`${all.length - MOST_ITEMS} more`] : [])].join(
    ", ",
  );

function describeFinding(finding: Finding): string {
  const { outcome, approved, waiver, mandatory, alreadyAbove, enforceFromMs } = finding;
  const covered = waiver !== null ? ", waived" : approved ? ", approved" : "";
  const bound = mandatory ? ", mandatory" : "";
  const above = alreadyAbove === true ? ", already exceeded before this change" : "";
  const from = enforceFromMs === undefined ? "" : `, blocks from ${toIsoDay(enforceFromMs)} on`;
  return `${outcome}${covered}${above}, ${EFFECTS[decideEffect(finding)]}${from}${bound}`;
}

const EFFECTS = {
  pass: "lets it pass",
  warn: "warns",
  block: "blocks",
  undecided: "leaves it undecided",
} as const;

function allowedBy(limit: Limit): string {
  if (limit.kind === "when") return `unless ${limit.expression}`;
  if ("amount" in limit)
    return `${limit.kind} up to ${limit.amount.amount} ${limit.amount.currency}${limit.period ? ` for the ${limit.period}` : ""}`;
  if (limit.kind === "unit-cost") return `${limit.kind} of ${limit.metric} up to ${limit.percent}%`;
  if ("percent" in limit) return `${limit.kind} up to ${limit.percent}%`;
  return `${limit.kind} up to ${limit.count}${limit.existing === "include" ? ", existing ones included" : ""}`;
}

function measuredWords(measured: MeasuredValue, limit: Limit): string {
  switch (measured.kind) {
    case "money":
      return `${measured.amount} ${measured.currency}${"period" in limit ? "" : " per month"}`;
    case "percent":
      return `${measured.percent}%`;
    case "increase_from_zero":
      return "an increase from zero";
    case "count":
      return String(measured.count);
    case "condition":
      return measured.count === null
        ? "the condition is true"
        : `the condition is true for ${measured.count}`;
  }
}

const REASONS: { readonly [reason in UnknownReason]: string } = {
  not_estimated: "no estimate was made",
  partly_estimated: "the estimate is incomplete",
  not_indexed: "the platform has not indexed the execution",
  not_read: "it has not been read",
  not_listed: "the platform does not list this execution",
  not_granted: "this repository may not see it",
  not_stated: "its source leaves it open",
  not_compared: "the estimate is compared with nothing",
  no_plan: "no plan was given",
  incomplete_plan: "the plan leaves out a part",
  execution_failed: "the execution failed",
  execution_pending: "the execution has not ended yet",
  unproven: "nothing proves that the execution belongs to this commit",
  push_disabled: "the platform is configured not to collect it",
  past_retention: "the platform no longer stores it",
  unauthorised: "the platform does not accept Tollgate's token",
  forbidden: "the platform does not let Tollgate see it",
  rate_limited: "the platform limits the rate of requests",
  unavailable: "the platform could not be reached",
  malformed: "the platform's answer was malformed",
  contradictory: "the platform's totals contradict each other: a part of the upload may be missing",
  files_unlisted: "GitHub lists only the first 3,000 changed files of a pull request",
  too_large: "there is too much of it",
  timed_out: "the platform did not answer in time",
  local_preview: "its facts exist only for a pull request",
  no_history: "a CI job knows no other pull request",
  tags_unknown: "a tag of some resource is not known",
};

/** What the options of a preview do not say of its pull request. */
const UNSAID: { readonly [member in PullMember]: string } = {
  branches: "the base branch is not available in a local preview (give --base)",
  authors: "the author is not available in a local preview (give --author)",
  labels: "the labels are not available in a local preview (give --label)",
  paths: "the changed paths are not available in a local preview (give --path)",
};

function usageWords({ count, names }: Extract<UndecidedReason, { kind: "usage" }>): string {
  const what =
    count === 1 ? "1 created or changed resource is paid" : `${count} created or changed resources are paid`;
  const more = count - names.length;
  const named = [...names, ...(more > 0 && names.length > 0 ? [`${more} more`] : [])];
  return named.length === 0 ? what : what.replace(/ (is|are) paid$/, ` (${named.join(", ")}) $1 paid`);
}

type ResourceDoubt = Extract<UndecidedReason, { kind: "resources" }>;

const RESOURCE_DOUBTS: { readonly [doubt in ResourceDoubt["unknown"]]: string } = {
  tags_later: "tags that are known only after the apply",
  tags_sensitive: "tags that are sensitive",
  tags_not_read: "tags, which were not read",
  cost: "the cost",
};

function resourceNames({ count, names }: ResourceDoubt): string {
  const shown = names.slice(0, MOST_ITEMS);
  return [...shown, ...(count > shown.length ? [`${count - shown.length} more`] : [])].join(", ");
}

/** Why a rule is undecided, in words. `deferred`: what plans leave to a later one. */
function becauseWords(because: UndecidedReason, deferred: readonly string[]): string {
  switch (because.kind) {
    case "unknown":
      return because.reason === "incomplete_plan" && deferred.length > 0
        ? `${REASONS.incomplete_plan}: ${listFirst(deferred)}`
        : REASONS[because.reason];
    case "partial":
      return "a part of it is not known";
    case "inconsistent":
      return "its figures contradict each other";
    case "usage":
      return `${usageWords(because)} by usage that is not stated`;
    case "resources":
      return `${RESOURCE_DOUBTS[because.unknown]}: ${resourceNames(because)}`;
    case "workspace_tags":
      return `what ${listFirst(because.names)} costs by the tag ${because.key}: plan it again in a pull request`;
    case "condition_failed":
      return `the condition could not be evaluated: ${because.problem}`;
    case "scope_unknown":
      return `whether the rule applies to this pull request: ${because.members.map((member) => UNSAID[member]).join(", ")}`;
    case "other_currency":
      return `it is in ${because.found}, the rule in ${because.expected}`;
  }
}

/** Lines about each rule with a scope or with severities by stage: the scope, the stages inside it, and the stages of each severity. */
const scopeLines = (rules: readonly Rule[], report: Report): ReadonlyMap<string, readonly string[]> =>
  new Map(rules.map((rule) => [rule.id, [...scopeLine(rule, report), ...enforceLine(rule, report)]]));

function scopeLine({ scope }: Rule, report: Report): readonly string[] {
  if (scope === null) return [];
  const stages = narrowToScope(report, scope).stages.map(({ name }) => name);
  const evaluated = isPartialScope(scope)
    ? `; evaluated: ${stages.join(", ")} of ${pluralize(report.stages.length)}`
    : "";
  return [`scope: ${formatMembers(scope)}${evaluated}`];
}

/** The first pattern that matches a stage counts, so a later one is for the stages that are left. */
function enforceLine({ enforceIn }: Rule, { stages }: Report): readonly string[] {
  if (enforceIn.length === 0) return [];
  const names = [...new Set(stages.map(({ name }) => name))];
  const first = (name: string) => enforceIn.find(({ stage }) => isGlobMatch(stage, name));
  const parts = enforceIn.map((own) => {
    const here = names.filter((name) => first(name) === own);
    return `${own.stage}: ${own.enforce} (${here.length === 0 ? "no stage here" : here.join(", ")})`;
  });
  return [`enforce: ${parts.join("; ")}`];
}

const pluralize = (stages: number): string => `${stages} ${stages === 1 ? "stage" : "stages"}`;

const formatMembers = ({ not, ...named }: Scope): string =>
  [...formatNames(named), ...(not === undefined ? [] : formatNames(not).map((names) => `not ${names}`))].join(
    "; ",
  );

const formatNames = ({ tags, ...names }: ScopeNames): readonly string[] => [
  ...Object.entries(names)
    .filter(([, patterns]) => patterns.length > 0)
    .map(([member, patterns]) => `${member} ${patterns.join(", ")}`),
  ...tags.map(({ key, values }) => `tag ${key} ${values.join(", ")}`),
];
