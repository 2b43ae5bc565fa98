import { appendFile } from "node:fs/promises";
import { parseSha } from "../../kernel/ids.ts";
import { amount, percentage } from "../../policy/file/fields.ts";
import type { Tolerance } from "../../policy/model/apply.ts";
import { describeApply } from "../../render/apply-result.ts";
import { type CiSettings, readCiEnvironment, readCiSettings, readClientSettings } from "../../settings/ci.ts";
import type { Environment } from "../../settings/read.ts";
import { readTarget } from "../../wiring/ci/read-target.ts";
import { askServer } from "../../wiring/verify/ask-server.ts";
import { type AppliedCommit, compareWithCheck } from "../../wiring/verify/compare-with-check.ts";
import { readPlans } from "../../wiring/verify/read-plans.ts";
import { type ExitCode, type MakeCommand, type OptionsOf, type Output, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { createStageCommand, readTypedFiles } from "../local-pull.ts";
import { resolveAddress, resolveJobServer } from "../platform-address.ts";

/** `tollgate verify`: the apply gate. `readEnvironment` is the environment of the job. */
export const verifyCommand =
  (readEnvironment: () => Environment = readCiEnvironment): MakeCommand =>
  (output) =>
    createCommand().action(async (options) => output.exit(await run(options, readEnvironment(), output)));

const createCommand = () =>
  createStageCommand()
    .option("--repository <OWNER/NAME>", "the repository (default: GITHUB_REPOSITORY)")
    .option("--sha <SHA>", "the commit that is applied (default: that of the job)")
    .option(
      "--base <BRANCH>",
      "the branch that is applied: only pull requests into it count (default: that of a push, else any)",
    )
    .option(
      "--tolerance <TOLERANCE>",
      "by how much the apply may cost more: 5% of the evaluated change, or 50 USD",
    )
    .option("--url <URL>", "address of a Tollgate (default: TOLLGATE_URL; without one, the check is read)")
    .option("--app <SLUG>", "without a server: the App whose check counts, where several wrote one")
    .option("--check <NAME>", "without a server: the check's name (default: tollgate: BASE BRANCH)")
    .option("--summary <FILE>", "append the result as Markdown to this file, such as $GITHUB_STEP_SUMMARY")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "Call it in the job that applies, with the plan that is applied: it compares what the plan does and costs with what was evaluated " +
          "on the pull request of the commit. docs/ci/apply.md has complete jobs.",
        "With a server, TOLLGATE_TOKEN authorises the call, or the id token of a GitHub Actions job. Without one, GITHUB_TOKEN reads the " +
          "check of the pull request, and only an equal plan is accepted.",
        "Exits 0 when the apply does at most what was evaluated; 1 when it does or costs more; 2 when something cannot be read; 3 when that is not known.",
      ),
    );

type VerifyOptions = OptionsOf<typeof createCommand>;

async function run(options: VerifyOptions, environment: Environment, output: Output): Promise<ExitCode> {
  if (options.plan === undefined)
    throw usageError("There is nothing to verify: give the plan that is applied, --plan FILE.");
  const tolerance = options.tolerance === undefined ? null : parseTolerance(options.tolerance);
  const ci = readCiSettings(environment, { publicFigures: false });
  const commit = await readCommit(options, ci, environment);
  const server = findServer(options, environment);
  if (server === null && tolerance !== null)
    throw usageError("--tolerance needs a server: without one, only an equal plan is accepted.");
  const { plans, notes } = await readPlans(readTypedFiles(options));
  for (const note of notes) output.message(`note: ${note}`);
  const verified =
    server === null
      ? await compareWithCheck(ci, commit, plans)
      : await askServer(server, { ...commit, tolerance }, plans);
  const { lines, exitCode, markdown, json } = describeApply(verified);
  if (options.summary !== undefined) await appendFile(options.summary, `${markdown}\n`);
  if (options.json) output.result(JSON.stringify(json, null, 2));
  else for (const line of lines) output.result(line);
  return exitCode;
}

/** Reads `5%` or `50 USD`, exactly. Throws `usage` for anything else. */
export function parseTolerance(text: string): Tolerance {
  const percent = percentage.safeParse(text);
  if (percent.success) return { kind: "percent", percent: percent.data };
  const money = amount.safeParse(text);
  if (money.success) return { kind: "amount", amount: money.data };
  throw usageError(
    `--tolerance ${JSON.stringify(text)}: expected a percentage such as 5%, or ${money.error.issues[0]?.message}.`,
  );
}

/** The commit of the job: that of its event, else that of its checkout. */
async function readCommit(
  { repository, sha, base, app, check }: VerifyOptions,
  ci: CiSettings,
  environment: Environment,
): Promise<AppliedCommit> {
  const stated = { repository: repository ?? null, pullNumber: null, sha: sha ?? null };
  const { owner, name, event } = await readTarget({ ci, ...stated });
  const found = event.headSha ?? parseSha(environment["GITHUB_SHA"] ?? "");
  if (found === null)
    throw usageError('The commit is not known: give it with --sha "$(git rev-parse HEAD)".');
  const [, pushed] =
    ci.eventName === "push" ? (/^refs\/heads\/(.+)$/.exec(environment["GITHUB_REF"] ?? "") ?? []) : [];
  return {
    owner,
    name,
    sha: found,
    base: base ?? pushed ?? null,
    app: app ?? null,
    checkName: check ?? null,
  };
}

/** The server and how to open it; null: there is none. */
function findServer({ url }: VerifyOptions, environment: Environment) {
  const client = readClientSettings(environment);
  const job = resolveJobServer({ url }, client);
  if (job !== null) return job;
  const { url: address, token } = resolveAddress({ url }, client);
  return address === undefined || token === undefined ? null : { url: address, token };
}
