import { appendFile, writeFile } from "node:fs/promises";
import { readCiEnvironment, readCiSettings } from "../../settings/ci.ts";
import type { Environment } from "../../settings/read.ts";
import { describeCiResult } from "../../wiring/ci/describe-result.ts";
import type { JobTools } from "../../wiring/ci/open-job.ts";
import { runCi } from "../../wiring/ci/run-ci.ts";
import { type ExitCode, type MakeCommand, type OptionsOf, type Output, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { createStageCommand, readTypedFiles } from "../local-pull.ts";

/** `tollgate ci`: evaluates a pull request in a CI job. `readEnvironment` is the environment of the job. */
export const ciCommand =
  (readEnvironment: () => Environment = readCiEnvironment, tools: Omit<JobTools, "log"> = {}): MakeCommand =>
  (output) =>
    createCommand().action(async (options) =>
      output.exit(await run(options, { environment: readEnvironment(), tools, output })),
    );

const createCommand = () =>
  createStageCommand()
    .option("--repository <OWNER/NAME>", "the repository (default: GITHUB_REPOSITORY)")
    .option("--pull-request <NUMBER>", "the pull request (default: that of the event)")
    .option("--sha <SHA>", "the commit that the files were made from (default: the head in the event)")
    .option("--organisation-policy <MODE>", "none: the organisation has no policy file, so it is not read")
    .option("--public-figures", "show figures in comments on a public repository")
    .option("--summary <FILE>", "append the comment's Markdown to this file, such as $GITHUB_STEP_SUMMARY")
    .option("--report <FILE>", "write the result as JSON to this file")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "Writes the check and the comment with GITHUB_TOKEN. No server is needed, no port is opened, and nothing is kept: approvals are " +
          "read from the comments and reviews of the pull request each time.",
        "With several workspaces, each --workspace names the files after it. Without any, the workspace is called default, or each plan in a " +
          "folder is the workspace that is called like its path there: envs/prod/tfplan.json is envs/prod.",
        "GITHUB_API_URL or GHE_HOST name a GitHub Enterprise Server. docs/ci/README.md has complete workflows.",
        "Exits 0 when the policy passes or warns, or when there is none; 1 when it blocks; 2 when something cannot be read or written; 3 when " +
          "a rule is undecided.",
      ),
    );

async function run(
  options: OptionsOf<typeof createCommand>,
  {
    environment,
    tools,
    output,
  }: {
    readonly environment: Environment;
    readonly tools: Omit<JobTools, "log">;
    readonly output: Output;
  },
): Promise<ExitCode> {
  const ci = readCiSettings(
    {
      ...environment,
      ...(options.organisationPolicy !== undefined && {
        ORG_POLICY: readPolicyMode(options.organisationPolicy),
      }),
    },
    { publicFigures: options.publicFigures === true },
  );
  const result = await runCi({
    ci,
    repository: options.repository ?? null,
    pullNumber: options.pullRequest === undefined ? null : readNumber(options.pullRequest),
    sha: options.sha ?? null,
    files: readTypedFiles(options),
    onNote: (note) => output.message(note),
    ...tools,
  });
  const described = describeCiResult(result);
  for (const line of described.messages) output.message(line);
  const json = JSON.stringify(described.json, null, 2);
  if (options.summary !== undefined && result.markdown !== null)
    await appendFile(options.summary, `${result.markdown}\n`);
  if (options.report !== undefined) await writeFile(options.report, `${json}\n`);
  output.result(options.json ? json : described.line);
  return described.exitCode;
}

function readNumber(text: string): number {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
  if (number === null)
    throw usageError(`--pull-request ${JSON.stringify(text)} is not the number of a pull request.`);
  return number;
}

function readPolicyMode(text: string): string {
  if (text === "read" || text === "none") return text;
  throw usageError(`--organisation-policy ${JSON.stringify(text)} is neither read nor none.`);
}
