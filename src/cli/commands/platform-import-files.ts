import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { IMPORT_KINDS, type ImportKindName, type ImportOutcome } from "../../platform/contract/imports.ts";
import { connectForImport } from "../../wiring/import/client.ts";
import { importFile } from "../../wiring/import/file.ts";
import type { ResolveLocalPlatform } from "../../wiring/import/run.ts";
import { wrong } from "../arguments.ts";
import type { CommandArguments, ExitCode, OptionSpec, Output } from "../command.ts";
import { inputFile } from "../input-file.ts";
import { checkAddress, IMPORT, platformOf } from "../platform-address.ts";

const ABOUT: Readonly<Record<ImportKindName, string>> = {
  recommendations: "recommended savings",
  anomalies: "anomalies of cost",
  evaluations: "evaluations of governance rules",
  billing: "cost and usage per day, for unit metrics and anomalies",
  prompts: "prompts and sample rules of governance",
  perspectives: "perspectives, which costs are looked at through",
};
const FILE: Readonly<Record<string, OptionSpec>> = Object.fromEntries(
  IMPORT_KINDS.map((kind) => [kind, { value: "FILE", about: `${ABOUT[kind]}, one JSON object to a line` }]),
);

/** One flag for each kind of thing. */
export const FILE_OPTIONS = FILE;

export interface NamedFile {
  readonly kind: ImportKindName;
  /** `-`: the standard input. */
  readonly path: string;
}

/** The files of things that are given, in the order in which the kinds are listed. */
export const givenFiles = (given: CommandArguments): readonly NamedFile[] =>
  IMPORT_KINDS.flatMap((kind) => {
    const path = given.value(kind);
    return path === null ? [] : [{ kind, path }];
  });

interface FileImportResult extends ImportOutcome {
  readonly kind: ImportKindName;
  readonly file: string;
  /** Why the file as a whole was refused; absent: it was read. */
  readonly refused?: string;
}

/** Imports each file, whole or not at all; one that is refused does not keep the next from being imported. */
export async function importFiles(
  { given, files }: { readonly given: CommandArguments; readonly files: readonly NamedFile[] },
  output: Output,
  resolveLocal: ResolveLocalPlatform,
): Promise<ExitCode> {
  refuseRunOptions(given, files);
  checkAddress(given);
  const reachable = await platformOf(given, resolveLocal);
  const client = connectForImport(reachable, { clock: systemClock, random: Math.random, sleep });
  const retrying = { tries: 5, pauseMs: 500, sleep };
  const ended: FileImportResult[] = [];
  try {
    for (const { kind, path } of files) {
      const { file, bytes } = inputFile(path);
      const upload = randomUUID().replaceAll("-", "");
      const outcome = await importFile(client, { kind, upload, bytes }, retrying).catch(refusal);
      ended.push({ kind, file, ...outcome });
      tell({ kind, file, ...outcome }, output);
    }
  } finally {
    await client.close();
    await reachable.close();
  }
  show(ended, given, output);
  return ended.every(({ rows }) => rows > 0) ? 0 : 2;
}

/** A file that is no such file is told like one with problems, and the next one has its turn; other failures end the command. */
function refusal(error: unknown): ImportOutcome & { readonly refused: string } {
  if (!(error instanceof TollgateError) || !FILE_CODES.has(error.code)) throw error;
  const words = [error.message, error.hint].filter((text) => text !== undefined).join(". ");
  return { rows: 0, problems: [], more: 0, refused: words };
}

const FILE_CODES: ReadonlySet<string> = new Set(["file_unreadable", "file_not_recognised"]);

function refuseRunOptions(given: CommandArguments, files: readonly NamedFile[]): void {
  const flags = files.map(({ kind }) => `--${kind}`).join(", ");
  const ofRun = [...RUN_OPTIONS].filter((option) => given.value(option) !== null);
  if (ofRun.length > 0) {
    throw new TollgateError("usage", `--${ofRun[0]} does not go with ${flags}.`, {
      hint: "A plan or estimate is the record of one run, the other files are of a whole account: import them with two commands.",
    });
  }
  if (files.filter(({ path }) => path === "-").length > 1)
    throw wrong(IMPORT, "The standard input can be one file only.");
}

const RUN_OPTIONS: readonly string[] = [
  ...["plan", "infracost", "org", "project", "workspace"],
  ...["repository", "sha", "branch", "pipeline", "execution"],
];

function tell({ file, problems, more, rows, refused }: FileImportResult, output: Output): void {
  for (const { line, field, problem } of problems)
    output.message(`${file}:${line}: ${field === "" ? "" : `${field}: `}${problem}`);
  if (more > 0) output.message(`${file}: and ${number(more)} further problem${more === 1 ? "" : "s"}`);
  if (refused !== undefined) output.message(`${file}: ${refused}`);
  else if (rows === 0 && problems.length === 0) output.message(`${file}: there is no line in it`);
  if (rows === 0) output.message(`nothing of ${file} was imported`);
}

function show(ended: readonly FileImportResult[], given: CommandArguments, output: Output): void {
  if (given.has("json")) {
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
