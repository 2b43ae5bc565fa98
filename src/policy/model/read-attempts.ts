export interface ReadAttempts {
  readonly attempts: number;
  /** When the first of them was made, ms since 1970. */
  readonly firstMs: number;
}
