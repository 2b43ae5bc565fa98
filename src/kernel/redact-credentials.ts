/** Stands where a sensitive value of a plan stood. */
export const SENSITIVE = "(sensitive value)";
/** Stands where a value is known only after the apply. */
export const KNOWN_AFTER_APPLY = "(known after apply)";

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:gh[a-z]|github_pat)_[\w.-]{16,}/g, "[hidden]"],
  [/\btg_[0-9a-f]{16}_[\w-]{20,}/g, "[hidden]"],
  [/\beyJ[\w-]{8,}\.[\w-]*\.[\w-]*(?:\.[\w-]+)*/g, "[hidden]"],
  // The two token forms above in base64, as a service quotes an authorization header.
  [/\b(?:Z2h[a-z0-9]X|ZXlK)[\w+/=-]{16,}/gi, "[hidden]"],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^"]*?-----END [A-Z ]*PRIVATE KEY-----|[^"]*)/g, "[hidden]"],
  [/\b(bearer|token|basic)(\s+|%20)[\w.~+/=-]{16,}/gi, "$1 [hidden]"],
  [/([a-z][a-z0-9+.-]*:\/\/[^\s/:@"]*:)[^\s/@"]+@/gi, "$1[hidden]@"],
];

/** Redacts everything that looks like a credential: tokens of GitHub and of Tollgate, JSON web tokens, private keys, passwords in URLs. */
export const redactCredentials = (text: string): string =>
  FORMS.reduce((left, [form, instead]) => left.replace(form, instead), text);

const SECRET_NAME =
  /passw(or)?d|passphrase|secret|token|private_?key|credential|api_?key|access_?key|connection_?string/i;

/** A counter that is raised so that a secret is written again. */
const COUNTER = /_version$/i;

/** Whether the name of an attribute suggests a secret, for values that carry no sensitivity mark. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !COUNTER.test(name);

const PAIR_NAMES = ["name", "key", "env", "secret", "option", "option_name", "variable", "parameter_name"];
const PAIR_VALUES: ReadonlySet<string> = new Set([
  "value",
  "values",
  "val",
  "string_value",
  "parameter_value",
  "default",
]);

/**
 * The members of an object that hold a secret by what another member calls it, such as `value` in
 * `{ name: "auth.rootPassword", value: … }`: a variable of a container, a setting of a chart, a parameter.
 */
export function listPairedSecrets(members: Readonly<Record<string, unknown>>): readonly string[] {
  const isSecret = PAIR_NAMES.some((name) => {
    const text = members[name];
    return typeof text === "string" && isSecretName(text);
  });
  return isSecret ? Object.keys(members).filter((name) => PAIR_VALUES.has(name)) : [];
}

/** In characters. Shorter texts are ordinary words: redacting them would reveal more than it hides. */
const MIN_SECRET = 8;

/** Returns a function that redacts these secrets in text: verbatim, percent-encoded, in base64, and escaped as in JSON. */
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
