export interface ReadAttempts {
  readonly attempts: number;
  /** Time of the first attempt, ms since 1970. */
  readonly firstMs: number;
}
