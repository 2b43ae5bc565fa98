import { z } from "zod";
import { findSecretWeakness, WEBHOOK_SECRET_RULE } from "../../kernel/webhook-secret.ts";

/** Returns why a PEM text is not the private key of an App, as the end of a sentence; null: it is one. */
export type FindKeyProblem = (pem: string) => string | null;

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

/** Null: github.com. */
const toGheHost = (host: string | null): string | null => (host === "github.com" ? null : host);

const Registration = z
  .object({
    owner: z.enum(["organization", "personal"], "Choose who owns the App."),
    organization: text,
    host: optional(HostName),
    public_url: optional(PublicUrl),
  })
  .refine(({ owner, organization }) => owner !== "organization" || LOGIN.test(organization), {
    path: ["organization"],
    message: "Enter the organisation's name as in its address on GitHub, such as acme.",
    when: () => true, // reported together with problems of the other fields
  })
  .transform(({ owner, organization, host, public_url }) => ({
    owner:
      owner === "personal"
        ? { kind: "personal" as const }
        : { kind: "organization" as const, login: organization },
    gheHost: toGheHost(host),
    /** Without a slash at the end; null: the operator enters the webhook at GitHub later. */
    publicUrl: public_url,
  }));

export type RegistrationForm = Readonly<z.output<typeof Registration>>;

const createCredentials = (findKeyProblem: FindKeyProblem) =>
  z
    .object({
      app_id: text.pipe(
        z
          .string()
          .regex(/^[1-9]\d{0,15}$/, "Enter GitHub's number of the App, as its settings page shows it."),
      ),
      private_key: text.superRefine((pem, context) => {
        const problem = findKeyProblem(pem);
        if (problem !== null) context.addIssue({ code: "custom", message: `This ${problem}.` });
      }),
      webhook_secret: text.superRefine((secret, context) => {
        const weakness = findSecretWeakness(secret);
        const message = `The secret ${weakness}. Enter ${WEBHOOK_SECRET_RULE}.`;
        if (weakness !== null) context.addIssue({ code: "custom", message });
      }),
      client_id: text,
      client_secret: text,
      existing_host: optional(HostName),
    })
    .superRefine(({ client_id, client_secret }, context) => {
      if ((client_id === "") === (client_secret === "")) return;
      const path = [client_id === "" ? "client_id" : "client_secret"];
      context.addIssue({ code: "custom", path, message: "Enter both, or neither." });
    })
    .transform(({ app_id, private_key, webhook_secret, client_id, client_secret, existing_host }) => ({
      appId: Number(app_id),
      /** With which people sign in; null: nobody can. */
      signIn: client_id === "" ? null : { clientId: client_id, clientSecret: client_secret },
      privateKey: private_key,
      webhookSecret: webhook_secret,
      gheHost: toGheHost(existing_host),
    }));

export type CredentialsForm = Readonly<z.output<ReturnType<typeof createCredentials>>>;

export const readRegistration = (entered: FormValues): FormResult<RegistrationForm> =>
  read(Registration, entered);

export const readCredentials = (
  entered: FormValues,
  findKeyProblem: FindKeyProblem,
): FormResult<CredentialsForm> => read(createCredentials(findKeyProblem), entered);

function read<T>(schema: z.ZodType<T>, entered: FormValues): FormResult<T> {
  const parsed = schema.safeParse(entered);
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message] as const);
  return { ok: false, problems: Object.fromEntries(problems.reverse()) };
}
