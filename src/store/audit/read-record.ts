import { z } from "zod";
import { parseDecimal } from "../../kernel/money.ts";
import { parseRecord } from "./decisions.ts";

const Money = z.object({
  amount: z.string().transform((text, context) => {
    const amount = parseDecimal(text);
    if (amount === null) context.addIssue({ code: "custom", message: "not a decimal number" });
    return amount ?? z.NEVER;
  }),
  currency: z.string(),
});
const Person = z.object({ login: z.string() });
const Why = z.object({ kind: z.string() }).nullable();
const Open = z.array(
  z.object({
    rule: z.string(),
    outcome: z.string(),
    subject: z.string().nullable(),
    amount: Money.nullable().default(null),
    limit: Money.nullable().default(null),
  }),
);

const Verdict = z.object({
  kind: z.literal("verdict"),
  baseRef: z.string(),
  situation: z.string(),
  decision: z.string(),
  findings: Open,
  override: z.string().optional(),
});
const Approval = z.object({
  kind: z.literal("approval"),
  turn: z.string(),
  approval: z.string(),
  baseRef: z.string(),
  approver: Person,
  rules: z.array(z.string()),
  upTo: Money.nullable(),
  reason: z.string(),
  why: Why,
});
const Override = z.object({
  kind: z.literal("override"),
  turn: z.string(),
  override: z.string(),
  baseRef: z.string(),
  person: Person,
  reason: z.string(),
  why: Why,
  open: Open,
});
const Merge = z.object({
  kind: z.literal("merge"),
  baseRef: z.string(),
  mergedBy: Person.nullable(),
  check: z.string(),
  open: Open,
});
const Known = z.discriminatedUnion("kind", [Verdict, Approval, Override, Merge]);

/** What a record says, as pages show it. */
export type ShownRecord = Readonly<z.infer<typeof Known>>;

/** Reads a record; null: it was changed, or a newer version wrote it. */
export function readRecord(text: string): ShownRecord | null {
  const read = Known.safeParse(parseRecord(text));
  return read.success ? read.data : null;
}

/** Returns the rules that a record names, each once. */
export function listRules(record: ShownRecord): readonly string[] {
  if (record.kind === "approval") return record.rules;
  const findings = record.kind === "verdict" ? record.findings : record.open;
  return [...new Set(findings.map(({ rule }) => rule))];
}

/** Returns the login of the person who decided; null: nobody did, or it is not known who. */
export function getPerson(record: ShownRecord): string | null {
  if (record.kind === "verdict") return null;
  if (record.kind === "merge") return record.mergedBy?.login ?? null;
  if (record.kind === "override") return record.person.login;
  return record.approver.login;
}
