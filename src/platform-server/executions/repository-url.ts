const SCHEME = /^(?:https?|ssh|git):\/\/(?:[^/@]*@)?[^/]+\/(.*)$/i;
const SCP = /^(?:[^/@:]+@)?[^/:]+:(?!\/\/)(.*)$/;
const OWNER_AND_NAME = /^([a-z0-9-]{1,39})\/([a-z0-9._-]{1,100})$/;

/**
 * Returns `owner/name` in lower case from a repository URL in any of git's forms (`https://…/o/n.git`,
 * `git@host:o/n`, `ssh://git@host/o/n/`). Null unless the path is exactly an owner and a name.
 */
export function parseRepositoryUrl(url: string): string | null {
  const trimmed = url.trim();
  const path = (SCHEME.exec(trimmed) ?? SCP.exec(trimmed))?.[1];
  const bare = path
    ?.toLowerCase()
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "")
    .replace(/\.git$/, "");
  const [, owner, name] = OWNER_AND_NAME.exec(bare ?? "") ?? [];
  return owner === undefined || name === undefined ? null : `${owner}/${name}`;
}
