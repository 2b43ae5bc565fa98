/**
 * The REST address that belongs to an operator's `GHE_HOST`. Null is github.com. A host, an address, and either of them with
 * `/api/v3` mean the same server; a `*.ghe.com` tenant answers on its `api.` host without a prefix.
 */
export function githubApiUrl(gheHost: string | null): string {
  if (gheHost === null || gheHost === "github.com") return "https://api.github.com";
  const { protocol, host, pathname } = new URL(gheHost.includes("://") ? gheHost : `https://${gheHost}`);
  if (host.endsWith(".ghe.com")) return `https://${host.startsWith("api.") ? host : `api.${host}`}`;
  const prefix = pathname.replace(/\/+$/, "");
  return `${protocol}//${host}${prefix === "" ? "/api/v3" : prefix}`;
}

/** Root of the pages that people read on the same server, without a slash at the end. */
export function githubPagesUrl(gheHost: string | null): string {
  const { protocol, host } = new URL(githubApiUrl(gheHost));
  const isApiHost = host === "api.github.com" || host.endsWith(".ghe.com");
  return `${protocol}//${isApiHost ? host.replace(/^api\./, "") : host}`;
}

/** GraphQL lives beside REST, not under it: `/graphql`, or `/api/graphql` beside `/api/v3`. */
export function apiAddresses(apiUrl: string): { baseUrl: string; graphqlUrl: string; origin: string } {
  const { origin, pathname } = new URL(apiUrl);
  const baseUrl = `${origin}${pathname.replace(/\/+$/, "")}`;
  return { baseUrl, graphqlUrl: `${baseUrl.replace(/\/v3$/, "")}/graphql`, origin };
}
