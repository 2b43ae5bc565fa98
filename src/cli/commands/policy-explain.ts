import { systemClock } from "../../kernel/clock.ts";
import { oneLine } from "../../kernel/terminal-text.ts";
import { effectOf } from "../../policy/evaluate/evaluate-policy.ts";
import { processEnvironment, readSettings } from "../../settings/read.ts";
import { withPolicyThread } from "../../wiring/evaluation/policy-tasks.ts";
import { type Explainable, storedEvaluation } from "../../wiring/policy/policy-explain.ts";
import { type Preview, preview } from "../../wiring/preview/preview.ts";
import { wrong } from "../arguments.ts";
import type { Command, CommandArguments, ExitCode, Output } from "../command.ts";
import { LOCAL_FILES, LOCAL_PULL, LOCAL_PULL_DETAILS, localPull } from "../local-pull.ts";
import { explained, verdictIn } from "../policy/explained.ts";
import { problemLines } from "../policy/problem-lines.ts";
import { policyText } from "../policy/read-policy.ts";
import { scopeLines } from "../policy/scope-lines.ts";

/** `tollgate policy explain`: which rule decided, and by which value. */
export const policyExplainCommand: Command = {
  options: {
    ...LOCAL_FILES,
    policy: { value: "FILE", about: "the policy file to judge local files by" },
    ...LOCAL_PULL,
    repository: {
      value: "OWNER/NAME",
      about: "a repository that Tollgate on this machine looks after (or its numeric id)",
    },
    number: { value: "NUMBER", about: "the pull request of that repository" },
    json: { about: "print the explanation as JSON" },
  },
  details: [
    "Of local files: give --policy with --infracost, --plan or both. Of a pull request: give --repository and --number; its newest " +
      "evaluation is read from the database of this machine, also while `tollgate start` runs.",
    LOCAL_PULL_DETAILS,
    "Exits 0 when it passes or warns, 1 when it is blocked, 2 when something cannot be read, 3 when it cannot be judged.",
  ],
  run: async (given, output) => {
    const pull = isPull(given);
    const local = pull ? null : await ofFiles(given, output);
    const evaluation = pull ? await ofPull(given) : local?.evaluation;
    if (evaluation === undefined) return 2;
    const scopes =
      local?.policy == null ? undefined : scopeLines(local.policy.rules, local.evaluation.report);
    if (given.has("json")) output.result(JSON.stringify(asJson(evaluation), null, 2));
    else output.result(explained(evaluation, scopes).map(oneLine).join("\n"));
    return exitCodeOf(evaluation);
  },
};

const NAME = "policy explain";
const LOCAL = [...Object.keys({ ...LOCAL_FILES, ...LOCAL_PULL }), "policy"];

function isPull(given: CommandArguments): boolean {
  const asked = given.has("repository") || given.has("number");
  const local = LOCAL.find((option) => given.has(option));
  if (asked && local !== undefined)
    throw wrong(NAME, `--${local} is about local files and does not go with --repository and --number.`);
  return asked;
}

function ofPull(given: CommandArguments): Promise<Explainable> {
  const [repository, number] = [given.value("repository"), given.value("number")];
  if (repository === null) throw wrong(NAME, "--repository OWNER/NAME is missing.");
  if (number === null) throw wrong(NAME, "--number NUMBER is missing.");
  if (!/^[1-9]\d{0,8}$/.test(number))
    throw wrong(NAME, `--number takes a pull request's number, found ${JSON.stringify(number)}.`);
  return storedEvaluation(readSettings(processEnvironment()), { repository, number: Number(number) });
}

async function ofFiles(given: CommandArguments, output: Output): Promise<PreviewResult | null> {
  if (!given.has("infracost") && !given.has("plan"))
    throw wrong(
      NAME,
      "There is nothing to explain: give --infracost FILE, --plan FILE or both, or --repository and --number.",
    );
  if (given.value("policy") === null) throw wrong(NAME, "--policy FILE is missing.");
  const input = {
    ...localPull(NAME, given),
    policy: await policyText(given.value("policy")),
    nowMs: systemClock.now(),
  };
  const previewed = await withPolicyThread((perform) => preview(input, perform));
  if (previewed.state === "previewed") {
    for (const note of previewed.notes) output.message(`note: ${note}`);
    return previewed;
  }
  for (const line of problemLines(previewed.problems)) output.message(line);
  return null;
}

type PreviewResult = Extract<Preview, { state: "previewed" }>;

function exitCodeOf({ situation }: Pick<Explainable, "situation">): ExitCode {
  if (situation.kind === "nothing_expected" || situation.kind === "no_policy") return 0;
  const verdict = verdictIn(situation);
  return verdict === null ? 3 : EXIT_CODES[verdict.kind];
}

const EXIT_CODES = { pass: 0, warn: 0, block: 1, undecided: 3 } as const;

/** Findings as they are, with what each makes of the verdict. */
function asJson({ pull, situation, check, checkName }: Explainable) {
  const verdict = verdictIn(situation);
  const findings = (verdict?.findings ?? []).map((finding) => ({ ...finding, effect: effectOf(finding) }));
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
