import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../kernel/clock.ts";
import { isPlatformId, isScopeName, parseSha, SCOPE_NAME, type Sha } from "../../kernel/ids.ts";
import { checkAgainstPlan } from "../../plan-files/estimate/check-against-plan.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { readEstimate } from "../../plan-files/estimate/read-estimate.ts";
import { readPlan } from "../../plan-files/plan/read-plan.ts";
import type { PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import { connectForImport } from "../../wiring/import/client.ts";
import { type ImportInput, importRun, type ResolveLocalPlatform } from "../../wiring/import/run.ts";
import { wrong } from "../arguments.ts";
import type { Command, CommandArguments, ExitCode, Output } from "../command.ts";
import { inputFile } from "../input-file.ts";
import { ADDRESS_OPTIONS, checkAddress, IMPORT, platformOf } from "../platform-address.ts";
import { parseRepository, type RepositoryName } from "../repository-name.ts";
import { FILE_OPTIONS, givenFiles, importFiles } from "./platform-import-files.ts";

/** `resolveLocal` finds the platform of this machine when no address is given. */
export const platformImportCommand = (resolveLocal: ResolveLocalPlatform): Command => ({
  options: {
    org: { value: "ORG", about: "organisation on the platform" },
    project: { value: "PROJECT", about: "project on the platform" },
    workspace: { value: "WORKSPACE", about: "workspace that the plan is for" },
    repository: { value: "OWNER/NAME", about: "repository that the commit is in, or its address" },
    sha: { value: "SHA", about: "the pull request's head or test-merge commit" },
    plan: { value: "FILE", about: "a Terraform or OpenTofu plan as JSON; - reads the standard input" },
    infracost: { value: "FILE", about: "an Infracost estimate as JSON; - reads the standard input" },
    branch: { value: "BRANCH", about: "the branch that the commit is on" },
    pipeline: { value: "PIPELINE", about: "name of the pipeline that made the files (import)" },
    execution: {
      value: "ID",
      about: "id of the run, to repeat an import without recording it twice (a new one)",
    },
    ...FILE_OPTIONS,
    ...ADDRESS_OPTIONS,
    json: { about: "print the result as JSON" },
  },
  details: [
    "With --plan or --infracost: --org, --project, --workspace, --repository and --sha say what the run was for.",
    "Sensitive values are masked before anything is sent. All projects of the estimate become one stage.",
    "Prints the id of the run. Repeat a failed import with --execution and that id.",
    "With the other files: what the platform computes elsewhere, of a whole account. Each file is imported whole or, when a " +
      "line of it has a problem, not at all. docs/platform/imports.md tells what each line holds.",
  ],
  run: (given, output) => {
    const files = givenFiles(given);
    return files.length > 0
      ? importFiles({ given, files }, output, resolveLocal)
      : runImport(given, output, resolveLocal);
  },
});

async function runImport(
  given: CommandArguments,
  output: Output,
  resolveLocal: ResolveLocalPlatform,
): Promise<ExitCode> {
  checkComplete(given);
  const target = targetOf(given);
  checkAddress(given);
  const files = await readFiles(given, target.workspace, output);
  const reachable = await platformOf(given, resolveLocal);
  const client = connectForImport(reachable, { clock: systemClock, random: Math.random, sleep });
  try {
    output.message(`importing as ${target.executionId}`);
    const imported = await importRun(client, { ...target, ...files }, { tries: 5, pauseMs: 500, sleep });
    if (imported.changesRefused)
      output.message("note: this project takes no plan data, so only costs were sent");
    output.result(given.has("json") ? asJson(target, imported.pages) : target.executionId);
    return 0;
  } finally {
    await client.close();
    await reachable.close();
  }
}

type Target = Omit<ImportInput, "plan" | "estimate">;

function asJson({ org, project, workspace, executionId, stageId }: Target, pages: number): string {
  const ids = { pipeline_execution_id: executionId, pipeline_stage_id: stageId };
  return JSON.stringify({ org, project, workspace, ...ids, pages });
}

/** What a run cannot do without. Not marked as required, because the other files do without. */
const NEEDED = [
  ["org", "ORG"],
  ["project", "PROJECT"],
  ["workspace", "WORKSPACE"],
  ["repository", "OWNER/NAME"],
  ["sha", "SHA"],
] as const;

/** Tells everything that is missing at once. */
function checkComplete(given: CommandArguments): void {
  const missing = NEEDED.filter(([option]) => given.value(option) === null).map(
    ([option, value]) => `--${option} ${value}`,
  );
  const nothing = given.value("plan") === null && given.value("infracost") === null;
  if (nothing && (missing.length === 0 || missing.length === NEEDED.length))
    throw wrong(
      IMPORT,
      "There is nothing to import: give --plan FILE, --infracost FILE, or one of the files of an account.",
    );
  const all = nothing ? [...missing, "--plan FILE or --infracost FILE"] : missing;
  if (all.length === 0) return;
  const words = new Intl.ListFormat("en-GB").format(all);
  throw wrong(IMPORT, `${words} ${all.length === 1 ? "is" : "are"} missing.`);
}

function targetOf(given: CommandArguments): Target {
  const repository = repositoryOf(given);
  const executionId = idOf(given, "execution") ?? randomUUID().replaceAll("-", "");
  const workspace = given.required("workspace");
  if (workspace.length > 128) throw wrong(IMPORT, "--workspace has more than 128 characters.");
  return {
    org: scopeNameOf(given, "org"),
    project: scopeNameOf(given, "project"),
    workspace,
    pipeline: given.value("pipeline") ?? "import",
    executionId,
    // The same run imported again is the same stage, and each workspace of a run is another one.
    stageId: createHash("sha256").update(`${executionId}/${workspace}`).digest("hex").slice(0, 32),
    repository: `${repository.owner}/${repository.name}`,
    repositoryUrl: repository.url,
    sha: shaOf(given),
    branch: given.value("branch") ?? "",
  };
}

function scopeNameOf(given: CommandArguments, option: "org" | "project"): string {
  const name = given.required(option);
  if (isScopeName(name)) return name;
  throw wrong(IMPORT, `--${option} ${JSON.stringify(name)} cannot name one: ${SCOPE_NAME}`);
}

function idOf(given: CommandArguments, option: string): string | null {
  const value = given.value(option);
  if (value === null || isPlatformId(value)) return value;
  throw wrong(
    IMPORT,
    `--${option} ${JSON.stringify(value)} is no id of the platform: 1 to 128 letters, digits or _ . $ -`,
  );
}

function shaOf(given: CommandArguments): Sha {
  const sha = parseSha(given.required("sha").toLowerCase());
  if (sha === null) throw wrong(IMPORT, "--sha is not a full commit id of 40 (or 64) hex digits.");
  return sha;
}

function repositoryOf(given: CommandArguments): RepositoryName {
  const repository = parseRepository(given.required("repository"));
  if (repository === null)
    throw wrong(IMPORT, "--repository is neither OWNER/NAME nor the address of a repository.");
  return repository;
}

interface ImportFiles {
  readonly plan: PlanSnapshot | null;
  readonly estimate: EstimateStage | null;
}

async function readFiles(given: CommandArguments, workspace: string, output: Output): Promise<ImportFiles> {
  const plan = given.value("plan");
  const estimate = given.value("infracost");
  if (plan === "-" && estimate === "-") throw wrong(IMPORT, "The standard input can be one file only.");
  const snapshot = plan === null ? null : await readPlan({ ...inputFile(plan), elements: true });
  const read = estimate === null ? null : await readEstimate({ ...inputFile(estimate), fallback: workspace });
  for (const note of [...(snapshot?.notes ?? []), ...(read?.notes ?? [])]) output.message(`note: ${note}`);
  const whole = read?.whole ?? null;
  return { plan: snapshot, estimate: whole && snapshot ? checkAgainstPlan(whole, snapshot) : whole };
}
