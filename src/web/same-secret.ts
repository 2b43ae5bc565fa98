import { timingSafeEqual } from "node:crypto";

/** Whether two secrets are equal. It takes as long whichever character differs. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
