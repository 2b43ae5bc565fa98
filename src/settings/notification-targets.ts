import { z } from "zod";
import { type Decimal, type Money, parseDecimal } from "../kernel/money.ts";
import { NOTIFICATION_EVENTS, TARGET_NAME, TARGET_NAME_RULE } from "../kernel/notification-events.ts";
import { createMapping } from "../kernel/schema-problems.ts";
import { AccountId, RepositoryId } from "./named-ids.ts";

/** `500 USD`. */
const Amount = z
  .string("an amount such as 500 USD")
  .regex(/^(0|[1-9]\d{0,14})(\.\d{1,12})? [A-Z]{3}$/, {
    error: "an amount such as 500 USD",
    abort: true,
  })
  .transform((text): Money => {
    const [amount = "", currency = ""] = text.split(" ");
    return { amount: parseDecimal(amount) as Decimal, currency }; // the pattern leaves only decimal numbers
  });

/** `20%`. */
const Percent = z
  .string("a percentage such as 20%")
  .regex(/^(0|[1-9]\d{0,6})(\.\d{1,6})?%$/, { error: "a percentage such as 20%", abort: true })
  .transform((text) => parseDecimal(text.slice(0, -1)) as Decimal); // the pattern leaves only decimal numbers

const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Whether nobody on the way can read what is sent to the URL. */
function isConfidential(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || LOOPBACK.includes(url.hostname));
}

const NOT_A_URL = "a URL that starts with https://, without user and password";
const HttpUrl = z.string(NOT_A_URL).refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}, NOT_A_URL);
/** Whoever knows the URL can post, so it is sent to nobody else. */
const SecretUrl = HttpUrl.refine(isConfidential, NOT_A_URL);

const SmtpUrl = z
  .string("a URL such as smtps://user:password@mail.example.com")
  .refine((text) => /^smtps?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text), {
    error: "a URL such as smtps://user:password@mail.example.com, without a path or options",
  });

const Address = z
  .string("an e-mail address such as finops@example.com")
  .max(254)
  .regex(/^[^\s<>,;:"'()[\]\\@\p{Cc}]+@[^\s<>,;:"'()[\]\\@\p{Cc}]+$/u, {
    error: "an e-mail address such as finops@example.com, without a name",
  });

/** What targets of every kind have. */
const common = {
  name: z.string().regex(TARGET_NAME, TARGET_NAME_RULE),
  /** The events of which it is notified, in every repository it covers. None: only what an organisation's policy file chooses. */
  on: z.array(z.enum(NOTIFICATION_EVENTS)).max(NOTIFICATION_EVENTS.length).default([]),
  /** `blocked` only where the monthly increase is above this amount, or unknown. */
  above: Amount.optional(),
  /** `estimate-off` only where the actual change differs from the estimated one by more than this share of it. */
  off_by: Percent.prefault("20%"),
  /** Both empty: everything that the App covers. */
  owners: z.array(AccountId).max(1000).default([]),
  repositories: z.array(RepositoryId).max(1000).default([]),
  /** Slugs. `approval-needed` only where one of these teams can give the approval; empty: always. */
  teams: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, "a team's slug such as finops"))
    .max(100)
    .default([]),
  /**
   * `daily`: one message a day, at 08:00 UTC, with all of it. `weekly`: one on Mondays at 08:00 UTC, with a report on each organisation.
   * Trouble is never held back.
   */
  digest: z.enum(["daily", "weekly", "none"]).default("none"),
  /** Most messages in any minute; further ones wait. */
  per_minute: z.int().min(1).max(600).default(20),
};

const SharedSecret = z
  .string("a text of 24 to 4096 characters")
  .min(24, "at least 24 characters that cannot be guessed")
  .max(4096, "at most 4096 characters");

/** One place that is notified of what happens. Only the operator's file has them. */
export const NotificationTarget = z.discriminatedUnion(
  "kind",
  [
    createMapping({ kind: z.literal("slack"), url: SecretUrl, ...common }),
    createMapping({ kind: z.literal("teams"), url: SecretUrl, ...common }),
    createMapping({
      kind: z.literal("email"),
      /** `smtps://` encrypts from the start, `smtp://` by STARTTLS, which is required except on this machine. */
      smtp: SmtpUrl,
      from: Address,
      to: z.array(Address).min(1).max(50),
      ...common,
    }),
    /** Requests are signed with the secret, as Standard Webhooks defines it. */
    createMapping({ kind: z.literal("webhook"), url: HttpUrl, secret: SharedSecret, ...common }),
  ],
  { error: "one of slack, teams, email, webhook" },
);
export type NotificationTarget = z.infer<typeof NotificationTarget>;

export const Notifications = createMapping({
  targets: z
    .array(NotificationTarget)
    .max(50)
    .default([])
    .refine((targets) => new Set(targets.map(({ name }) => name)).size === targets.length, {
      error: "another name for each target",
    }),
}).default({ targets: [] });

/** Members of a target whose value may be `{ env: NAME }`. */
const REFERRING = ["url", "secret", "smtp"] as const;
const Reference = z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) });

/** A variable that a member of a target refers to and that is not set. */
interface UnsetVariable {
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

const FileWithTargets = z.looseObject({
  notifications: z.looseObject({ targets: z.array(z.looseObject({})) }),
});

/**
 * Puts values of the environment in the place of `{ env: NAME }` in the targets of a parsed operator's file; without an environment,
 * leaves the targets out.
 */
export function resolveEnvironment(
  file: unknown,
  environment: Readonly<Record<string, string | undefined>> | null,
): { readonly file: unknown; readonly unset: readonly UnsetVariable[] } {
  const parsed = FileWithTargets.safeParse(file);
  if (!parsed.success) return { file, unset: [] };
  const { notifications, ...others } = parsed.data;
  if (environment === null) return { file: others, unset: [] };
  const resolved = notifications.targets.map((target) => resolveTarget(target, environment));
  return {
    file: { ...others, notifications: { ...notifications, targets: resolved.map(({ target }) => target) } },
    unset: resolved.flatMap(({ unset }, at) =>
      unset.map(([member, name]) => ({ path: ["notifications", "targets", at, member], name })),
    ),
  };
}

function resolveTarget(
  target: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const references = REFERRING.flatMap((member) => {
    const parsed = Reference.safeParse(target[member]);
    return parsed.success ? [[member, parsed.data.env] as const] : [];
  });
  const values = references.map(([member, name]) => [member, environment[name] ?? ""] as const);
  return {
    target: { ...target, ...Object.fromEntries(values) },
    unset: references.filter(([, name]) => (environment[name] ?? "") === ""),
  };
}

/** The texts of a target that nobody else may see, in each form in which a library could quote them. */
export function listTargetSecrets(target: NotificationTarget): readonly string[] {
  if (target.kind === "webhook") return [target.secret];
  if (target.kind === "email") {
    const { password } = new URL(target.smtp);
    return password === "" ? [] : [target.smtp, password, decodeURIComponent(password)];
  }
  // The address of an incoming webhook is its credential.
  const { pathname, search } = new URL(target.url);
  return pathname.length + search.length < 8 ? [] : [target.url, `${pathname}${search}`];
}
