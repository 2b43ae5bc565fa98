import { toStorableText } from "../../kernel/storable.ts";
import type { TagLabel } from "../../report/model/report.ts";
import type { TableCell } from "../page/table.ts";

const WORDS: Readonly<Record<Exclude<TagLabel["kind"], "value">, string>> = {
  untagged: "without tag",
  unknown: "unknown",
  unattributed: "resources not listed",
};

/** Returns the words for a value of a tag, or for why there is none. */
export const describeTag = ({ kind, value }: TagLabel): string =>
  kind === "value" ? value || '""' : WORDS[kind];

export const buildTagCell = (tag: TagLabel): TableCell => ({
  text: describeTag(tag),
  ...(tag.kind === "value" ? { code: true } : { tone: "muted" }),
});

/**
 * Returns the text by which an address chooses it: the value, or `(untagged)`, `(unknown)`, `(unattributed)`. A value that begins with "("
 * has one more; the empty value is `()`.
 */
export const formatTagChoice = ({ kind, value }: TagLabel): string =>
  kind === "value" ? value?.replace(/^\(/, "((") || "()" : `(${kind})`;

/** Reads a text of `formatTagChoice`. */
export function parseTagChoice(text: string): TagLabel {
  for (const kind of ["untagged", "unknown", "unattributed"] as const)
    if (text === `(${kind})`) return { kind, value: null };
  return { kind: "value", value: text === "()" ? "" : toStorableText(text).replace(/^\(\(/, "(") };
}
