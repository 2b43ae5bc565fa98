import { dirname, join } from "node:path";
import { type CaseResult, judgeCase } from "../../policy/cases/judge-case.ts";
import { readCases } from "../../policy/cases/read-cases.ts";
import { parsePolicy } from "../../policy/parse.ts";
import type { PolicyProblem } from "../../policy/policy.ts";
import { readText } from "../input-file.ts";
import { policyText } from "./read-policy.ts";

/** One file of cases as it came out. */
export type RanFile =
  | { readonly state: "ran"; readonly file: string; readonly results: readonly CaseResult[] }
  | { readonly state: "invalid"; readonly file: string; readonly problems: readonly PolicyProblem[] };

/** Judges every case of a file by the policy that it names. */
export async function runCases(file: string): Promise<RanFile> {
  const read = readCases(await readText(file));
  if (read.state === "invalid")
    return { state: "invalid", file, problems: read.flaws.map((flaw) => ({ file, ...flaw })) };
  const { policy, organisation, cases } = read.file;
  const beside = (path: string) => join(dirname(file), path);
  const repository = policy ?? (organisation === undefined ? ownPolicy(file) : undefined);
  const parsed = parsePolicy({
    repository: await policyText(repository === undefined ? null : beside(repository)),
    organisation: await policyText(organisation === undefined ? null : beside(organisation)),
  });
  if (parsed.state === "invalid") return { state: "invalid", file, problems: parsed.problems };
  return { state: "ran", file, results: cases.map((each) => judgeCase(each, parsed.policy)) };
}

/** `a.test.yml` is about `a.yml` beside it. */
const ownPolicy = (file: string): string =>
  (file.split(/[\\/]/).at(-1) ?? file).replace(/\.test(\.ya?ml)$/, "$1");
