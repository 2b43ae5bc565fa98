import { Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { systemClock } from "../kernel/clock.ts";
import { formatProblem } from "../policy/model/policy.ts";
import type { withPolicyThread } from "../wiring/evaluation/policy-tasks.ts";
import type { EstimateInput } from "../wiring/import/workspace-files.ts";
import { type Preview, type PreviewInput, previewPull } from "../wiring/preview/preview.ts";
import type { NamedStage, PreviewFiles } from "../wiring/preview/read-stages.ts";
import { type OptionsOf, type Output, usageError } from "./command.ts";
import { estimateFile, inputFile, policyText } from "./input-file.ts";
import { DEFAULT_WORKSPACE, isFolder, listPlans } from "./plan-folder.ts";

/** A command that reads files of this machine in place of a pull request. */
export const createLocalCommand = () =>
  createStageCommand()
    .option("--base <BRANCH>", "the branch to merge into", "main")
    .option("--author <LOGIN>", "the author of the pull request")
    .option("--label <LABEL...>", "a label that it has; '' for none")
    .option("--path <PATH...>", "a file that it changes; '' for none");

/** A command that reads the files of workspaces. */
export function createStageCommand() {
  const typed: TypedOption[] = [];
  const inOrder = (option: TypedOption["option"]) => (value: string) => {
    if (value === "") throw new InvalidArgumentError("A value is missing.");
    typed.push({ option, value });
    return typed;
  };
  return new Command()
    .option(
      "--infracost <FILE...>",
      "an Infracost estimate as JSON; - reads the standard input",
      inOrder("infracost"),
    )
    .option(
      "--infracost-base <FILE...>",
      "the estimate of the base, for one that does not compare: of Infracost 2, or a breakdown",
      inOrder("infracost-base"),
    )
    .option(
      "--plan <FILE...>",
      "a Terraform or OpenTofu plan as JSON, or a folder of them; - reads the standard input",
      inOrder("plan"),
    )
    .option(
      "--project-root <FOLDER...>",
      "the folder in which paths in the estimate begin, from the repository's root on",
      inOrder("project-root"),
    )
    .option(
      "--workspace <NAME...>",
      "the workspace of all files; with several, each names the files after it",
      inOrder("workspace"),
    )
    .option(
      "--stage <NAME...>",
      "the name of that workspace's stage, if the policy gives another one",
      inOrder("stage"),
    );
}

type FileOption = "infracost" | "infracost-base" | "plan" | "project-root";

interface TypedOption {
  readonly option: FileOption | "workspace" | "stage";
  readonly value: string;
}

/** Each option of files, workspaces and stages holds all of them, in the order in which they were typed. */
export type LocalOptions = OptionsOf<typeof createLocalCommand>;
type StageOptions = OptionsOf<typeof createStageCommand>;

/** How the options above are used, for the help. */
export const LOCAL_PULL_DETAILS =
  "With --workspace, the estimate and the plan of a workspace are one stage, as in a pull request: --workspace production " +
  "--infracost a.json --plan a-plan.json --workspace staging --plan b-plan.json. Without it, each project of an estimate is a stage, " +
  "and so is each plan; a plan joins the estimate of the same code. Each plan in a folder is the workspace that is called like its path there: " +
  "envs/prod/tfplan.json is envs/prod. What the options do not say of the pull request is unknown: a " +
  "rule whose scope depends on it is undecided, unless the rule has the same result either way.";

/**
 * Evaluates the files that the options name, and writes its notes; null: the policy is invalid, and its problems are written. Throws
 * `usage` where it is not clear which files are given for which workspaces.
 */
export async function evaluateLocalPull(
  options: LocalOptions & { readonly policy?: string | undefined },
  output: Output,
  withPolicies: typeof withPolicyThread,
): Promise<Extract<Preview, { state: "previewed" }> | null> {
  const input = {
    ...localPull(options),
    policy: await policyText(options.policy),
    nowMs: systemClock.now(),
  };
  const preview = await withPolicies((perform) => previewPull(input, perform));
  if (preview.state === "policy_invalid") {
    for (const problem of preview.problems) output.message(formatProblem(problem));
    return null;
  }
  for (const note of preview.notes) output.message(`note: ${note}`);
  return preview;
}

function localPull(options: LocalOptions): Pick<PreviewInput, "estimates" | "plans" | "named" | "pull"> {
  const { base, author, label, path } = options;
  const pull = {
    base,
    author: author?.toLowerCase() ?? null,
    labels: label?.filter((value) => value !== "") ?? null,
    paths: path?.filter((value) => value !== "") ?? null,
  };
  return { ...selectFiles(options), pull };
}

/** The files by workspace where one is named, else all of them. Throws `usage` where it is not clear which files are whose. */
function selectFiles(options: StageOptions): PreviewFiles {
  const typed = listTyped(options);
  if (options.workspace !== undefined || options.stage !== undefined)
    return { estimates: [], plans: [], named: namedStages(typed) };
  return { estimates: readEstimates(typed), plans: listFiles(typed, "plan").flatMap(listPlans), named: [] };
}

const listFiles = (typed: readonly TypedOption[], wanted: FileOption): readonly string[] =>
  typed.filter(({ option }) => option === wanted).map(({ value }) => value);

/** The estimates, each with its base: the first with the first. */
function readEstimates(typed: readonly TypedOption[]): readonly EstimateInput[] {
  const [estimates, bases] = [listFiles(typed, "infracost"), listFiles(typed, "infracost-base")];
  if (bases.length > 0 && bases.length !== estimates.length)
    throw usageError(
      `There are ${estimates.length} estimates and ${bases.length} of a base: give none, or one --infracost-base for each --infracost.`,
    );
  const roots = listFiles(typed, "project-root");
  if (roots.length > 1 && roots.length !== estimates.length)
    throw usageError(
      `There are ${estimates.length} estimates and ${roots.length} folders of them: give one --project-root, or one for each.`,
    );
  return estimates.map((file, at) => estimateFile(file, { base: bases[at], root: roots[at] ?? roots[0] }));
}

/**
 * The files of a job, as `selectFiles` selects them. Without a name and a folder of plans, all files are those of the workspace "default".
 * Throws `usage` without any file.
 */
export function readTypedFiles(options: StageOptions): PreviewFiles {
  if (options.infracost === undefined && options.plan === undefined)
    throw usageError("There is nothing to evaluate: give --infracost FILE, --plan FILE or both.");
  const hasFolder = listFiles(options.plan ?? [], "plan").some(isFolder);
  if (options.workspace !== undefined || options.stage !== undefined || hasFolder)
    return selectFiles(options);
  const typed = [{ option: "workspace" as const, value: DEFAULT_WORKSPACE }, ...listTyped(options)];
  return { estimates: [], plans: [], named: namedStages(typed) };
}

/** All options of files, workspaces and stages in the order in which they were typed. */
function listTyped(options: StageOptions): readonly TypedOption[] {
  const { infracost, infracostBase, plan, projectRoot, workspace, stage } = options;
  const typed = infracost ?? infracostBase ?? plan ?? projectRoot ?? workspace ?? stage ?? [];
  if (typed.filter((one) => isFile(one) && one.value === "-").length > 1)
    throw usageError("The standard input can be one file only.");
  return typed;
}

const isFile = ({ option }: TypedOption): boolean =>
  option !== "workspace" && option !== "stage" && option !== "project-root";

/** A workspace as far as it was typed; null: its stage is named, and it is called the same. */
interface WorkspaceInput {
  workspace: string | null;
  readonly stages: string[];
  readonly files: TypedOption[];
}

/** With one workspace all files are its; with several, a file is of the last one that was named before it. */
function namedStages(options: readonly TypedOption[]): readonly NamedStage[] {
  const all: WorkspaceInput[] = [];
  const early: TypedOption[] = [];
  let current: WorkspaceInput | null = null;
  for (const typed of options) {
    if (typed.option === "workspace") current = workspaceIn(all, current, typed.value);
    else if (typed.option === "stage") current = createStageKey(all, current, typed.value);
    else (current?.files ?? early).push(typed);
  }
  const [first, ...others] = all;
  if (others.length === 0) first?.files.push(...early);
  else if (early[0] !== undefined)
    throw usageError(
      `${early[0].value} stands before the first --workspace; with several, each --workspace names the files after it.`,
    );
  return all.map(namedStage);
}

function workspaceIn(
  all: WorkspaceInput[],
  current: WorkspaceInput | null,
  workspace: string,
): WorkspaceInput {
  const known = all.find((typed) => typed.workspace === workspace);
  if (known !== undefined) return known;
  if (current !== null && current.workspace === null && current.files.length === 0)
    return Object.assign(current, { workspace });
  return added(all, { workspace, stages: [], files: [] });
}

function createStageKey(
  all: WorkspaceInput[],
  current: WorkspaceInput | null,
  stage: string,
): WorkspaceInput {
  const typed =
    current === null || (current.workspace === null && current.files.length > 0)
      ? added(all, { workspace: null, stages: [], files: [] })
      : current;
  typed.stages.push(stage);
  return typed;
}

function added(all: WorkspaceInput[], typed: WorkspaceInput): WorkspaceInput {
  all.push(typed);
  return typed;
}

function namedStage({ workspace, stages, files }: WorkspaceInput): NamedStage {
  const [stage = null, ...others] = [...new Set(stages)];
  const name = workspace ?? stage ?? "";
  if (others.length > 0) throw usageError(`The workspace ${name} has two names, ${stage} and ${others[0]}.`);
  if (!files.some(isFile))
    throw usageError(
      `The workspace ${name} has no file: give --infracost FILE, --plan FILE or both after it.`,
    );
  const refuseSecond = (option: FileOption, kinds: string) => {
    const [file, second] = listFiles(files, option);
    if (second !== undefined)
      throw usageError(
        `The workspace ${name} has two ${kinds}, ${file} and ${second}; it has one estimate and one plan at most.`,
      );
  };
  refuseSecond("infracost", "estimates");
  refuseSecond("infracost-base", "estimates of the base");
  refuseSecond("plan", "plans");
  const [estimate = null] = readEstimates(files);
  const [planPath] = listFiles(files, "plan");
  if (planPath !== undefined && isFolder(planPath))
    throw usageError(
      `${planPath} is a folder of plans, and each plan in it is a workspace of its own: leave out --workspace and --stage.`,
    );
  const plan = planPath === undefined ? null : inputFile(planPath);
  return { workspace: name, stage, estimate, plan };
}
