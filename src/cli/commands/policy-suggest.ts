import { Command } from "@commander-js/extra-typings";
import { toOneLine } from "../../kernel/terminal-text.ts";
import { ENOUGH_PULLS, formatLimit, type LimitSuggestions } from "../../policy/suggest.ts";
import { suggestStoredLimits } from "../../wiring/local-store.ts";
import { type MakeCommand, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate policy suggest`: limits that the history of a repository suggests. */
export const policySuggestCommand: MakeCommand = (output) =>
  new Command()
    .option(
      "--repository <OWNER/NAME>",
      "a repository that Tollgate on this machine evaluates (or its numeric id); without it, the only one",
    )
    .option("--days <DAYS>", "pull requests that were last evaluated in the last so many days", "90")
    .option("--json", "print the suggestions as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "For each kind of limit: values that would have held about 1, 5 and 10 % of the pull requests, how many exactly, and how much of the monthly rise those bring. " +
          "A pull request whose value is unknown counts as held. Fewer than 20 pull requests say nothing.",
        "The history is read from the database of this machine, also while `tollgate start` runs.",
      ),
    )
    .action(async ({ repository = null, days, json }) => {
      if (!/^[1-9]\d{0,2}$|^[12]\d{3}$/.test(days))
        throw usageError(`--days takes a number of days from 1 to 2999, found ${JSON.stringify(days)}.`);
      const suggestions = await suggestStoredLimits(repository, Number(days));
      if (json) output.result(JSON.stringify(suggestions, null, 2));
      else output.result(formatSuggestions(suggestions).map(toOneLine).join("\n"));
    });

function formatSuggestions({
  pulls,
  hidden,
  unread,
  isCutOff,
  choices,
}: LimitSuggestions): readonly string[] {
  const notes = [
    ...(isCutOff ? ["These are the newest pull requests of this time."] : []),
    ...(hidden > 0 ? [`${hidden} pull requests are left out: readers may not see their figures.`] : []),
    ...(unread > 0 ? [`${unread} pull requests are left out: they are very large or cannot be read.`] : []),
  ];
  if (pulls < ENOUGH_PULLS)
    return [
      `${pulls} evaluated pull requests say nothing about limits: ${ENOUGH_PULLS} are needed.`,
      ...notes,
    ];
  return [
    "rules: # choose one of each kind",
    ...choices.flatMap(({ limit, held, unknown, share }) => [
      `  # would have held ${held} of ${pulls} pull requests${unknown > 0 ? ` (${unknown} unknown)` : ""}${share === null ? "" : ` and ${share} % of the rise`}`,
      `  - { id: ${limit.kind}, ${formatLimit(limit)} }`,
    ]),
    ...notes.map((note) => `# ${note}`),
  ];
}
