/**
 * The host of an http(s) URL in the one form in which hosts are compared: lower case, Punycode, no dot of the root at its end,
 * ":port" only where it is not the scheme's own. Null: no such URL.
 */
export function hostOf(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  const name = parsed.hostname.replace(/\.$/, "");
  return parsed.port === "" ? name : `${name}:${parsed.port}`;
}

/** The same of a host as an operator writes it, e.g. `ci.example.com` or `ci.example.com:8443`. */
export const canonicalHost = (written: string): string | null =>
  /^[^\s/?#@\\%]+$/.test(written) ? hostOf(`https://${written}`) : null;

/** Whether the host of a URL's `origin` is written as it is compared, except for case and the scheme's own port. */
export function isPlainOrigin(origin: string): boolean {
  const host = hostOf(origin);
  const written = /^(https?):\/\/(.*)$/i.exec(origin);
  if (host === null || written === null) return false;
  const [, scheme = "", authority = ""] = written.map((part) => part.toLowerCase());
  return authority === host || authority === `${host}:${scheme === "https" ? 443 : 80}`;
}
