/** Who asks for a page or for the API, and what GitHub lets them read. */
export interface Reader {
  /** GitHub's numeric id; null: a read token of Tollgate, which belongs to nobody. */
  readonly userId: number | null;
  /** The login, or the name of a read token. */
  readonly login: string;
  /** Whether the operator's file names the reader as an admin. */
  readonly isAdmin: boolean;
  /** The value of `form_token` in every form of a page: it proves that the form comes from this session. Absent: no session. */
  readonly formToken?: string;
  /**
   * Whether the reader can read a repository, by GitHub's numeric id: GitHub's answer to the reader's own token, at most five minutes
   * old.
   *
   * @throws TollgateError `github_failed` while GitHub does not answer
   */
  canRead(repositoryId: number): Promise<boolean>;
  /**
   * The repositories of this App's installations that the reader can read, as `canRead`.
   *
   * @throws TollgateError `github_failed` while GitHub does not answer
   */
  listReadable(): Promise<ReadonlySet<number>>;
}

/**
 * Finds who sends a request, by its cookie or its bearer token; null: nobody is signed in.
 *
 * @throws TollgateError `github_failed` while GitHub does not answer
 */
export type FindReader = (request: Request) => Promise<Reader | null>;

/** Names a reader for limits. Read tokens of one name share theirs. */
export const getReaderKey = ({ userId, login }: Pick<Reader, "userId" | "login">): string =>
  userId === null ? `token:${login}` : `user:${userId}`;
