import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** In a build (`scripts/bundle.ts`) the code is in files whose folders say nothing about where it came from. */
const IS_BUILT = import.meta.filename.endsWith(".js");
const ROOT = dirname(findPackageJSON(import.meta.url) ?? import.meta.filename);

/** Returns the path of a file or folder at the top of the project or of the installed package: `templates`. */
export const getShippedFile = (path: string): string => join(ROOT, path);

/**
 * Returns the path of a file beside the code, by its path under `src/`: a module that another thread or process runs, or data of a
 * module. In a build it is under `dist/`, and a module is JavaScript.
 */
export const getCodeFile = (path: string): string =>
  IS_BUILT ? join(ROOT, "dist", path.replace(/\.ts$/, ".js")) : join(ROOT, "src", path);

/** Returns the path of the stylesheet that shows rendered Markdown as GitHub does. */
export const getMarkdownStyle = (): string =>
  IS_BUILT
    ? getCodeFile("github-markdown.css")
    : fileURLToPath(import.meta.resolve("github-markdown-css/github-markdown.css"));
