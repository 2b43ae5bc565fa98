import { compileGlob } from "../../kernel/glob.ts";

/** Whether a text matches one of the patterns; without patterns, every text does. */
export function globs(patterns: readonly string[]): (text: string) => boolean {
  if (patterns.length === 0) return () => true;
  const compiled = patterns.map(compileGlob);
  return (text) => compiled.some((glob) => glob?.(text) ?? false);
}
