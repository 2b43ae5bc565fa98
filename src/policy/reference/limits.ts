import { LIMIT_WORDS } from "../file/schema/limit-schema.ts";
import { RULE_KINDS } from "../rules/table.ts";

const PARTS = { modules: "modules", types: "resource types, providers" } as const;

/**
 * Returns a Markdown table of every kind of limit: the allowed value, the values of `per`, and the parts of a
 * stage that a scope can name.
 */
export function renderLimitTable(): string {
  const rows = Object.entries(LIMIT_WORDS).map(([kind, about]) => {
    const { granularities: pers, parts } = RULE_KINDS[kind as keyof typeof LIMIT_WORDS]; // its own keys
    const each = pers.length === 4 ? "all" : pers.map((per) => `\`${per}\``).join(", ");
    return `| \`${kind}\` | ${about} | ${each} | ${parts.map((part) => PARTS[part]).join(", ") || "–"} |`;
  });
  return ["| limit | | `per` | parts of a stage in `scope` |", "|---|---|---|---|", ...rows].join("\n");
}
