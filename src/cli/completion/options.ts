import type { OptionSpec } from "../command.ts";

/** What may stand in the place of the last word among a command's options; nothing where a value is free or a file. */
export function completeOptions(
  options: Readonly<Record<string, OptionSpec>>,
  words: readonly string[],
): readonly string[] {
  const typed = withoutEquals(words);
  const before = optionAt(options, typed.at(-2));
  if (before?.value !== undefined) return before.choices ?? [];
  const given = new Set(typed.slice(0, -1));
  return [
    ...Object.entries(options)
      .filter(([name, { multiple }]) => multiple === true || !given.has(`--${name}`))
      .map(([name]) => `--${name}`),
    "--help",
  ];
}

const optionAt = (options: Readonly<Record<string, OptionSpec>>, word: string | undefined) =>
  word?.startsWith("--") === true && Object.hasOwn(options, word.slice(2))
    ? options[word.slice(2)]
    : undefined;

/** Bash takes `--name=value` for three words, of which the last may not be begun yet. */
function withoutEquals(words: readonly string[]): readonly string[] {
  const kept = words.filter((word, at) => word !== "=" || at === words.length - 1);
  return kept.at(-1) === "=" ? [...kept.slice(0, -1), ""] : kept;
}
