import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { getShippedFile } from "../../package/shipped-files.ts";
import type { PageFiles } from "../../web/page/page-files.ts";

const FOLDER = getShippedFile("templates/pages");
const ENDING = ".hbs";

/** Reads the templates, the icons and the stylesheet of pages. */
export function loadPageFiles(): PageFiles {
  const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");
  const names = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(ENDING),
  );
  return {
    templates: Object.fromEntries(
      names.map((name) => [name.replaceAll("\\", "/").slice(0, -ENDING.length), read(name)]),
    ),
    icons: z.record(z.string(), z.string()).parse(JSON.parse(read("icons.json"))),
    style: `${read("tokens.css")}${read("page.css")}`,
  };
}
