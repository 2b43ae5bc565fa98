export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
  /** Address that git could fetch it from. */
  readonly url: string;
}

const OWNER_AND_NAME = /^([A-Za-z0-9-]{1,39})\/([A-Za-z0-9._-]{1,100})$/;
const ADDRESS = /^(?:(?:https?|ssh|git):\/\/(?:[^/@]*@)?[^/]+\/|[^/@:]+@[^/:]+:)(.+)$/i;

/** `owner/name`, or an address of a repository in any form git takes; null for anything else. Credentials in it are dropped. */
export function parseRepository(text: string): RepositoryName | null {
  const path = ADDRESS.exec(text)?.[1];
  const [, owner, name] = OWNER_AND_NAME.exec((path ?? text).replace(/\/$/, "").replace(/\.git$/, "")) ?? [];
  if (owner === undefined || name === undefined || name === "." || name === "..") return null;
  const url = path === undefined ? `https://github.com/${owner}/${name}` : withoutCredentials(text);
  return { owner, name, url };
}

const withoutCredentials = (address: string): string => address.replace(/^(https?:\/\/)[^/@]*@/i, "$1");
