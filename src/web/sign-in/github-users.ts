/** GitHub's tokens of a person. Times in ms since 1970; null: no end, or no refresh token. */
export interface UserTokens {
  readonly accessToken: string;
  readonly expiresMs: number | null;
  readonly refreshToken: string | null;
}

export interface GitHubUser {
  /** GitHub's numeric id. */
  readonly id: number;
  readonly login: string;
}

/** An answer of GitHub. `rejected`: GitHub does not accept what was sent; `unauthorised`: the token has ended. */
export type GitHubAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: { readonly kind: string; readonly message: string } };

/** What sign-in needs of GitHub. Nothing throws because of GitHub or the network. */
export interface GitHubUsers {
  /** The page on which a person authorizes the App. */
  buildAuthorizeUrl(request: {
    readonly state: string;
    /** SHA-256 of the verifier in base64url. */
    readonly challenge: string;
    readonly redirectUri: string;
  }): string;
  exchangeCode(request: {
    readonly code: string;
    readonly verifier: string;
    readonly redirectUri: string;
  }): Promise<GitHubAnswer<UserTokens>>;
  renewTokens(refreshToken: string): Promise<GitHubAnswer<UserTokens>>;
  /** Whose token of this App it is; null: it is not one. */
  checkToken(accessToken: string): Promise<GitHubAnswer<GitHubUser | null>>;
  revokeToken(accessToken: string): Promise<GitHubAnswer<null>>;
  readUser(accessToken: string): Promise<GitHubAnswer<GitHubUser>>;
  canRead(accessToken: string, repositoryId: number): Promise<GitHubAnswer<boolean>>;
  /** Repositories of the App's installations that the person has access to. */
  listReadable(accessToken: string): Promise<GitHubAnswer<ReadonlySet<number>>>;
  /** Numeric ids of a team's members, read as the App. */
  listTeamMembers(organisation: string, team: string): Promise<GitHubAnswer<ReadonlySet<number>>>;
}
