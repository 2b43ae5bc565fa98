import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { isPlatformId, isScopeName, parseSha, SCOPE_NAME } from "../../kernel/ids.ts";
import {
  IMPORT_KINDS,
  type ImportKindName,
  type ImportOutcome,
} from "../../platform/contract/own-operations.ts";
import { type ClientSettings, readClientSettings } from "../../settings/ci.ts";
import { readEnvironment } from "../../settings/read.ts";
import type { ServerAccess } from "../../wiring/import/call-server.ts";
import { importFile } from "../../wiring/import/file.ts";
import type { ResolveLocalPlatform } from "../../wiring/import/run.ts";
import {
  type Destination,
  findJobDestination,
  type ImportPlatform,
  type SentExecution,
  type SentFiles,
  sendFiles,
  withPlatform,
} from "../../wiring/import/send-files.ts";
import { resolveLocalPlatform } from "../../wiring/platform/local.ts";
import { type ExitCode, type MakeCommand, type OptionsOf, type Output, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { estimateFile, inputFile } from "../input-file.ts";
import { isFolder, listPlans } from "../plan-folder.ts";
import { createAddressCommand, resolveAddress, resolveJobServer } from "../platform-address.ts";

/** `resolveLocal` finds the platform of this machine when no address is given. */
export const platformImportCommand =
  (resolveLocal = resolveLocalPlatform): MakeCommand =>
  (output) => {
    const command = createCommand();
    addFileOptions(command);
    return command.action(async (options) => {
      const files = namedFiles(options);
      if (files.length === 0) return runImport(options, output, resolveLocal);
      for (const option of command.options)
        if (
          OF_EXECUTION.includes(option.name()) &&
          command.getOptionValueSource(option.attributeName()) === "cli"
        )
          throw notTogether(option.name(), files);
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
    .option(
      "--plan <FILE>",
      "a Terraform or OpenTofu plan as JSON, or a folder of them; - reads the standard input",
    )
    .option("--nothing-to-plan", "state that there is nothing to plan for the workspace, instead of files")
    .option("--infracost <FILE>", "an Infracost estimate as JSON; - reads the standard input")
    .option("--infracost-base <FILE>", "the estimate of the base, for one that does not compare")
    .option(
      "--project-root <FOLDER>",
      "folder in which paths in the estimate begin, from the repository's root on",
    )
    .option("--branch <BRANCH>", "the branch of the commit")
    .option("--pipeline <PIPELINE>", "name of the pipeline that made the files", "import")
    .option("--execution <ID>", "id of an execution whose import is repeated (default: a new one)")
    .option("--json", "print the result as JSON")
    .addHelpText("after", DETAILS);

type ImportOptions = OptionsOf<typeof createCommand>;

const DETAILS = paragraphs(
  "With --plan or --infracost: --org, --project, --workspace, --repository and --sha identify the execution. A token made with " +
    "`--for import --repository` says org, project and repository. In a GitHub Actions job with `permissions: id-token: write` and TOLLGATE_URL, only --workspace is needed: no token is " +
    "stored, and the server reads repository and commit from the job's id token.",
  "Sensitive values are masked before anything is sent. All projects of the estimate become one stage.",
  "--nothing-to-plan ends the wait for --workspace at this commit: comment and check name who stated it, and an execution of the workspace has precedence.",
  "A folder of plans takes the place of --workspace: each plan in it is a stage, and its workspace is called like its path there: " +
    "envs/prod/tfplan.json is envs/prod. The projects of the estimate join the plans of the same code.",
  "Prints the id of the execution. Repeat a failed import with --execution and that id.",
  "The other files contain data of a whole account that is computed elsewhere. Each file is imported whole or, when a " +
    "line of it has a problem, not at all. docs/platform-reference.md describes the lines.",
);

/** Options of one execution, which do not go with the files of an account. */
const OF_EXECUTION = [
  ...["plan", "nothing-to-plan", "infracost", "infracost-base", "project-root", "org", "project"],
  ...["workspace", "repository", "sha", "branch", "pipeline", "execution"],
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
  const client = readClientSettings(readEnvironment());
  const job = resolveJobServer(options, client);
  // A missing token comes first: with an id token the other options need not be given.
  const { url, token } = job === null ? resolveAddress(options, client) : {};
  const isWhole = [options.org, options.project, options.repository].every((one) => one !== undefined);
  const server = job ?? (isWhole || url === undefined || token === undefined ? null : { url, token });
  const isOfFolder = options.plan !== undefined && isFolder(options.plan);
  const needed = NEEDED.filter(
    ([option]) =>
      (server === null || (option === "sha" && job === null) || option === "workspace") &&
      (option !== "workspace" || !isOfFolder),
  );
  requireOptions(options, needed);
  const findDestination =
    server === null ? readDestination(options, client) : createBoundDestination(options, server);
  const { onPage, end } = startProgress(
    output,
    `the changes of ${options.workspace ?? options.plan}`,
    systemClock,
  );
  const sent = await sendFiles(readSentFiles(options), {
    ...{ findDestination, resolveLocal, retrying: RETRYING, onPage },
    note: (text) => output.message(text),
  }).finally(end);
  output.result(options.json ? asJson(sent, isOfFolder) : sent.executionId);
}

const RETRYING = { tries: 5, pauseMs: 500, sleep } as const;

/** The stage of a workspace; of a folder, a list of them. */
function asJson({ destination, executionId, stages }: SentExecution, isList: boolean): string {
  const { org, project, repository, sha } = destination;
  const described = stages.map(({ workspace, stageId, pages }) => {
    const ids = { pipeline_execution_id: executionId, pipeline_stage_id: stageId };
    return { org, project, workspace, ...ids, repository, sha, pages };
  });
  return JSON.stringify(isList ? described : described[0]);
}

/** A job's id token, or a token for imports, says which repository and project it is for; options only choose among several. */
function createBoundDestination(
  { org, project, sha, repository }: ImportOptions,
  server: ServerAccess,
): () => Promise<Destination> {
  return async () => {
    const found = await findJobDestination(server, { org, project, sha }, RETRYING);
    if (repository === undefined || repository.toLowerCase() === found.repository.toLowerCase()) return found;
    throw usageError(
      `--repository ${repository}: the token is for ${found.repository}; leave the option out.`,
    );
  };
}

type OptionName = "org" | "project" | "workspace" | "repository" | "sha";

/** What an execution needs. Not mandatory for commander, because the other files do not need it. */
const NEEDED: readonly (readonly [OptionName, string])[] = [
  ["org", "ORG"],
  ["project", "PROJECT"],
  ["workspace", "WORKSPACE"],
  ["repository", "OWNER/NAME"],
  ["sha", "SHA"],
];

/** Throws `usage` that names every missing option of an execution. */
function requireOptions(options: ImportOptions, needed: typeof NEEDED): void {
  const missing = needed
    .filter(([option]) => options[option] === undefined)
    .map(([option, value]) => `--${option} ${value}`);
  const { plan, infracost, nothingToPlan } = options;
  if (nothingToPlan && (plan ?? infracost) !== undefined)
    throw usageError("--nothing-to-plan does not go with --plan and --infracost; leave them out.");
  const nothing = !nothingToPlan && plan === undefined && infracost === undefined;
  if (nothing && (missing.length === 0 || missing.length === needed.length))
    throw usageError(
      "There is nothing to import: give --plan FILE, --infracost FILE, --nothing-to-plan, or one of the files of an account.",
    );
  const all = nothing ? [...missing, "--plan FILE or --infracost FILE"] : missing;
  if (all.length === 0) return;
  const words = new Intl.ListFormat("en-GB").format(all);
  throw usageError(`${words} ${all.length === 1 ? "is" : "are"} missing.`);
}

function readDestination(options: ImportOptions, client: ClientSettings): () => Promise<Destination> {
  const repository = parseRepository(options.repository ?? "");
  if (repository === null)
    throw usageError("--repository is neither OWNER/NAME nor the address of a repository.");
  const sha = parseSha((options.sha ?? "").toLowerCase());
  if (sha === null) throw usageError("--sha is not a full commit id of 40 (or 64) hex digits.");
  const destination = {
    platform: resolveAddress(options, client),
    ...{ org: requireScopeName(options, "org"), project: requireScopeName(options, "project"), sha },
    ...{ repository: `${repository.owner}/${repository.name}`, repositoryUrl: repository.url },
  };
  return () => Promise.resolve(destination);
}

function readSentFiles({
  workspace,
  branch = "",
  pipeline,
  plan,
  infracost,
  infracostBase: base,
  projectRoot,
  execution,
  nothingToPlan,
}: ImportOptions): SentFiles {
  if ((workspace?.length ?? 0) > 128) throw usageError("--workspace has more than 128 characters.");
  const executionId = execution ?? randomUUID().replaceAll("-", "");
  if (!isPlatformId(executionId))
    throw usageError(
      `--execution ${JSON.stringify(executionId)} is no id of the platform: 1 to 128 letters, digits or _ . $ -`,
    );
  if ([plan, infracost, base].filter((file) => file === "-").length > 1)
    throw usageError("The standard input can be one file only.");
  if (base !== undefined && infracost === undefined)
    throw usageError("--infracost-base is the state before of --infracost FILE, which is missing.");
  const plans = plan === undefined ? [] : listPlans(plan);
  const estimates = infracost === undefined ? [] : [estimateFile(infracost, { base, root: projectRoot })];
  const about = { branch, pipeline, executionId, nothingToPlan: nothingToPlan === true };
  if (workspace === undefined) return { ...about, files: { estimates, plans, named: [] } };
  const [first = null] = plans;
  if (first?.unit !== undefined)
    throw usageError(
      `${plan} is a folder of plans, and each plan in it is a workspace of its own: leave out --workspace.`,
    );
  const named = [{ workspace, plan: first, estimate: estimates[0] ?? null }];
  return { ...about, files: { estimates: [], plans: [], named } };
}

function requireScopeName(options: ImportOptions, option: "org" | "project"): string {
  const name = options[option] ?? "";
  if (isScopeName(name)) return name;
  throw usageError(`--${option} ${JSON.stringify(name)} cannot name one: ${SCOPE_NAME}`);
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

const ABOUT: Readonly<Record<ImportKindName, string>> = {
  recommendations: "recommended savings",
  anomalies: "anomalies of cost",
  evaluations: "evaluations of governance rules",
  billing: "cost and usage per day, for unit metrics and anomalies",
  prompts: "prompts and sample rules of governance",
  perspectives: "perspectives: named selections of costs",
};

/** Adds one option for each kind of data. */
function addFileOptions(command: CommandUnknownOpts): void {
  for (const kind of IMPORT_KINDS)
    command.option(`--${kind} <FILE>`, `${ABOUT[kind]}, one JSON object to a line`);
}

interface NamedFile {
  readonly kind: ImportKindName;
  /** `-`: the standard input. */
  readonly path: string;
}

/** The files that the options of `addFileOptions` name, in the order of the kinds. */
const namedFiles = (options: object): readonly NamedFile[] =>
  IMPORT_KINDS.flatMap((kind) => {
    const path = new Map<string, unknown>(Object.entries(options)).get(kind);
    return typeof path === "string" ? [{ kind, path }] : [];
  });

interface FileImportResult extends ImportOutcome {
  readonly kind: ImportKindName;
  readonly file: string;
  /** Why the file as a whole was refused; absent: it was read. */
  readonly refused?: string;
}

interface FileImportOptions extends ImportPlatform {
  readonly files: readonly NamedFile[];
  readonly json?: true | undefined;
}

/** Imports each file, whole or not at all; one that is refused does not keep the next from being imported. */
async function importFiles(
  options: FileImportOptions,
  output: Output,
  resolveLocal: ResolveLocalPlatform,
): Promise<ExitCode> {
  const { files } = options;
  if (files.filter(({ path }) => path === "-").length > 1)
    throw usageError("The standard input can be one file only.");
  const platform = resolveAddress(options, readClientSettings(readEnvironment()));
  const retrying = { tries: 5, pauseMs: 500, sleep };
  const ended: FileImportResult[] = [];
  await withPlatform(platform, resolveLocal, async (client) => {
    for (const { kind, path } of files) {
      const { file, bytes } = inputFile(path);
      const upload = randomUUID().replaceAll("-", "");
      const { onPage, end } = startProgress(output, file, systemClock);
      const sending = importFile(client, { kind, upload, bytes }, retrying, onPage);
      const outcome = await sending.catch(refusal).finally(end);
      ended.push({ kind, file, ...outcome });
      printProblems({ kind, file, ...outcome }, output);
    }
  });
  printResults(ended, options.json === true, output);
  return ended.every(({ rows }) => rows > 0) ? 0 : 2;
}

/** An unreadable file is reported like one with problems, and the next one follows; other failures end the command. */
function refusal(error: unknown): ImportOutcome & { readonly refused: string } {
  if (!(error instanceof TollgateError) || !FILE_CODES.has(error.code)) throw error;
  const words = [error.message, error.hint].filter((text) => text !== undefined).join(". ");
  return { rows: 0, problems: [], more: 0, refused: words };
}

const FILE_CODES: ReadonlySet<string> = new Set(["file_unreadable", "file_not_recognised"]);

function printProblems({ file, problems, more, rows, refused }: FileImportResult, output: Output): void {
  for (const { line, field, problem } of problems)
    output.message(`${file}:${line}: ${field === "" ? "" : `${field}: `}${problem}`);
  if (more > 0) output.message(`${file}: and ${number(more)} further problem${more === 1 ? "" : "s"}`);
  if (refused !== undefined) output.message(`${file}: ${refused}`);
  else if (rows === 0 && problems.length === 0) output.message(`${file}: there is no line in it`);
  if (rows === 0) output.message(`nothing of ${file} was imported`);
}

function printResults(ended: readonly FileImportResult[], isJson: boolean, output: Output): void {
  if (isJson) {
    const files = ended.map(({ kind, file, rows, problems, more, refused }) => ({
      ...{ kind, file, imported: rows, problems, more },
      ...(refused === undefined ? {} : { refused }),
    }));
    output.result(JSON.stringify(files));
    return;
  }
  for (const { kind, rows } of ended) if (rows > 0) output.result(`imported ${counted(rows, kind)}`);
}

const NOUNS: Readonly<Record<ImportKindName, readonly [one: string, many: string]>> = {
  recommendations: ["recommendation", "recommendations"],
  anomalies: ["anomaly", "anomalies"],
  evaluations: ["evaluation", "evaluations"],
  billing: ["line of billing", "lines of billing"],
  prompts: ["prompt", "prompts"],
  perspectives: ["perspective", "perspectives"],
};

const counted = (rows: number, kind: ImportKindName): string =>
  `${number(rows)} ${NOUNS[kind][rows === 1 ? 0 : 1]}`;

const number = (value: number): string => value.toLocaleString("en-US");

/** An import that ends earlier shows no progress, in ms. */
const QUIET_MS = 2_000;

export interface ImportProgress {
  /** Takes the number of pages of a file that were sent. */
  readonly onPage: (pages: number) => void;
  end(): void;
}

/** Shows how far a long import is, to a person at a terminal. */
export function startProgress({ progress }: Output, what: string, clock: Clock): ImportProgress {
  const startedMs = clock.monotonicMs();
  let isShown = false;
  return {
    onPage: (pages) => {
      const ms = clock.monotonicMs() - startedMs;
      if (progress === undefined || ms < QUIET_MS) return;
      isShown = true;
      progress(`sending ${what}: ${pages} ${pages === 1 ? "page" : "pages"}, ${Math.floor(ms / 1000)} s`);
    },
    end: () => {
      if (isShown) progress?.(null);
    },
  };
}
