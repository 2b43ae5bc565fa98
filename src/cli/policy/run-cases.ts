import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { TollgateError } from "../../kernel/errors.ts";
import type { CaseResult } from "../../policy/cases/evaluate-case.ts";
import { readCases } from "../../policy/cases/read-cases.ts";
import type { PolicyProblem } from "../../policy/model/policy.ts";
import type { PerformTask } from "../../policy/tasks/task.ts";
import { readText } from "../input-file.ts";
import { policyText } from "./policy-file.ts";

/** One file of cases as it came out. */
export type RanFile =
  | { readonly state: "ran"; readonly file: string; readonly results: readonly CaseResult[] }
  | { readonly state: "invalid"; readonly file: string; readonly problems: readonly PolicyProblem[] };

/** Evaluates every case of a file by the policy that it names. */
export async function runCases(file: string, perform: PerformTask): Promise<RanFile> {
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
export function caseFilesIn(place: string): readonly string[] {
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
