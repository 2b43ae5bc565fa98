import type { PolicyProblem } from "../../policy/model/policy.ts";
import { name, sentence } from "../markup/escape.ts";
import type { Section } from "./section.ts";

/** Problems that are told one by one. */
const TOLD = 3;

/** Why words of a team's own are not used: said in any case, because nobody would look for it elsewhere. */
export const wordingSection = (problems: readonly PolicyProblem[]): Section => ({
  template: "wording",
  rows: 0,
  keep: true,
  view: () => ({
    problems: problems.slice(0, TOLD).map(({ file, line, column, message }) => ({
      file: name(file),
      line,
      column,
      message: sentence(message),
    })),
    more: Math.max(0, problems.length - TOLD),
  }),
});
