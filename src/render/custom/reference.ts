import type { Fields } from "./fields.ts";
import { WORDABLE, WORDABLE_NAMES } from "./names.ts";

/** Makes the parts of the page about custom words that follow from the code. */
export const fillWordingPage = (page: string): string =>
  page.replaceAll(MARKED, (_, what: string) =>
    [`<!-- generated: ${what} -->`, what === "names" ? nameTable() : fieldTables(), "<!-- end -->"].join(
      "\n",
    ),
  );

const MARKED = /<!-- generated: (names|fields) -->\n[\s\S]*?<!-- end -->/g;

function nameTable(): string {
  const rows = WORDABLE_NAMES.map((name) => {
    const { where, about } = WORDABLE[name];
    return `| \`${name}.hbs\` | ${where.kind === "instead" ? "instead of Tollgate's own words" : "in addition"} | ${about} |`;
  });
  return ["| file | | where it stands |", "|---|---|---|", ...rows].join("\n");
}

/** One table for all that has the same fields. */
function fieldTables(): string {
  const byFields = Map.groupBy(WORDABLE_NAMES, (name) => WORDABLE[name].fields);
  return [...byFields]
    .map(([fields, names]) => {
      const title = names.map((name) => `\`${name}\``).join(", ");
      return [`### ${title}`, "", "| field | what it is |", "|---|---|", ...rowsOf(fields, "")].join("\n");
    })
    .join("\n\n");
}

const rowsOf = (fields: Fields, within: string): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const path = `${within}${name}`;
    const about = `| \`${path}\` | ${field.kind === "list" ? "List: " : ""}${field.about} |`;
    if (field.kind === "value") return [about];
    if (field.of === "values") return [about, `| \`${path}: this\` | One of them. |`];
    return [about, ...rowsOf(field.of, `${path}${field.kind === "list" ? ": " : "."}`)];
  });
