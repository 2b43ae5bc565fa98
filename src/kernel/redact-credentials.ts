/** What credentials look like in text, each with what takes its place. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:gh[a-z]|github_pat)_[\w.-]{16,}/g, "[hidden]"],
  [/\btg_[0-9a-f]{16}_[\w-]{20,}/g, "[hidden]"],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, "[hidden]"],
  // The two above in base64: what a service quotes of an authorization header.
  [/\b(?:Z2h[a-z0-9]X|ZXlK)[\w+/=-]{16,}/gi, "[hidden]"],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^"]*?-----END [A-Z ]*PRIVATE KEY-----|[^"]*)/g, "[hidden]"],
  [/\b(bearer|token|basic)(\s+|%20)[\w.~+/=-]{16,}/gi, "$1 [hidden]"],
  [/([a-z][a-z0-9+.-]*:\/\/[^\s/:@"]*:)[^\s/@"]+@/gi, "$1[hidden]@"],
];

/** Takes out everything that looks like a credential: tokens of GitHub and of our own, signed tokens, private keys, passwords in addresses. */
export const redactCredentials = (text: string): string =>
  FORMS.reduce((left, [form, instead]) => left.replace(form, instead), text);

const TELLING_NAME =
  /passw(or)?d|passphrase|secret|token|private_?key|credential|api_?key|access_?key|connection_?string/i;

/** Whether the name of an attribute promises a secret, where nobody marked its value. */
export const namesSecret = (name: string): boolean => TELLING_NAME.test(name);

/** Shorter texts are words, and taking them out would say more than leaving them in. In characters. */
const MIN_SECRET = 8;

/** Takes these very secrets out of text: as they are, percent-encoded, in base64, and as a JSON text would write them. */
export function createCredentialRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
      JSON.stringify(secret).slice(1, -1),
    ]);
  const unique = [...new Set(forms)];
  return (text) => unique.reduce((left, form) => left.replaceAll(form, "[hidden]"), text);
}
