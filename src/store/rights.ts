import type { Token } from "./tokens.ts";

/**
 * The kinds of token that have a right. `job` is an `import` token of one CI job, which its pull request's author can read. Every
 * operation needs one of these rights; the platform lists its operations in `src/platform-server/server.ts`.
 */
const KINDS = {
  /** All of an account of the platform: data that belongs to no project, and webhooks, which send it elsewhere. */
  account: ["api"],
  /** One org and project of it. */
  project: ["api", "import"],
  /** The calls of an import; those of a job on executions that a job of its head created. */
  import: ["api", "import", "job"],
  /** `POST /api/executions`. */
  notify: ["notify"],
  /** `POST /api/v1/applies`, for the repository of the token. */
  apply: ["import", "job", "notify"],
  /** `/api/v1` and the pages. */
  read: ["read"],
} as const satisfies Readonly<Record<string, readonly TokenKind[]>>;

export type Right = keyof typeof KINDS;
export type TokenKind = Token["purpose"] | "job";

export const getTokenKind = ({ purpose, headSha }: Token): TokenKind => (headSha === null ? purpose : "job");

/** Whether a token has a right; of the `account`, `project` or repository that the token itself names. */
export function hasRight<R extends Right>(
  token: Token,
  right: R,
): token is Token & { readonly purpose: Exclude<(typeof KINDS)[R][number], "job"> } {
  const kinds: readonly TokenKind[] = KINDS[right];
  return kinds.includes(getTokenKind(token));
}
