import type { Evaluation } from "../policy/evaluation.ts";

/** Where a rendered text may point to; given by wiring, never by a repository. */
export interface Links {
  /** The page with everything about this pull request; null while there is none. Shown only if it is a plain https (or loopback http) URL. */
  readonly details: string | null;
  /** True when the check has a Re-check button that the text may name. */
  readonly recheckHint: boolean;
}

/** What a check run's `output` takes: title at most 255 characters; summary and text at most 65,535 UTF-8 bytes each. */
export interface CheckOutput {
  readonly title: string;
  readonly summary: string;
  readonly text: string | null;
}

/** Turns one evaluation into the words that people read. Pure: the same evaluation gives the same bytes. */
export interface Renderer {
  /** The pull-request comment in GitHub-flavoured Markdown, at most 65,000 UTF-8 bytes. */
  comment(e: Evaluation, links: Links): string;
  check(e: Evaluation, links: Links): CheckOutput;
}
