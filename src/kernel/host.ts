/**
 * The host of an http(s) URL in canonical form: lower case, Punycode, no trailing dot,
 * ":port" only where it is not the scheme's default. Null: no http(s) URL.
 */
export function parseHost(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  const name = parsed.hostname.replace(/\.$/, "");
  return parsed.port === "" ? name : `${name}:${parsed.port}`;
}

/** The canonical form of a host as an operator writes it, e.g. `ci.example.com` or `ci.example.com:8443`. */
export const canonicalizeHost = (text: string): string | null =>
  /^[^\s/?#@\\%]+$/.test(text) ? parseHost(`https://${text}`) : null;

/** Whether the host of a URL's `origin` is in canonical form, except for case and the scheme's default port. */
export function isPlainOrigin(origin: string): boolean {
  const host = parseHost(origin);
  const match = /^(https?):\/\/(.*)$/i.exec(origin);
  if (host === null || match === null) return false;
  const [, scheme = "", authority = ""] = match.map((part) => part.toLowerCase());
  return authority === host || authority === `${host}:${scheme === "https" ? 443 : 80}`;
}
