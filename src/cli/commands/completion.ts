import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandRow, MakeCommand, Output } from "../command.ts";
import { createProgram } from "../create-program.ts";
import { definitions } from "../help-text.ts";

/** For each shell a script that asks the program for the possible next words; where there is none, files are offered. */
export const SCRIPTS = {
  bash: `# tollgate: completion for bash. Load it with: source <(tollgate completion bash)
_tollgate() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _tollgate tollgate`,
  zsh: `#compdef tollgate
# tollgate: completion for zsh. Load it with: source <(tollgate completion zsh)
_tollgate() {
  local -a found
  found=("\${(@f)$("\${words[1]}" completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _tollgate tollgate`,
  fish: `# tollgate: completion for fish. Load it with: tollgate completion fish | source
function __tollgate_words
  set -l typed (commandline -opc) (commandline -ct)
  set -l found ($typed[1] completion words -- $typed[2..-1] 2>/dev/null)
  if test -n "$found"
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c tollgate -f -a '(__tollgate_words)'`,
} as const;

/** `tollgate completion SHELL`: a script for the shell; the scripts call `tollgate completion words -- …`. */
export const completionCommand =
  (rows: readonly CommandRow[]): MakeCommand =>
  (output) => {
    const command = new Command().addHelpText(
      "after",
      `\nLoad a script with:\n${definitions([
        ["bash", "source <(tollgate completion bash)"],
        ["zsh", "source <(tollgate completion zsh)"],
        ["fish", "tollgate completion fish | source"],
      ])}\n\nThe program must be called tollgate.`,
    );
    for (const [shell, script] of Object.entries(SCRIPTS))
      command
        .command(shell)
        .summary(`print the script for ${shell}`)
        .action(() => output.result(script));
    command.command("words [WORDS...]", { hidden: true }).action(async (words) => {
      const found = await findWords(rows, words, output);
      if (found.length > 0) output.result(found.join("\n"));
    });
    return command;
  };

/** Lists the words that complete the last of the words after `tollgate`. */
async function findWords(
  rows: readonly CommandRow[],
  words: readonly string[],
  output: Output,
): Promise<readonly string[]> {
  const typed = withoutEquals(words[0] === "help" ? words.slice(1) : words);
  const [before, last] = [typed.slice(0, -1), typed.at(-1) ?? ""];
  let command = await createProgram(rows, before, output);
  for (const word of before) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined && command.commands.length > 0 && !word.startsWith("-")) return [];
    command = next ?? command;
  }
  const valued = command.options.find((option) => option.required && option.long === before.at(-1));
  return [...new Set(valued === undefined ? namesIn(command, before, last) : (valued.argChoices ?? []))]
    .filter((word) => word.startsWith(last))
    .sort();
}

/** Subcommands, or options that can still be given; nothing in place of a free value or a file. */
function namesIn(command: CommandUnknownOpts, before: readonly string[], last: string): readonly string[] {
  const help = command.createHelp();
  if (command.commands.length > 0 && !last.startsWith("-"))
    return help.visibleCommands(command).map((one) => one.name());
  const options = help
    .visibleOptions(command)
    .filter(({ long, variadic }) => variadic || !before.includes(`${long}`));
  return options.flatMap(({ long }) => long ?? []);
}

/** Bash splits `--name=value` into three words; the last of them may be missing. */
function withoutEquals(words: readonly string[]): readonly string[] {
  const remaining = words.filter((word, at) => word !== "=" || at === words.length - 1);
  return remaining.at(-1) === "=" ? [...remaining.slice(0, -1), ""] : remaining;
}
