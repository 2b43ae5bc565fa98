import { dirname, join } from "node:path";
import type { CaseResult } from "../../policy/cases/evaluate-case.ts";
import { readCases } from "../../policy/cases/read-cases.ts";
import type { PolicyProblem } from "../../policy/model/policy.ts";
import type { PerformTask } from "../../policy/tasks/task.ts";
import { readText } from "../input-file.ts";
import { policyText } from "./read-policy.ts";

/** One file of cases as it came out. */
export type RanFile =
  | { readonly state: "ran"; readonly file: string; readonly results: readonly CaseResult[] }
  | { readonly state: "invalid"; readonly file: string; readonly problems: readonly PolicyProblem[] };

/** Judges every case of a file by the policy that it names. */
export async function runCases(file: string, perform: PerformTask): Promise<RanFile> {
  const read = readCases(await readText(file));
  if (read.state === "invalid")
    return { state: "invalid", file, problems: read.flaws.map((flaw) => ({ file, ...flaw })) };
  const { policy, organisation, cases } = read.file;
  const beside = (path: string) => join(dirname(file), path);
  const repository = policy ?? (organisation === undefined ? ownPolicy(file) : undefined);
  const texts = {
    repository: await policyText(repository === undefined ? null : beside(repository)),
    organisation: await policyText(organisation === undefined ? null : beside(organisation)),
  };
  const parsed = await perform({ kind: "parse", given: texts, owner: file });
  if (parsed.state === "invalid") return { state: "invalid", file, problems: parsed.problems };
  const results: CaseResult[] = [];
  for (const given of cases)
    results.push(await perform({ kind: "case", given: { given, policy: parsed.policy }, owner: file }));
  return { state: "ran", file, results };
}

/** `a.test.yml` is about `a.yml` beside it. */
const ownPolicy = (file: string): string =>
  (file.split(/[\\/]/).at(-1) ?? file).replace(/\.test(\.ya?ml)$/, "$1");
