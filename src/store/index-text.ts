import { createHash } from "node:crypto";

/** Longest text that is stored as it is, in characters: an index takes no long ones. */
const LONGEST = 200;

/** A text for a column with an index. A long one is cut, with a digest of the whole at its end, so that two stay two. */
export const toIndexText = (text: string): string =>
  text.length <= LONGEST
    ? text
    : `${text.slice(0, LONGEST - 65)} ${createHash("sha256").update(text).digest("hex")}`;
