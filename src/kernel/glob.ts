/** Whether a pattern matches a text from its first to its last character. */
export function matchesGlob(pattern: string, text: string): boolean {
  return pattern === text;
}
