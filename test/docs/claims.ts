import { existsSync, globSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The root of this repository. */
export const ROOT = join(import.meta.dirname, "../..");

/** A page of the documentation: its path from the root, and its text. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/**
 * Paths in the repository of a user begin so. Any other path in backticks that begins with a folder of this repository, ends with a slash, or
 * ends in `.ts` names something here: an example of a user's own path begins with a folder that this repository does not have.
 */
const USERS_OWN = [".github/tollgate", ".github/workflows/", ".github/CODEOWNERS", "docs/CODEOWNERS"];

/** What the build writes, which is not under version control. */
const BUILT = "dist/";

/** Folders at the root that a page can name: those under version control. */
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["node_modules", "dist", "data", ".git"].includes(entry.name))
  .map(({ name }) => name);

const FENCE = /^( *)```(\w*)[^\n]*\n([\s\S]*?)^ *```/gm;

/** What is written as code: each span in backticks, and each command line of a shell block, its continuation lines joined. */
export function codeOf({ text }: Page): {
  readonly spans: readonly string[];
  readonly lines: readonly string[];
} {
  const blocks = [...text.matchAll(FENCE)];
  const shell = blocks.filter(([, , language = ""]) => ["", "sh", "bash"].includes(language));
  const lines = shell.flatMap(([, , , body = ""]) => body.replaceAll(/\\\n\s*/g, "").split("\n"));
  const prose = text.replaceAll(FENCE, "");
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span.replaceAll(/\s+/g, " "));
  return { spans, lines };
}

/** Paths of the page that lead nowhere in this repository. */
export function missingPaths(page: Page): readonly string[] {
  const { spans, lines } = codeOf(page);
  const words = lines.flatMap((line) => line.replace(/ #.*/, "").split(/\s+/)).filter(isFromRoot);
  const paths = [...spans.filter(isPath), ...words].filter((path) => path !== BUILT);
  return paths.filter((path) => !placesOf(page, path).some(exists));
}

const isFromRoot = (word: string): boolean =>
  FOLDERS.some((folder) => word.startsWith(`${folder}/`)) && !USERS_OWN.some((own) => word.startsWith(own));

function isPath(span: string): boolean {
  if (/[\s{}()?=…]|^\/|^\.\.?\/$|:\/\//.test(span) || USERS_OWN.some((own) => span.startsWith(own)))
    return false;
  return isFromRoot(span) || /\.(ts|cjs)$/.test(span) || /\w\/$/.test(span);
}

const isOfFolder = ({ path }: Page): boolean => /^(src|test|scripts|sandbox)\//.test(path);

/** From the root; a folder of `src/` can be named without it, and the README of a folder names what is inside. */
const placesOf = (page: Page, path: string): readonly string[] => [
  path,
  ...(path.endsWith("/") || isOfFolder(page) ? [join("src", path)] : []),
  ...(isOfFolder(page) ? [join(dirname(page.path), path)] : []),
];

const exists = (place: string): boolean =>
  globSync(place.replaceAll(/<[^>]*>/g, "*"), { cwd: ROOT }).length > 0;

/** Scripts that the page runs and `package.json` lacks. */
export function missingScripts(page: Page, scripts: Readonly<Record<string, string>>): readonly string[] {
  const { spans, lines } = codeOf(page);
  const run = [...spans, ...lines].flatMap((code) => [
    ...code.matchAll(/\bnpm (?:run (?:--?\w+ )*|(?=test\b|start\b))([\w:-]+)/g),
  ]);
  return run.map(([, name = ""]) => name).filter((name) => !Object.hasOwn(scripts, name));
}

/** Links of the page that lead to no file, or to no heading of it. */
export function brokenLinks(page: Page, read: (path: string) => string): readonly string[] {
  const prose = page.text.replaceAll(FENCE, "").replaceAll(/`[^`\n]*`/g, "code");
  const targets = [...prose.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    const [file = "", anchor] = target.split("#");
    const path = file === "" ? page.path : join(dirname(page.path), file);
    if (!existsSync(join(ROOT, path))) return true;
    return anchor !== undefined && !anchorsOf(read(path)).includes(anchor);
  });
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...text.replaceAll(FENCE, "").matchAll(/^#{1,6} +(.+)$/gm)].map(
    ([, heading = ""]) => heading,
  );
  const seen = new Map<string, number>();
  return headings.map((heading) => {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}
