import { Command } from "@commander-js/extra-typings";
import { systemClock } from "../../kernel/clock.ts";
import { toOneLine } from "../../kernel/terminal-text.ts";
import { DEFAULT_EXPECTATION, type ParsedPolicy, type PolicyText } from "../../policy/file/parse.ts";
import { listWrittenPatterns, listWrittenPeople } from "../../policy/file/policy-patterns.ts";
import { formatProblem, type Policy, type PolicyProblem, type Waiver } from "../../policy/model/policy.ts";
import { findUnmatchedPatterns, type UnmatchedPattern } from "../../policy/recent-names.ts";
import { MEMBER_NOUNS } from "../../policy/scope/mismatch.ts";
import { findPeopleProblemsOf, type PersonProblem } from "../../wiring/doctor/named-people.ts";
import { withPolicyThread } from "../../wiring/evaluation/policy-tasks.ts";
import { findLocalNames, readStoredNames } from "../../wiring/local-store.ts";
import { type ExitCode, type MakeCommand, type Output, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { policyText } from "../input-file.ts";

/** `tollgate policy check`: everything that is wrong with a policy file, at once. */
export const policyCheckCommand =
  (withPolicies = withPolicyThread): MakeCommand =>
  (output) =>
    new Command()
      .argument("[FILE]", "a repository's policy file, such as .github/tollgate.yml; - for standard input")
      .option("--organisation <FILE>", "the organisation's policy file, which also applies to FILE")
      .option(
        "--repository <OWNER/NAME>",
        "a repository that Tollgate on this machine evaluates (or its numeric id), to compare patterns with",
      )
      .option("--json", "print the result as JSON")
      .addHelpText(
        "after",
        paragraphs(
          "Checks every key, amount, pattern and condition, as Tollgate does before it evaluates a policy. Without FILE, the " +
            "organisation's file is checked by itself.",
          "With --repository, each pattern over stages, workspaces, modules, resource types and providers is compared with the last " +
            "20 pull requests that Tollgate evaluated there; one that matches nothing is a warning. So is an author, approver or team that " +
            "does not exist at GitHub, where the App's credentials are in the environment. Without it, a Tollgate that runs here and " +
            "evaluates one repository only is asked.",
          "Exits 0 without problems, also with warnings, and 2 with problems; each has its line and column.",
        ),
      )
      .action(async (file, options) =>
        output.exit(await runCheck({ file, ...options }, output, withPolicies)),
      );

interface CheckOptions {
  readonly file?: string | undefined;
  readonly organisation?: string | undefined;
  readonly repository?: string | undefined;
  readonly json?: true | undefined;
}

async function runCheck(
  options: CheckOptions,
  output: Output,
  withPolicies: typeof withPolicyThread,
): Promise<ExitCode> {
  const repository = await policyText(options.file);
  const organisation = await policyText(options.organisation);
  if (repository === null && organisation === null) throw usageError("FILE is missing.");
  const parsed = await withPolicies((perform) =>
    perform({ kind: "parse", input: { repository, organisation }, owner: "local" }),
  );
  const checked = checkedBy(parsed);
  const compared = await comparePatterns(parsed, repository ?? organisation, options.repository ?? null);
  if (options.json) output.result(JSON.stringify({ ...checked, ...compared }, null, 2));
  else printResult(checked, compared, output);
  if (options.repository !== undefined && compared.compared?.pulls === 0)
    output.message(
      `note: no pattern was compared: Tollgate has evaluated no pull request of ${compared.compared.repository} whose stages are known`,
    );
  return checked.valid ? 0 : 2;
}

interface PolicyCheckResult {
  readonly valid: boolean;
  readonly problems: readonly PolicyProblem[];
  /** Waivers that no longer cover anything. */
  readonly expired: readonly Pick<Waiver, "rule" | "owner">[];
  /** Allowed values of a required tag that differ at most in case. */
  readonly alike: readonly { readonly key: string; readonly values: readonly string[] }[];
  /** What the policy is made of; null: it is none. */
  readonly contents: string | null;
}

function checkedBy(parsed: ParsedPolicy): PolicyCheckResult {
  if (parsed.state === "invalid")
    return { valid: false, problems: parsed.problems, expired: [], alike: [], contents: null };
  const { policy } = parsed;
  return {
    valid: true,
    problems: [],
    expired: expiredIn(policy, systemClock.now()),
    alike: listAlikeValues(policy),
    contents: describeContents(policy),
  };
}

function printResult(
  { problems, expired, alike, contents }: PolicyCheckResult,
  { warnings }: ComparedPatterns,
  output: Output,
): void {
  for (const problem of problems) output.message(formatProblem(problem));
  for (const warning of warnings) output.message(`warning: ${toOneLine(formatProblem(warning))}`);
  if (contents !== null) output.result(`No problem: ${contents}.`);
  for (const { rule, owner } of expired)
    output.message(`note: the waiver of ${rule} that ${owner} owns has expired; remove it`);
  for (const { key, values } of alike) {
    const named = values.map((value) => JSON.stringify(value)).join(" and ");
    output.message(toOneLine(`note: ${named} of ${key} differ at most in case; allow one of them`));
  }
}

const expiredIn = ({ waivers }: Policy, nowMs: number) =>
  waivers.filter(({ untilMs }) => untilMs <= nowMs).map(({ rule, owner }) => ({ rule, owner }));

const listAlikeValues = ({ tags }: Policy): PolicyCheckResult["alike"] =>
  (tags?.required ?? []).flatMap(({ key, values }) =>
    [...Map.groupBy(values ?? [], (value) => value.toLowerCase()).values()]
      .filter((own) => own.length > 1)
      .map((own) => ({ key, values: own })),
  );

function describeContents({ rules, waivers, expect, tags }: Policy): string {
  const stated = expect.filter((one) => one !== DEFAULT_EXPECTATION);
  const budgets = rules.filter(({ limit }) => limit.kind === "budget").length;
  return [
    pluralize(rules.length - budgets, "rule"),
    ...(budgets === 0 ? [] : [pluralize(budgets, "budget")]),
    ...(waivers.length === 0 ? [] : [pluralize(waivers.length, "waiver")]),
    ...(tags === null ? [] : [pluralize(tags.required.length, "required tag")]),
    ...(stated.length === 0 ? [] : [pluralize(stated.length, "expectation")]),
  ].join(", ");
}

const pluralize = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** A pattern that nothing of the recent pull requests matches, or a name of nobody, as a problem that does not make the file wrong. */
type PatternWarning = PolicyProblem & (UnmatchedPattern | PersonProblem);

interface ComparedPatterns {
  readonly warnings: readonly PatternWarning[];
  /** What patterns were compared with; null: with nothing. `pulls`: evaluated pull requests of which all stages are known. */
  readonly compared: { readonly repository: string; readonly pulls: number } | null;
}

const NOT_COMPARED: ComparedPatterns = { warnings: [], compared: null };

/**
 * Compares the patterns of a valid file with the recent pull requests of a repository; null: of the only one that a Tollgate which
 * runs here looks after. Patterns of an organisation's file are about many repositories: they are compared only where it is checked by
 * itself.
 *
 * @throws TollgateError what `readStoredNames` throws where a repository is named
 */
async function comparePatterns(
  parsed: ParsedPolicy,
  written: PolicyText | null,
  repository: string | null,
): Promise<ComparedPatterns> {
  if (parsed.state === "invalid" || written === null) return NOT_COMPARED;
  const names = await (repository === null ? findLocalNames() : readStoredNames(repository));
  if (names === null) return NOT_COMPARED;
  const unmatched = findUnmatchedPatterns(listWrittenPatterns(written.text), names, parsed.policy.stages);
  const people = await findPeopleProblemsOf(names.repository, listWrittenPeople(written.text));
  const warnings = [
    ...unmatched.map((one) => ({ ...one, message: formatWarning(one, names.repository) })),
    ...people,
  ];
  return {
    warnings: warnings.map((one) => ({ ...one, file: written.file })),
    compared: { repository: names.repository, pulls: names.workspaces.pulls },
  };
}

function formatWarning(
  { member, pattern, pulls, there, more, meant }: UnmatchedPattern,
  repository: string,
): string {
  const noun = MEMBER_NOUNS[member];
  const of = `${pulls} recent pull ${pulls === 1 ? "request" : "requests"} of ${repository}`;
  const listed = there.length === 0 ? "none" : there.join(", ");
  const rest = more === 0 ? "" : ` and ${more} more`;
  const guess = meant === null ? "" : ` (did you mean ${JSON.stringify(meant)}?)`;
  return `no ${noun} in ${of} matches ${JSON.stringify(pattern)}; ${noun}s there: ${listed}${rest}${guess}`;
}
