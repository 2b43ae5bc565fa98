import { Command } from "@commander-js/extra-typings";
import { toOneLine } from "../../kernel/terminal-text.ts";
import type { CaseResult } from "../../policy/cases/evaluate-case.ts";
import { withPolicyThread } from "../../wiring/evaluation/policy-tasks.ts";
import type { ExitCode, MakeCommand, Output } from "../command.ts";
import { paragraphs } from "../help-text.ts";
import { problemLines } from "../policy/policy-file.ts";
import { caseFilesIn, type RanFile, runCases } from "../policy/run-cases.ts";

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
  const lines = isWrong ? problemLines(file.problems) : failuresIn(file);
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
