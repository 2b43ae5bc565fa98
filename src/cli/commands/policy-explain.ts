import { toOneLine } from "../../kernel/terminal-text.ts";
import { decideEffect } from "../../policy/evaluate/evaluate-policy.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { withPolicyThread } from "../../wiring/evaluation/policy-tasks.ts";
import { type ExplainableEvaluation, readStoredEvaluation } from "../../wiring/policy/policy-explain.ts";
import { type ExitCode, type MakeCommand, type OptionsOf, type Output, usageError } from "../command.ts";
import { formatExplanation, scopeLines, verdictIn } from "../explanation.ts";
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
  return print(evaluation, options.json === true, output, scopes);
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
function asJson({ pull, situation, check, checkName }: ExplainableEvaluation) {
  const verdict = verdictIn(situation);
  const findings = (verdict?.findings ?? []).map((finding) => ({
    ...finding,
    effect: decideEffect(finding),
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
