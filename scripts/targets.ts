import { fileURLToPath } from "node:url";

/** A folder that runs with Node alone: all code that its entries reach, and every file that this code reads. */
export interface BundleTarget {
  /** Path of the folder with package.json; the code is in its `dist/`. */
  readonly folder: string;
  /** Modules that are started by their path, under `src/`. `getCodeFile` finds them in `dist/`. */
  readonly entries: readonly string[];
  /** Data beside the code, under `src/`. `getCodeFile` finds it in `dist/`. */
  readonly data: readonly string[];
  /** Files of packages: source → path in `dist/`. */
  readonly packageFiles: Readonly<Record<string, string>>;
  /** Files and folders at the top of the project that are copied. `getShippedFile` finds them. */
  readonly shipped: readonly string[];
}

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Folder of the chunks that entries share, in `dist/`. */
export const CHUNKS = "chunks";

/** PGlite opens these beside the file that contains its code, which is one of the chunks. */
const PGLITE_FILES = Object.fromEntries(
  ["pglite.wasm", "pglite.data", "initdb.wasm"].map((file) => [
    `@electric-sql/pglite/dist/${file}`,
    `${CHUNKS}/${file}`,
  ]),
);

export const TARGETS = {
  /** The npm package. What is not in `dist/` is in it by `files` of package.json. */
  package: {
    folder: ROOT,
    entries: [
      "cli/tollgate.js",
      "index.ts",
      "wiring/evaluation/policy-thread.ts",
      "wiring/platform/ingest-thread.ts",
    ],
    data: ["wiring/database/empty-database.tar.gz"],
    packageFiles: { ...PGLITE_FILES, "github-markdown-css/github-markdown.css": "github-markdown.css" },
    shipped: [],
  },
  /** The GitHub Action. */
  action: {
    folder: `${ROOT}action`,
    entries: ["action/main.ts", "wiring/evaluation/policy-thread.ts"],
    data: ["wiring/database/empty-database.tar.gz"],
    packageFiles: PGLITE_FILES,
    shipped: ["templates"],
  },
} satisfies Record<string, BundleTarget>;
