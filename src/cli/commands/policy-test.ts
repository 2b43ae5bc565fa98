import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { TollgateError } from "../../kernel/errors.ts";
import { toOneLine } from "../../kernel/terminal-text.ts";
import { readCases } from "../../policy/cases/case-schema.ts";
import type { CaseResult } from "../../policy/cases/evaluate-case.ts";
import { formatProblem, type PolicyProblem } from "../../policy/model/policy.ts";
import type { PerformTask } from "../../policy/task.ts";
import { withPolicyThread } from "../../wiring/evaluation/policy-tasks.ts";
import type { ExitCode, MakeCommand, Output } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { policyText, readText } from "../input-file.ts";

/** `tollgate policy test`: whether a policy decides made-up pull requests as its authors expect. */
export const policyTestCommand =
  (withPolicies = withPolicyThread): MakeCommand =>
  (output) =>
    new Command()
      .argument("<DIR>", "a directory with files of cases, called *.test.yml, or one such file")
      .option("--json", "print the results as JSON")
      .addHelpText(
        "after",
        paragraphs(
          "Each case describes the costs and changes of a pull request, and the expected outcome of the rules.",
          "Exits 0 when all cases have the expected outcome, 1 when one does not, 2 when a file cannot be read.",
        ),
      )
      .action(async (directory, { json }) => {
        const ran: RanFile[] = [];
        await withPolicies(async (perform) => {
          for (const file of caseFilesIn(directory)) ran.push(await runCases(file, perform));
        });
        if (json) output.result(JSON.stringify(asJson(ran), null, 2));
        else printResults(ran, output);
        output.exit(getExitCode(ran));
      });

const failed = ({ differences }: CaseResult): boolean => differences.length > 0;
const resultsIn = (ran: readonly RanFile[]) =>
  ran.flatMap((file) => (file.state === "ran" ? file.results : []));

function getExitCode(ran: readonly RanFile[]): ExitCode {
  if (ran.some(({ state }) => state === "invalid")) return 2;
  return resultsIn(ran).some(failed) ? 1 : 0;
}

function printFile(file: RanFile, output: Output): void {
  const isWrong = file.state === "invalid";
  const lines = isWrong ? file.problems.map(formatProblem) : failuresIn(file);
  for (const line of lines) (isWrong ? output.message : output.result)(toOneLine(line));
}

function printResults(ran: readonly RanFile[], output: Output): void {
  for (const file of ran) printFile(file, output);
  const results = resultsIn(ran);
  const failures = results.filter(failed).length;
  const cases = `${results.length} ${results.length === 1 ? "case" : "cases"}`;
  output.result(failures === 0 ? `${cases} as expected` : `${failures} of ${cases} not as expected`);
}

const failuresIn = ({ file, results }: Extract<RanFile, { state: "ran" }>): readonly string[] =>
  results
    .filter(failed)
    .flatMap(({ name, differences }) => [
      `✗ ${file}: ${name}`,
      ...differences.flatMap(({ what, expected, found }) => [
        `    ${what}`,
        `      - ${expected || "nothing"}`,
        `      + ${found || "nothing"}`,
      ]),
      "",
    ]);

const asJson = (ran: readonly RanFile[]) => ({
  files: ran.map((file) =>
    file.state === "invalid"
      ? file
      : {
          ...file,
          results: file.results.map(({ name, verdict, differences }) => ({
            case: name,
            verdict: verdict.kind,
            asExpected: differences.length === 0,
            differences,
          })),
        },
  ),
});

/** One file of cases as it came out. */
type RanFile =
  | { readonly state: "ran"; readonly file: string; readonly results: readonly CaseResult[] }
  | { readonly state: "invalid"; readonly file: string; readonly problems: readonly PolicyProblem[] };

/** Evaluates every case of a file by the policy that it names. */
async function runCases(file: string, perform: PerformTask): Promise<RanFile> {
  const read = readCases(await readText(file));
  if (read.state === "invalid")
    return { state: "invalid", file, problems: read.flaws.map((flaw) => ({ file, ...flaw })) };
  const { policy, organisation, cases } = read.file;
  const beside = (path: string) => join(dirname(file), path);
  const repository = policy ?? (organisation === undefined ? ownPolicy(file) : undefined);
  const texts = {
    repository: await policyText(repository && beside(repository)),
    organisation: await policyText(organisation && beside(organisation)),
  };
  const parsed = await perform({ kind: "parse", input: texts, owner: file });
  if (parsed.state === "invalid") return { state: "invalid", file, problems: parsed.problems };
  const results: CaseResult[] = [];
  for (const testCase of cases)
    results.push(
      await perform({ kind: "case", input: { case: testCase, policy: parsed.policy }, owner: file }),
    );
  return { state: "ran", file, results };
}

/** `a.test.yml` is about `a.yml` beside it. */
const ownPolicy = (file: string): string =>
  (file.split(/[\\/]/).at(-1) ?? file).replace(/\.test(\.ya?ml)$/, "$1");

const CASES = /\.test\.ya?ml$/;

/** A file of cases by itself, or all of them in a directory and the directories in it, in one order. */
function caseFilesIn(place: string): readonly string[] {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined)
    throw new TollgateError("file_unreadable", `${place} cannot be read: there is no such file`, {
      hint: "Give a directory with files called *.test.yml, or one such file.",
    });
  if (found.isFile()) return [place];
  const files = readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((name) => CASES.test(name) && !name.split(/[\\/]/).includes("node_modules"))
    .toSorted();
  if (files.length === 0)
    throw new TollgateError("usage", `${place} has no cases`, {
      hint: 'Cases are in files called *.test.yml; see docs/policy-reference.md, "Cases".',
    });
  return files.map((name) => join(place, name));
}
