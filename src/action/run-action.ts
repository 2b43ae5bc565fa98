import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, YAMLError } from "yaml";
import { z } from "zod";
import type { CommandRow, ExitCode } from "../cli/command.ts";
import { DEFAULT_WORKSPACE, isFolder } from "../cli/plan-folder.ts";
import { run } from "../cli/run.ts";
import { TollgateError } from "../kernel/errors.ts";
import { PARSE_OPTIONS } from "../kernel/parse-options.ts";
import type { Environment } from "../settings/read.ts";

export interface ActionHost {
  readonly environment: Environment;
  readonly print: (line: string) => void;
  readonly changeDirectory: (path: string) => void;
}

/** Runs the Action by the inputs in its environment. Returns the step's exit code. */
export async function runAction(host: ActionHost): Promise<ExitCode> {
  const messages: string[] = [];
  try {
    const inputs = readInputs(host.environment);
    if (inputs.token !== "") host.print(formatRunnerCommand("add-mask", inputs.token));
    host.changeDirectory(inputs.workingDirectory);
    const code = await MODES[inputs.mode](host, inputs, messages);
    if (code !== 0)
      host.print(annotate(messages.join("\n") || (inputs.mode === "verify" ? VERIFY_WORDS : WORDS)[code]));
    return code;
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error;
    host.print(annotate(error.message));
    if (error.hint !== undefined) host.print(error.hint);
    return 2;
  }
}

const annotate = (text: string): string => formatRunnerCommand("error", text, { title: "Tollgate" });

const WORDS: Readonly<Record<ExitCode, string>> = {
  0: "passed",
  1: "The policy blocks this pull request. The comment says why, and who can approve it.",
  2: "Something could not be read or written.",
  3: "A rule is undecided, so the merge is held. The comment says what is missing.",
};

const VERIFY_WORDS: typeof WORDS = {
  ...WORDS,
  1: "The apply exceeds what was evaluated. The summary lists the differences.",
  3: "It is not known whether the apply does what was evaluated, so it is held. The summary says why.",
};

const Report = z.object({
  conclusion: z.string().nullable(),
  report: z
    .object({ totals: z.array(z.object({ currency: z.string().nullable(), change: z.string().nullable() })) })
    .nullable(),
});

async function check(host: ActionHost, inputs: ActionInputs, messages: string[]): Promise<ExitCode> {
  const { environment } = host;
  const report = join(environment["RUNNER_TEMP"] || tmpdir(), "tollgate-report.json");
  const words = buildCheckWords(inputs, { report, summary: environment["GITHUB_STEP_SUMMARY"] || null });
  const jobEnvironment = { ...environment, GITHUB_TOKEN: inputs.token || environment["GITHUB_TOKEN"] };
  rmSync(report, { force: true }); // of an earlier step of the job
  const load = async () => (await import("../cli/commands/ci.ts")).ciCommand(() => jobEnvironment);
  const code = await runWords(host, [{ name: "ci", summary: "", load }], { words, messages });
  const { GITHUB_OUTPUT: outputs = "" } = environment;
  if (!existsSync(report))
    messages.splice(1); // the first says what is wrong, the others what helps
  else if (outputs !== "") writeOutputs(outputs, { ...readOutputs(report), report });
  return code;
}

function readOutputs(report: string): Readonly<Record<"conclusion" | "change", string>> {
  const { conclusion, report: found } = Report.parse(JSON.parse(readFileSync(report, "utf8")));
  const totals = found?.totals ?? [];
  const isKnown = totals.every(({ change, currency }) => change !== null && currency !== null);
  return {
    conclusion: conclusion ?? "",
    change: isKnown ? totals.map(({ change, currency }) => `${change} ${currency}`).join(", ") : "",
  };
}

async function send(host: ActionHost, inputs: ActionInputs, messages: string[]): Promise<ExitCode> {
  if (inputs.url === "")
    throw new TollgateError(
      "usage",
      "with.url: is missing, mode send needs the address of the Tollgate server",
      {
        hint: "Use mode check to evaluate in this job, without a server.",
      },
    );
  const load = async () => (await import("../cli/commands/platform-import.ts")).platformImportCommand();
  for (const stack of inputs.stacks) {
    const words = buildSendWords(inputs, stack);
    const code = await runWords(host, [{ name: "platform import", summary: "", load }], { words, messages });
    if (code === 0) continue;
    messages.splice(1);
    return code;
  }
  return 0;
}

function verify(host: ActionHost, inputs: ActionInputs, messages: string[]): Promise<ExitCode> {
  const { environment } = host;
  const jobEnvironment = { ...environment, GITHUB_TOKEN: inputs.token || environment["GITHUB_TOKEN"] };
  const words = [
    "verify",
    ...inputs.stacks.flatMap(listFileWords),
    ...(["sha", "base", "url", "tolerance", "app", "check"] as const).flatMap((name) =>
      word(name, inputs[name]),
    ),
    ...word("summary", environment["GITHUB_STEP_SUMMARY"] ?? ""),
  ];
  const load = async () => (await import("../cli/commands/verify.ts")).verifyCommand(() => jobEnvironment);
  return runWords(host, [{ name: "verify", summary: "", load }], { words, messages });
}

const MODES = { check, send, verify } as const;

async function runWords(
  { print }: ActionHost,
  rows: readonly CommandRow[],
  { words, messages }: { readonly words: readonly string[]; readonly messages: string[] },
): Promise<ExitCode> {
  let code: ExitCode = 0;
  await run(rows, words, {
    result: print,
    message: (text) => {
      if (!text.startsWith("note: ")) messages.push(text);
      print(text);
    },
    exit: (ended) => {
      code = ended;
    },
  });
  return code;
}

/** Returns the words after `tollgate` that do what the inputs of mode check ask for. */
const buildCheckWords = (
  inputs: ActionInputs,
  { report, summary }: { readonly report: string; readonly summary: string | null },
): readonly string[] => [
  "ci",
  ...inputs.stacks.flatMap(listFileWords),
  ...word("pull-request", inputs.pullRequest),
  ...word("sha", inputs.sha),
  ...word("organisation-policy", inputs.organisationPolicy),
  ...(inputs.hasPublicFigures ? ["--public-figures"] : []),
  ...word("report", report),
  ...word("summary", summary ?? ""),
];

/** Returns the words after `tollgate` that send one workspace's files to a server. */
const buildSendWords = (inputs: ActionInputs, stack: Stack): readonly string[] => [
  "platform",
  "import",
  ...word("url", inputs.url),
  ...listFileWords(
    stack.workspace === "" && !isFolder(stack.plan ?? "")
      ? { ...stack, workspace: DEFAULT_WORKSPACE }
      : stack,
  ),
  ...(inputs.hasNothingToPlan ? ["--nothing-to-plan"] : []),
  ...word("sha", inputs.sha),
];

const listFileWords = ({
  workspace,
  plan = "",
  infracost = "",
  "infracost-base": base = "",
  "project-root": root = "",
}: Stack): readonly string[] => [
  ...word("workspace", workspace),
  ...word("plan", plan),
  ...word("infracost", infracost),
  ...word("infracost-base", base),
  ...word("project-root", root),
];

/** With `=`, no value is taken for another option. */
const word = (option: string, value: string): readonly string[] =>
  value === "" ? [] : [`--${option}=${value}`];

/** Formats a command of the runner's, such as an annotation: one line on standard output. */
const formatRunnerCommand = (
  command: "error" | "notice" | "add-mask",
  text: string,
  properties: Readonly<Record<string, string>> = {},
): string => {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${[command, named.join(",")].filter((part) => part !== "").join(" ")}::${escapeText(text)}`;
};

const escapeText = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string): string =>
  escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Appends outputs of the step to the runner's file. The separator cannot occur in a value. */
function writeOutputs(file: string, outputs: Readonly<Record<string, string>>): void {
  const end = `end-${randomUUID()}`;
  const lines = Object.entries(outputs).map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`);
  appendFileSync(file, lines.join(""));
}

/** The files of one workspace; empty: it is not named, or `plan` is a folder of plans. */
interface Stack {
  readonly workspace: string;
  readonly plan?: string | undefined;
  readonly infracost?: string | undefined;
  readonly "infracost-base"?: string | undefined;
  readonly "project-root"?: string | undefined;
}

/** The inputs of the Action, as action.yml describes them. Empty texts: not set. */
interface ActionInputs {
  readonly mode: keyof typeof MODES;
  readonly stacks: readonly Stack[];
  readonly pullRequest: string;
  readonly sha: string;
  readonly organisationPolicy: string;
  readonly hasPublicFigures: boolean;
  readonly hasNothingToPlan: boolean;
  readonly token: string;
  readonly url: string;
  readonly base: string;
  readonly tolerance: string;
  readonly app: string;
  readonly check: string;
  readonly workingDirectory: string;
}

const Stacks = z
  .array(
    z.strictObject({
      workspace: z.string().min(1),
      plan: z.string().optional(),
      infracost: z.string().optional(),
      "infracost-base": z.string().optional(),
      "project-root": z.string().optional(),
    }),
  )
  .min(1);

/**
 * Reads the inputs by the runner's convention: `INPUT_` and the name in capitals.
 *
 * @throws TollgateError `usage`
 */
function readInputs(environment: Environment): ActionInputs {
  const get = (name: string): string => (environment[`INPUT_${name.toUpperCase()}`] ?? "").trim();
  const mode = get("mode") || "check";
  if (mode !== "check" && mode !== "send" && mode !== "verify")
    throw createInputError("mode", `is ${JSON.stringify(mode)}, must be check, send or verify`);
  if (mode === "check" && Number(get("job-total") || "1") > 1) throw createMatrixError();
  const hasNothingToPlan = readFlag("nothing-to-plan", get("nothing-to-plan"));
  if (hasNothingToPlan && mode !== "send") throw createInputError("nothing-to-plan", "is for mode send");
  return {
    mode,
    hasNothingToPlan,
    stacks: readStacks(get),
    pullRequest: get("pull-request"),
    sha: get("sha"),
    organisationPolicy: get("organisation-policy"),
    hasPublicFigures: readFlag("public-figures", get("public-figures")),
    token: get("github-token"),
    url: get("url"),
    base: get("base"),
    tolerance: get("tolerance"),
    app: get("app"),
    check: get("check"),
    workingDirectory: get("working-directory") || ".",
  };
}

function readFlag(name: string, text: string): boolean {
  if (/^(true|false)?$/i.test(text)) return text.toLowerCase() === "true";
  throw createInputError(name, `is ${JSON.stringify(text)}, must be true or false`);
}

function readStacks(get: (name: string) => string): readonly Stack[] {
  const text = get("stacks");
  const names = ["plan", "infracost", "infracost-base", "project-root"] as const;
  const single = Object.fromEntries(names.map((name) => [name, get(name) || undefined]));
  if (text === "") return [{ workspace: get("workspace"), ...single }];
  if (Object.values(single).some((file) => file !== undefined))
    throw createInputError("stacks", `does not go with ${names.join(", ")}: write the files into the list`);
  const parsed = Stacks.safeParse(parseYaml(text), PARSE_OPTIONS);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw createInputError("stacks", `${issue?.path.join(".") || "the list"}: ${issue?.message}`);
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLError)
      throw createInputError("stacks", `is no YAML: ${error.message.split("\n")[0]}`);
    throw error;
  }
}

const createInputError = (input: string, problem: string): TollgateError =>
  new TollgateError("usage", `with.${input}: ${problem}`, {
    hint: "docs/ci/README.md describes the inputs, with complete workflows.",
  });

/** Each job of a matrix would write the verdict on its own workspace over that of the others. */
const createMatrixError = (): TollgateError =>
  new TollgateError(
    "usage",
    "mode check in a matrix: the verdict is about all workspaces, and this job has one of them",
    {
      hint: "Let the matrix upload its files, and evaluate them in one job after it: docs/ci/github-actions.md.",
    },
  );
