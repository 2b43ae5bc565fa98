import type { CommentProblem } from "../../policy/comment/news.ts";

/** Attempts of a job that retry, with the queue's short pauses, what GitHub refused without a known reason. */
export const QUICK_TRIES = 2;

const MINUTE_MS = 60_000;
/**
 * Longest pause, in ms. A refused write appears at most this long after GitHub accepts it again, plus the
 * time until the next sweep.
 */
export const LONGEST_PAUSE_MS = 30 * MINUTE_MS;

/**
 * Pause before the second attempt, in ms; each further pause is twice as long. Settings made by people do not
 * change within minutes.
 */
const FIRST_PAUSE_MS: Readonly<Record<CommentProblem, number>> = {
  refused: 3 * MINUTE_MS,
  unavailable: 3 * MINUTE_MS,
  earlier: 3 * MINUTE_MS,
  limited: 10 * MINUTE_MS,
  locked: LONGEST_PAUSE_MS,
  blocked: LONGEST_PAUSE_MS,
  restricted: LONGEST_PAUSE_MS,
  disabled: LONGEST_PAUSE_MS,
  too_long: LONGEST_PAUSE_MS,
  contested: LONGEST_PAUSE_MS,
};

/** How long after the failed attempt number `tries` (from 1) the next one is due, in ms. */
export const computePause = (problem: CommentProblem, tries: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS[problem] * 2 ** (tries - 1));
