import type { PreviewInput } from "../wiring/preview/preview.ts";
import type { NamedStage } from "../wiring/preview/read-stages.ts";
import { wrong } from "./arguments.ts";
import type { Command, CommandArguments } from "./command.ts";
import { inputFile } from "./input-file.ts";

/** Files of this machine that a command reads in place of a pull request. */
export const LOCAL_FILES = {
  infracost: {
    value: "FILE",
    multiple: true,
    about: "an Infracost estimate as JSON; - reads the standard input",
  },
  plan: {
    value: "FILE",
    multiple: true,
    about: "a Terraform or OpenTofu plan as JSON; - reads the standard input",
  },
} as const satisfies Command["options"];

/** What is said of the files and of the pull request. */
export const LOCAL_PULL = {
  workspace: {
    value: "NAME",
    multiple: true,
    about: "the workspace of all files; with several, each names the files after it",
  },
  stage: {
    value: "NAME",
    multiple: true,
    about: "the name of that workspace's stage, if it is not the one that the policy gives",
  },
  base: { value: "BRANCH", about: "the branch to merge into (main)" },
  author: { value: "LOGIN", about: "the author of the pull request" },
  label: { value: "LABEL", multiple: true, mayBeEmpty: true, about: "a label that it has; '' for none" },
  path: { value: "PATH", multiple: true, mayBeEmpty: true, about: "a file that it changes; '' for none" },
} as const satisfies Command["options"];

/** How the options above are used, for the help. */
export const LOCAL_PULL_DETAILS =
  "With --workspace, the estimate and the plan of a workspace are one stage, as in a pull request: --workspace production " +
  "--infracost a.json --plan a-plan.json --workspace staging --plan b-plan.json. Without it, each project of an estimate is a stage, " +
  "and so is each plan; a plan joins the estimate of the same code. What is not said of the pull request is unknown: a rule whose " +
  "scope asks for it is undecided, unless it is met either way.";

/** Which files are given, for which workspaces and which pull request. Throws `usage` where that is not clear. */
export function localPull(
  command: string,
  given: CommandArguments,
): Pick<PreviewInput, "estimates" | "plans" | "named" | "pull"> {
  const [estimates, plans] = [given.all("infracost"), given.all("plan")];
  if ([...estimates, ...plans].filter((file) => file === "-").length > 1)
    throw wrong(command, "The standard input can be one file only.");
  const pull = {
    base: given.value("base") ?? "main",
    author: given.value("author")?.toLowerCase() ?? null,
    labels: saidOf(given, "label"),
    paths: saidOf(given, "path"),
  };
  if (given.has("workspace") || given.has("stage"))
    return { estimates: [], plans: [], named: namedStages(command, given), pull };
  return { estimates: estimates.map(inputFile), plans: plans.map(inputFile), named: [], pull };
}

/** Null: nothing is said. */
const saidOf = (given: CommandArguments, option: "label" | "path"): readonly string[] | null =>
  given.has(option) ? given.all(option).filter((value) => value !== "") : null;

/** A workspace as far as it was typed; null: its stage is named, and it is called the same. */
interface WorkspaceInput {
  workspace: string | null;
  readonly stages: string[];
  readonly files: TypedFile[];
}

interface TypedFile {
  readonly option: string;
  readonly value: string;
}

/** With one workspace all files are its; with several, a file is of the last one that was named before it. */
function namedStages(command: string, given: CommandArguments): readonly NamedStage[] {
  const all: WorkspaceInput[] = [];
  const early: TypedFile[] = [];
  let current: WorkspaceInput | null = null;
  for (const typed of given.inOrder(["workspace", "stage", "infracost", "plan"])) {
    if (typed.option === "workspace") current = workspaceIn(all, current, typed.value);
    else if (typed.option === "stage") current = stageIn(all, current, typed.value);
    else (current?.files ?? early).push(typed);
  }
  const [first, ...others] = all;
  if (others.length === 0) first?.files.push(...early);
  else if (early[0] !== undefined)
    throw wrong(
      command,
      `${early[0].value} stands before the first --workspace; with several, each --workspace names the files after it.`,
    );
  return all.map((typed) => namedStage(command, typed));
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

function stageIn(all: WorkspaceInput[], current: WorkspaceInput | null, stage: string): WorkspaceInput {
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

function namedStage(command: string, { workspace, stages, files }: WorkspaceInput): NamedStage {
  const [stage = null, ...others] = [...new Set(stages)];
  const name = workspace ?? stage ?? "";
  if (others.length > 0)
    throw wrong(command, `The workspace ${name} has two names, ${stage} and ${others[0]}.`);
  if (files.length === 0)
    throw wrong(
      command,
      `The workspace ${name} has no file: give --infracost FILE, --plan FILE or both after it.`,
    );
  const one = (option: "infracost" | "plan", kinds: string) => {
    const [file, second] = files.filter((typed) => typed.option === option).map(({ value }) => value);
    if (second !== undefined)
      throw wrong(
        command,
        `The workspace ${name} has two ${kinds}, ${file} and ${second}; it has one estimate and one plan at most.`,
      );
    return file === undefined ? null : inputFile(file);
  };
  return { workspace: name, stage, estimate: one("infracost", "estimates"), plan: one("plan", "plans") };
}
