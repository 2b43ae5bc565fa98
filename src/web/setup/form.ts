import { z } from "zod";

/** The validated input of the form that registers an App. */
export interface RegistrationForm {
  readonly owner: { readonly kind: "personal" } | { readonly kind: "organization"; readonly login: string };
  /** A GitHub Enterprise Server; null: github.com. */
  readonly gheHost: string | null;
  /** Public URL of this Tollgate, without a trailing slash; null: the operator enters the webhook at GitHub later. */
  readonly publicUrl: string | null;
}

/** The credentials of an existing App. */
export interface CredentialsForm {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
}

/** Entered text by field name, and problems by field name. */
export type FormValues = Readonly<Record<string, string>>;
export type FormResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: FormValues };

const LOGIN = /^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i;

const text = z.string().trim().max(10_000).default("");

const optional = <T>(schema: z.ZodType<T, string>) =>
  text.transform((entered) => (entered === "" ? null : entered)).pipe(schema.nullable());

const HostName = z.string().transform((entered, context) => {
  const url = URL.parse(`https://${entered.replace(/^https:\/\//i, "").replace(/\/+$/, "")}`);
  const isBare = url !== null && url.pathname === "/" && url.search === "" && url.username === "";
  if (isBare && url.hostname.includes(".")) return url.host;
  context.addIssue({ code: "custom", message: "Enter the host name alone, such as github.example.com." });
  return z.NEVER;
});

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const PublicUrl = z.string().transform((entered, context) => {
  const url = URL.parse(entered);
  const isWhole = url !== null && url.protocol === "https:" && url.search === "" && url.hash === "";
  if (isWhole && url.username === "" && !LOOPBACK.test(url.hostname)) return url.href.replace(/\/+$/, "");
  const message = "Enter an https:// address that GitHub can reach, such as https://tollgate.example.com.";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const Registration = z
  .object({
    owner: z.enum(["organization", "personal"], "Choose who owns the App."),
    organization: text,
    host: optional(HostName),
    public_url: optional(PublicUrl),
  })
  .transform(({ owner, organization, host, public_url }, context): RegistrationForm => {
    const where = { gheHost: host === "github.com" ? null : host, publicUrl: public_url };
    if (owner === "personal") return { owner: { kind: "personal" }, ...where };
    if (LOGIN.test(organization)) return { owner: { kind: "organization", login: organization }, ...where };
    const message = "Enter the organisation's name as in its address on GitHub, such as acme.";
    context.addIssue({ code: "custom", path: ["organization"], message });
    return z.NEVER;
  });

const Credentials = z
  .object({
    app_id: text.pipe(
      z.string().regex(/^[1-9]\d{0,15}$/, "Enter GitHub's number of the App, as its settings page shows it."),
    ),
    private_key: text.pipe(
      z
        .string()
        .regex(
          /^-----BEGIN (RSA )?PRIVATE KEY-----[\s\S]+-----END (RSA )?PRIVATE KEY-----$/,
          "Paste the whole private key file (.pem) that GitHub made for the App.",
        ),
    ),
    webhook_secret: text.pipe(
      z
        .string()
        .min(20, "Enter the App's webhook secret. It needs at least 20 characters that cannot be guessed."),
    ),
  })
  .transform(
    ({ app_id, private_key, webhook_secret }): CredentialsForm => ({
      appId: Number(app_id),
      privateKey: private_key,
      webhookSecret: webhook_secret,
    }),
  );

/** Reads the form that registers an App. */
export const readRegistration = (entered: FormValues): FormResult<RegistrationForm> =>
  read(Registration, entered);

/** Reads the form for an existing App. */
export const readCredentials = (entered: FormValues): FormResult<CredentialsForm> =>
  read(Credentials, entered);

function read<T>(schema: z.ZodType<T>, entered: FormValues): FormResult<T> {
  const parsed = schema.safeParse(entered);
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message] as const);
  return { ok: false, problems: Object.fromEntries(problems.reverse()) };
}
