import { removeJoiners } from "../../src/render/sign-joiners.ts";

/** Markdown as a person reads it: where a linked name leads is not seen, nor that a finding leads to its kind of rule, and the comment to its page. */
export const asRead = (markdown: string): string =>
  removeJoiners(markdown)
    .replaceAll(/ · \[what `[a-z-]+` means\]\(http:[^()\s]*\/docs\/policy#[a-z]+\)/g, "")
    .replaceAll(/ · \[All details\]\(http:[^()\s]*\)/g, "")
    .replaceAll(/\[(`[^`]*`)\]\(https?:[^()\s]*\)/g, "$1");
