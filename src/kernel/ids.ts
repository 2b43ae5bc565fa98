/** A full commit id: 40 (SHA-1) or 64 (SHA-256) lower-case hex characters. */
export type Sha = string & { readonly brand: "Sha" };

export function parseSha(text: string): Sha | null {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? (text as Sha) : null; // the pattern is the proof of the brand
}

const PLATFORM_ID = /^[A-Za-z0-9_.$-]{1,128}$/;

/** Whether a text may be used as an account, org, project, pipeline, execution or stage id of the platform. "." and ".." are not ids. */
export const isPlatformId = (text: string): boolean =>
  PLATFORM_ID.test(text) && text !== "." && text !== "..";

/** GitHub's numeric id of a repository and the pull request's number: what a lane, a comment and a verdict are keyed by. */
export interface PullKey {
  readonly repositoryId: number;
  readonly number: number;
}
