import { LIMIT_WORDS } from "../file/schema/limit-schema.ts";
import { RULE_KINDS } from "../rules/table.ts";

const PARTS = { modules: "modules", types: "resource types, providers" } as const;

/** Every kind of limit: what it allows, what it can look at one by one, and which parts of a stage a scope can name for it. */
export function renderLimitTable(): string {
  const rows = Object.entries(LIMIT_WORDS).map(([kind, about]) => {
    const { pers, parts } = RULE_KINDS[kind as keyof typeof LIMIT_WORDS]; // its own keys
    const each = pers.length === 4 ? "all" : pers.map((per) => `\`${per}\``).join(", ");
    return `| \`${kind}\` | ${about} | ${each} | ${parts.map((part) => PARTS[part]).join(", ") || "–"} |`;
  });
  return ["| limit | | `per` | parts of a stage in `scope` |", "|---|---|---|---|", ...rows].join("\n");
}
