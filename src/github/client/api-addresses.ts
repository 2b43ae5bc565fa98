/**
 * The REST address that belongs to an operator's `GHE_HOST`. Null is github.com, as are `api.github.com` and `www.github.com`. A host, an address, and either of them with
 * `/api/v3` mean the same server; a `*.ghe.com` tenant answers on its `api.` host without a prefix.
 */
export function resolveGitHubApiUrl(gheHost: string | null): string {
  if (gheHost === null) return "https://api.github.com";
  const { protocol, host, pathname } = new URL(gheHost.includes("://") ? gheHost : `https://${gheHost}`);
  if (/^((api|www)\.)?github\.com$/.test(host)) return "https://api.github.com";
  if (host.endsWith(".ghe.com")) return `https://${host.startsWith("api.") ? host : `api.${host}`}`;
  const prefix = pathname.replace(/\/+$/, "");
  return `${protocol}//${host}${prefix === "" ? "/api/v3" : prefix}`;
}

/** Root of the pages that people read on the same server, without a slash at the end. */
export function resolveGitHubPagesUrl(gheHost: string | null): string {
  const { protocol, host } = new URL(resolveGitHubApiUrl(gheHost));
  const isApiHost = host === "api.github.com" || host.endsWith(".ghe.com");
  return `${protocol}//${isApiHost ? host.replace(/^api\./, "") : host}`;
}
