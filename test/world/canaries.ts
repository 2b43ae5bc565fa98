/** A secret to look for, and what it is called in a failed test. */
export interface Canary {
  readonly name: string;
  readonly secret: string;
}

/** Names of the canaries that a text holds in any form: raw, base64 (at any offset), hex, percent-encoded, as JSON writes it. */
export function findLeaks(text: string, canaries: readonly Canary[]): string[] {
  return canaries.flatMap(({ name, secret }) =>
    formsOf(secret).some((form) => form.length > 0 && text.includes(form)) ? [name] : [],
  );
}

/** So much of a long secret is a secret too. In characters. */
const LONG = 60;

function formsOf(whole: string): string[] {
  const secret = whole.slice(0, LONG);
  const base64 = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString("base64");
    // What stands at both ends depends on the neighbours of the secret.
    return shifted.slice(Math.ceil((offset * 8) / 6), -4);
  });
  const hex = Buffer.from(secret).toString("hex");
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), hex, ...base64];
}

interface QuotingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Ways in which a service answers with the credentials that it was sent, in every form that a careless one might quote. */
export const TROUBLES: readonly ((sent: readonly string[]) => QuotingAnswer)[] = [
  (sent) => say(403, quote(sent)),
  (sent) => say(401, quote(sent)),
  (sent) => say(422, quote(sent)),
  (sent) => say(500, quote(sent)),
  (sent) => say(200, { errors: [{ type: "SERVICE", message: echo(sent), path: [] }] }),
  (sent) => ({ ...say(200, null), body: `{"message": "${echo(sent)}` }),
  (sent) => ({ ...say(302, quote(sent)), headers: { location: "http://127.0.0.2:1/steal" } }),
];

const say = (status: number, body: unknown): QuotingAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const quote = (sent: readonly string[]) => ({ message: echo(sent), errors: [{ message: echo(sent) }] });

function echo(sent: readonly string[]): string {
  const forms = sent.flatMap((value) => {
    const bare = value.split(" ").at(-1) ?? value;
    return [value, bare, encodeURIComponent(bare), Buffer.from(bare).toString("base64")];
  });
  return `refused, you sent ${forms.join(" and ")}`;
}
