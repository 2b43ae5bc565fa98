import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { TollgateError } from "../../kernel/errors.ts";
import { isPlatformId, isScopeName, parseSha, SCOPE_NAME } from "../../kernel/ids.ts";
import { checkAgainstPlan } from "../../plan-files/estimate/check-against-plan.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { readEstimate } from "../../plan-files/estimate/read-estimate.ts";
import { readPlan } from "../../plan-files/plan/read-plan.ts";
import type { PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import { withPlatform } from "../../wiring/import/client.ts";
import { type ImportInput, importExecution } from "../../wiring/import/run.ts";
import { resolveLocalPlatform } from "../../wiring/platform/local.ts";
import { type MakeCommand, type OptionsOf, type Output, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { inputFile } from "../input-file.ts";
import { checkAddress, createAddressCommand } from "../platform-address.ts";
import { addFileOptions, importFiles, namedFiles } from "./platform-import-files.ts";

/** `resolveLocal` finds the platform of this machine when no address is given. */
export const platformImportCommand =
  (resolveLocal = resolveLocalPlatform): MakeCommand =>
  (output) => {
    const command = createCommand();
    addFileOptions(command);
    return command.action(async (options) => {
      const files = namedFiles(options);
      if (files.length === 0) return runImport(options, output, resolveLocal);
      for (const option of OF_EXECUTION)
        if (command.getOptionValueSource(option) === "cli") throw notTogether(option, files);
      output.exit(await importFiles({ ...options, files }, output, resolveLocal));
    });
  };

const createCommand = () =>
  createAddressCommand()
    .option("--org <ORG>", "organisation on the platform")
    .option("--project <PROJECT>", "project on the platform")
    .option("--workspace <WORKSPACE>", "workspace of the plan")
    .option("--repository <OWNER/NAME>", "repository of the commit, or its address")
    .option("--sha <SHA>", "the pull request's head or test-merge commit")
    .option("--plan <FILE>", "a Terraform or OpenTofu plan as JSON; - reads the standard input")
    .option("--infracost <FILE>", "an Infracost estimate as JSON; - reads the standard input")
    .option("--branch <BRANCH>", "the branch of the commit")
    .option("--pipeline <PIPELINE>", "name of the pipeline that made the files", "import")
    .option("--execution <ID>", "id of an execution whose import is repeated (default: a new one)")
    .option("--json", "print the result as JSON")
    .addHelpText("after", DETAILS);

type ImportOptions = OptionsOf<typeof createCommand>;

const DETAILS = paragraphs(
  "With --plan or --infracost: --org, --project, --workspace, --repository and --sha identify the execution.",
  "Sensitive values are masked before anything is sent. All projects of the estimate become one stage.",
  "Prints the id of the execution. Repeat a failed import with --execution and that id.",
  "The other files contain data of a whole account that is computed elsewhere. Each file is imported whole or, when a " +
    "line of it has a problem, not at all. docs/platform/imports.md describes the lines.",
);

/** Options of one execution, which do not go with the files of an account. */
const OF_EXECUTION = [
  ...["plan", "infracost", "org", "project", "workspace"],
  ...["repository", "sha", "branch", "pipeline", "execution"],
];

const notTogether = (option: string, files: ReturnType<typeof namedFiles>): TollgateError =>
  new TollgateError(
    "usage",
    `--${option} does not go with ${files.map(({ kind }) => `--${kind}`).join(", ")}.`,
    {
      hint: "A plan or estimate belongs to one execution, the other files to a whole account: import them with two commands.",
    },
  );

async function runImport(
  options: ImportOptions,
  output: Output,
  resolveLocal: typeof resolveLocalPlatform,
): Promise<void> {
  const target = readTarget(complete(options));
  checkAddress(options);
  const files = await readFiles(options, target.workspace, output);
  const imported = await withPlatform(options, resolveLocal, (client) => {
    output.message(`importing as ${target.executionId}`);
    return importExecution(client, { ...target, ...files }, { tries: 5, pauseMs: 500, sleep });
  });
  if (imported.changesRefused)
    output.message("note: this project takes no plan data, so only costs were sent");
  output.result(options.json ? asJson(target, imported.pages) : target.executionId);
}

type ImportTarget = Omit<ImportInput, "plan" | "estimate">;

function asJson({ org, project, workspace, executionId, stageId }: ImportTarget, pages: number): string {
  const ids = { pipeline_execution_id: executionId, pipeline_stage_id: stageId };
  return JSON.stringify({ org, project, workspace, ...ids, pages });
}

/** What an execution needs. Not mandatory for commander, because the other files do not need it. */
const NEEDED = [
  ["org", "ORG"],
  ["project", "PROJECT"],
  ["workspace", "WORKSPACE"],
  ["repository", "OWNER/NAME"],
  ["sha", "SHA"],
] as const;

type NeededOptions = { readonly [N in (typeof NEEDED)[number][0]]: string };

/** The options of an execution. Throws `usage` that names everything that is missing. */
function complete(options: ImportOptions): ImportOptions & NeededOptions {
  const { org, project, workspace, repository, sha } = options;
  const missing = NEEDED.filter(([option]) => options[option] === undefined).map(
    ([option, value]) => `--${option} ${value}`,
  );
  const nothing = options.plan === undefined && options.infracost === undefined;
  if (nothing && (missing.length === 0 || missing.length === NEEDED.length))
    throw usageError(
      "There is nothing to import: give --plan FILE, --infracost FILE, or one of the files of an account.",
    );
  const all = nothing ? [...missing, "--plan FILE or --infracost FILE"] : missing;
  if (org && project && workspace && repository && sha && all.length === 0)
    return { ...options, org, project, workspace, repository, sha };
  const words = new Intl.ListFormat("en-GB").format(all);
  throw usageError(`${words} ${all.length === 1 ? "is" : "are"} missing.`);
}

function readTarget(options: ImportOptions & NeededOptions): ImportTarget {
  const { workspace, branch = "", pipeline } = options;
  const repository = parseRepository(options.repository);
  if (repository === null)
    throw usageError("--repository is neither OWNER/NAME nor the address of a repository.");
  const sha = parseSha(options.sha.toLowerCase());
  if (sha === null) throw usageError("--sha is not a full commit id of 40 (or 64) hex digits.");
  if (workspace.length > 128) throw usageError("--workspace has more than 128 characters.");
  const executionId = options.execution ?? randomUUID().replaceAll("-", "");
  if (!isPlatformId(executionId))
    throw usageError(
      `--execution ${JSON.stringify(executionId)} is no id of the platform: 1 to 128 letters, digits or _ . $ -`,
    );
  return {
    ...{ org: requireScopeName(options, "org"), project: requireScopeName(options, "project") },
    ...{ workspace, pipeline, executionId, sha, branch },
    // The same execution imported again is the same stage, and each workspace of it is another one.
    stageId: createHash("sha256").update(`${executionId}/${workspace}`).digest("hex").slice(0, 32),
    repository: `${repository.owner}/${repository.name}`,
    repositoryUrl: repository.url,
  };
}

function requireScopeName(options: NeededOptions, option: "org" | "project"): string {
  const name = options[option];
  if (isScopeName(name)) return name;
  throw usageError(`--${option} ${JSON.stringify(name)} cannot name one: ${SCOPE_NAME}`);
}

interface ImportFiles {
  readonly plan: PlanSnapshot | null;
  readonly estimate: EstimateStage | null;
}

async function readFiles(
  { plan, infracost: estimate }: ImportOptions,
  workspace: string,
  output: Output,
): Promise<ImportFiles> {
  if (plan === "-" && estimate === "-") throw usageError("The standard input can be one file only.");
  const snapshot = plan === undefined ? null : await readPlan({ ...inputFile(plan), elements: true });
  const read =
    estimate === undefined ? null : await readEstimate({ ...inputFile(estimate), fallback: workspace });
  for (const note of [...(snapshot?.notes ?? []), ...(read?.notes ?? [])]) output.message(`note: ${note}`);
  const whole = read?.whole ?? null;
  return { plan: snapshot, estimate: whole && snapshot ? checkAgainstPlan(whole, snapshot) : whole };
}

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
  /** Address that git could fetch it from. */
  readonly url: string;
}

const OWNER_AND_NAME = /^([A-Za-z0-9-]{1,39})\/([A-Za-z0-9._-]{1,100})$/;
const ADDRESS = /^(?:(?:https?|ssh|git):\/\/(?:[^/@]*@)?[^/]+\/|[^/@:]+@[^/:]+:)(.+)$/i;

/** `owner/name`, or an address of a repository in any form git takes; null for anything else. Credentials in it are dropped. */
export function parseRepository(text: string): RepositoryName | null {
  const path = ADDRESS.exec(text)?.[1];
  const [, owner, name] = OWNER_AND_NAME.exec((path ?? text).replace(/\/$/, "").replace(/\.git$/, "")) ?? [];
  if (owner === undefined || name === undefined || name === "." || name === "..") return null;
  const url = path === undefined ? `https://github.com/${owner}/${name}` : withoutCredentials(text);
  return { owner, name, url };
}

const withoutCredentials = (address: string): string => address.replace(/^(https?:\/\/)[^/@]*@/i, "$1");
