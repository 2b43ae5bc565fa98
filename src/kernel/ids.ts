/** A full commit id: 40 (SHA-1) or 64 (SHA-256) lower-case hex characters. */
export type Sha = string & { readonly brand: "Sha" };

export function parseSha(text: string): Sha | null {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? (text as Sha) : null; // the pattern is the proof of the brand
}

const PLATFORM_ID = /^[A-Za-z0-9_.$-]{1,128}$/;

/** Whether a text may be used as an account, org, project, pipeline, execution or stage id of the platform. "." and ".." are not ids. */
export const isPlatformId = (text: string): boolean =>
  PLATFORM_ID.test(text) && text !== "." && text !== "..";

/** Whether a text stays one path segment of a URL. URL parsers remove "." and "..", however they are encoded. */
export const isPathSegment = (text: string): boolean =>
  text !== "" && text !== "." && text !== ".." && text.isWellFormed() && !text.includes("\u0000");

/** Whether a text may name an org or a project of the platform: 1 to 128 characters that fit into a URL path segment. */
export const isScopeName = (text: string): boolean => text.length <= 128 && isPathSegment(text);

/** The requirement of `isScopeName`, for messages. */
export const SCOPE_NAME = "1 to 128 characters, but not . or ..";

/** An execution of the platform account. */
export interface ExecutionRef {
  readonly org: string;
  readonly project: string;
  readonly executionId: string;
}

/** GitHub's numeric id of a repository and the pull request's number: the key of a lane, a comment and a verdict. */
export interface PullKey {
  readonly repositoryId: number;
  readonly number: number;
}
