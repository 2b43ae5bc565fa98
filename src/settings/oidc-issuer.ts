/** The issuer of id tokens: the operator's, else that of the GitHub whose App this is. */
export function chooseIssuer(named: string | undefined, githubUrl: string | null): string | null {
  if (named !== undefined) return named === "none" ? null : named;
  const { host, origin } = new URL(githubUrl ?? "https://github.com");
  if (host === "github.com") return "https://token.actions.githubusercontent.com";
  return host.endsWith(".ghe.com")
    ? `https://token.actions.${host.replace(/^api\./, "")}`
    : `${origin}/_services/token`;
}
