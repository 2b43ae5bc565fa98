import { TollgateError } from "../../kernel/errors.ts";
import type { CommandRow, Output, WordsCommand } from "../command.ts";
import { complete } from "../completion/complete.ts";
import { SCRIPTS, type Shell } from "../completion/scripts.ts";
import { suggestion } from "../did-you-mean.ts";

const SHELLS = Object.keys(SCRIPTS) as readonly Shell[]; // the keys of a literal

/** `tollgate completion SHELL`: a script for the shell; `completion --words -- …` is what the scripts ask. */
export const completionCommand = (commands: readonly CommandRow[]): WordsCommand => ({
  help: () =>
    [
      "tollgate completion: print a script that completes commands, operations and options.",
      "",
      `Usage: tollgate completion ${SHELLS.join("|")}`,
      "",
      "bash: source <(tollgate completion bash)",
      "zsh:  source <(tollgate completion zsh)",
      "fish: tollgate completion fish | source",
      "",
      "The script asks the program, so it knows what the program knows; the program must be called tollgate.",
    ].join("\n"),
  complete: () => SHELLS,
  runWords: async (words, output) => {
    if (words[0] === "--words")
      await answer(commands, words[1] === "--" ? words.slice(2) : words.slice(1), output);
    else output.result(SCRIPTS[shellIn(words)]);
    return 0;
  },
});

async function answer(
  commands: readonly CommandRow[],
  words: readonly string[],
  output: Output,
): Promise<void> {
  const found = await complete(commands, words);
  if (found.length > 0) output.result(found.join("\n"));
}

function shellIn([typed = "", ...more]: readonly string[]): Shell {
  const shell = SHELLS.find((one) => one === typed);
  if (shell !== undefined && more.length === 0) return shell;
  throw new TollgateError("usage", `Name one shell: ${SHELLS.join(", ")}.${suggestion(typed, SHELLS)}`, {
    hint: "Run `tollgate completion --help` for how to load the script.",
  });
}
