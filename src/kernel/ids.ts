/** A full commit id: 40 (SHA-1) or 64 (SHA-256) lower-case hex characters. */
export type Sha = string & { readonly brand: "Sha" };

export function parseSha(text: string): Sha | null {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? (text as Sha) : null; // the pattern is the proof of the brand
}

const PLATFORM_ID = /^[A-Za-z0-9_.$-]{1,128}$/;

/** Whether a text may be used as an account, org, project, pipeline, execution or stage id of the platform. "." and ".." are not ids. */
export const isPlatformId = (text: string): boolean =>
  PLATFORM_ID.test(text) && text !== "." && text !== "..";

/** Whether a text stays the one segment of an address that it is written into. "." and ".." are taken out of every address, however they are encoded. */
export const isPathSegment = (text: string): boolean =>
  text !== "" && text !== "." && text !== ".." && text.isWellFormed() && !text.includes("\u0000");

/** Whether a text may name an org or a project of the platform: any 1 to 128 characters that an address can hold. */
export const isScopeName = (text: string): boolean => text.length <= 128 && isPathSegment(text);

/** What `isScopeName` asks for, for messages. */
export const SCOPE_NAME = "1 to 128 characters, but not . or ..";

/** GitHub's numeric id of a repository and the pull request's number: what a lane, a comment and a verdict are keyed by. */
export interface PullKey {
  readonly repositoryId: number;
  readonly number: number;
}
