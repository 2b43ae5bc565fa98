const MAX_LENGTH = 2_000;
/** Printable ASCII without the backslash, which browsers read as a slash. */
const PRINTABLE = /^\/[\x21-\x5b\x5d-\x7e]*$/;
/** Slash, backslash and control characters in percent-encoding, once or several times. */
const ENCODED = /%(25)*(2f|5c|0|1|7f)/i;

/** Returns a path of our own that a browser may be sent to after sign-in; `/` in place of everything else. */
export function parseReturnPath(text: string | undefined): string {
  if (text === undefined || text.length > MAX_LENGTH || !PRINTABLE.test(text)) return "/";
  const url = URL.parse(text, "http://own.invalid");
  if (url === null || url.origin !== "http://own.invalid") return "/";
  const [path = ""] = text.split(/[?#]/, 1);
  if (path.includes("//") || ENCODED.test(path) || url.pathname !== path) return "/";
  return /^\/sign-(in|out)(\/|$)/i.test(path) ? "/" : text;
}
