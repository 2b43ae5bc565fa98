import { Option } from "@commander-js/extra-typings";
import { toOneLine } from "../../kernel/terminal-text.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { createRenderer } from "../../render/renderer.ts";
import { withPolicyThread } from "../../wiring/evaluation/policy-tasks.ts";
import { toPreviewJson } from "../../wiring/preview/json.ts";
import { loadTemplates } from "../../wiring/process/templates.ts";
import { type ExitCode, type MakeCommand, type OptionsOf, type Output, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { createLocalCommand, evaluateLocalPull, LOCAL_PULL_DETAILS } from "../local-pull.ts";

const FORMATS = ["comment", "check", "json"] as const;

/** `tollgate preview`: the comment or check that a pull request with local files would get. */
export const previewCommand =
  (withPolicies = withPolicyThread): MakeCommand =>
  (output) =>
    createCommand().action(async (options) => output.exit(await runPreview(options, output, withPolicies)));

const createCommand = () =>
  createLocalCommand()
    .option("--policy <FILE>", "a policy file to evaluate, such as .github/tollgate.yml")
    .addOption(new Option("--format <FORMAT>", "what to print").choices(FORMATS).default("comment" as const))
    .option("--json", "the same as --format json")
    .addHelpText(
      "after",
      paragraphs(
        "Needs no server, no network and no credentials.",
        LOCAL_PULL_DETAILS,
        "Exits 0 when the policy passes or warns, or when there is none; 1 when it blocks; 2 when a file cannot be read; 3 when a " +
          "rule is undecided.",
      ),
    );

async function runPreview(
  options: OptionsOf<typeof createCommand>,
  output: Output,
  withPolicies: typeof withPolicyThread,
): Promise<ExitCode> {
  if (options.infracost === undefined && options.plan === undefined)
    throw usageError("There is nothing to preview: give --infracost FILE, --plan FILE or both.");
  const evaluated = await evaluateLocalPull(options, output, withPolicies);
  if (evaluated === null) return 2;
  const { evaluation } = evaluated;
  output.result(PRINTED[options.json ? "json" : options.format](evaluation));
  return getExitCode(evaluation);
}

type Format = (typeof FORMATS)[number];

const LINKS = { details: null, recheckHint: false };

const PRINTED: { readonly [F in Format]: (evaluation: Evaluation) => string } = {
  json: (evaluation) => JSON.stringify(toPreviewJson(evaluation), null, 2),
  comment: (evaluation) => createRenderer(loadTemplates()).comment(evaluation, LINKS),
  check: (evaluation) => {
    const { title, summary, text } = createRenderer(loadTemplates()).check(evaluation, LINKS);
    return [toOneLine(`${evaluation.checkName}  ${getOutcome(evaluation)}`), title, summary, text]
      .filter((part) => part)
      .join("\n\n");
  },
};

function getOutcome({ check }: Evaluation): string {
  return check.status === "completed" ? check.conclusion : "no check without a policy";
}

function getExitCode({ situation }: Evaluation): ExitCode {
  if (situation.kind !== "evaluated") return 0;
  return EXIT_CODES[situation.verdict.kind];
}

const EXIT_CODES = { pass: 0, warn: 0, block: 1, undecided: 3 } as const;
