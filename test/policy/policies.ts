import { parsePolicy } from "../../src/policy/file/parse.ts";
import type { EvaluationContext } from "../../src/policy/model/context.ts";
import type { Policy } from "../../src/policy/model/policy.ts";

/** The policy of a repository's file, without `version: 1`. */
export function policy(text: string, organisation: string | null = null): Policy {
  const file = (name: string, body: string) => ({ file: name, text: `version: 1\n${body}` });
  const parsed = parsePolicy({
    repository: file("repository.yml", text),
    organisation: organisation === null ? null : file("organisation.yml", organisation),
  });
  if (parsed.state === "invalid") throw new Error(parsed.problems.map(({ message }) => message).join("\n"));
  return parsed.policy;
}

/** A policy of one rule `r`: `increase: 500 USD`, and more members of the rule such as `per: stage`. */
export const rule = (limit: string, ...members: readonly string[]): Policy =>
  policy(`rules: [{ id: r, limit: { ${limit} }${members.map((member) => `, ${member}`).join("")} }]`);

/** `file:line:column path: message` of every problem; empty when there is none. */
export function problems(repository: string | null, organisation: string | null = null): string {
  const parsed = parsePolicy({
    repository: repository === null ? null : { file: "repo.yml", text: repository },
    organisation: organisation === null ? null : { file: "org.yml", text: organisation },
  });
  if (parsed.state === "ok") return "";
  return parsed.problems
    .map(({ file, line, column, path, message }) => `${file}:${line}:${column} ${path}: ${message}`)
    .join("\n");
}

/** A pull request about which nothing special is known. */
export const CONTEXT: EvaluationContext = {
  number: 7,
  author: "alice",
  labels: [],
  baseRef: "main",
  draft: false,
  paths: ["infra/main.tf"],
  pathsComplete: true,
  nowMs: Date.UTC(2026, 0, 1),
  budgetUse: null,
};
