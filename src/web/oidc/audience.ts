/** Returns the audience of id tokens for the server at a URL: the URL without a slash at the end, its host in lower case. */
export function getAudience(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
