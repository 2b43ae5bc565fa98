/** Characters of a line of help. */
const WIDTH = 110;

/** Words on lines of at most `width` characters. */
export function wrapped(text: string, width = WIDTH): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** Terms on the left, what they mean beside them. */
export function definitions(rows: readonly (readonly [string, string])[]): readonly string[] {
  const left = Math.min(36, Math.max(0, ...rows.map(([term]) => term.length)));
  const indent = " ".repeat(left + 4);
  return rows.flatMap(([term, meaning]) => {
    const [first = "", ...more] = wrapped(meaning, WIDTH - indent.length);
    const rest = more.map((line) => indent + line);
    if (term.length > left)
      return [`  ${term}`, ...[first, ...more].map((line) => (indent + line).trimEnd())];
    return [`  ${term.padEnd(left)}  ${first}`.trimEnd(), ...rest];
  });
}
