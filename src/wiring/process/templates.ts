import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The words ship beside the code: `templates/` at the top of the project, from sources and from a build alike. */
const FOLDER = join(import.meta.dirname, "..", "..", "..", "templates");

/** Every template by its name without `.hbs`. */
export function loadTemplates(): Readonly<Record<string, string>> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".hbs"),
  );
  return Object.fromEntries(
    files.map((file) => [
      file.replaceAll("\\", "/").slice(0, -".hbs".length),
      readFileSync(join(FOLDER, file), "utf8"),
    ]),
  );
}
