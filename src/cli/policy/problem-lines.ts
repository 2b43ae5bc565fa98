import type { PolicyProblem } from "../../policy/model/policy.ts";

/** `file:line:column path message` of each problem, as editors and terminals link to them. */
export const problemLines = (problems: readonly PolicyProblem[]): readonly string[] =>
  problems.map(({ file, line, column, path, message }) =>
    [`${file}:${line}:${column}`, path, message].filter((part) => part !== "").join(" "),
  );
