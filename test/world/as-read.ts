import { plain } from "../../src/render/format/unbroken.ts";

/** Markdown as a person reads it: where a linked name leads is not seen. */
export const asRead = (markdown: string): string =>
  plain(markdown).replaceAll(/\[(`[^`]*`)\]\(https?:[^()\s]*\)/g, "$1");
