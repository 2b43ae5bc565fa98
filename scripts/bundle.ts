import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { type BundledPackage, listBundledPackages } from "./bundled-packages.ts";
import { type BundleTarget, CHUNKS, ROOT } from "./targets.ts";

/**
 * Packages bring CommonJS modules, which call `require` for Node's own modules; an ES module has none. Packages import `createRequire`
 * by its own name.
 */
const REQUIRE =
  'import { createRequire as createBundleRequire } from "node:module";\nconst require = createBundleRequire(import.meta.url);';

/**
 * Writes a target's folder from scratch, and returns the packages that are part of it; their licenses are in the folder. Nothing stays
 * outside of the bundle but Node. Its names are not minified: stack traces name functions, and V8 caches the compiled code anyway.
 */
export async function bundle({
  folder,
  entries,
  data,
  packageFiles,
  shipped,
}: BundleTarget): Promise<readonly BundledPackage[]> {
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: entries.map((entry) => `src/${entry}`),
    outbase: "src",
    outdir: dist,
    chunkNames: `${CHUNKS}/[name]-[hash]`,
    banner: { js: REQUIRE },
    bundle: true,
    // V8 keeps the text of all loaded code: 6 MB instead of 17. Lines stay short, so that stack traces name places.
    minifyWhitespace: true,
    lineLimit: 120,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    // pino, which is CommonJS, names it for its worker threads, which we do not use
    define: { __dirname: "import.meta.dirname" },
    external: ["pg-native"], // pg loads it if somebody asks for it; Tollgate does not
    legalComments: "none", // licenses.txt has all of them
    metafile: true,
    logLevel: "warning",
  });
  for (const file of data) copy(join(ROOT, "src", file), join(dist, file));
  for (const [from, to] of Object.entries(packageFiles))
    copy(join(ROOT, "node_modules", from), join(dist, to));
  for (const path of shipped) copy(join(ROOT, path), join(folder, path));
  if (folder !== ROOT) writeManifest(folder);
  const packages = listBundledPackages(Object.keys(metafile.inputs));
  writeFileSync(join(dist, "licenses.txt"), formatLicenses(packages));
  return packages;
}

const RULE = "-".repeat(80);

/** Formats the licenses of bundled packages as a text file. Packages with the same text share one section. */
function formatLicenses(packages: readonly BundledPackage[]): string {
  const sections = Map.groupBy(packages, ({ license, licenseText }) => licenseText ?? `License: ${license}`);
  const texts = [...sections].map(
    ([text, members]) =>
      `${members.map(({ name, version, license }) => `${name} ${version} (${license})`).join("\n")}\n\n${text}\n`,
  );
  return `Tollgate contains these packages.\n${RULE}\n${texts.join(`${RULE}\n`)}`;
}

function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

/** By it, Node reads the code as ES modules, and the code finds its folder. */
function writeManifest(folder: string): void {
  const { name, version, license, type } = manifest;
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ name, version, license, type, private: true }, null, 2)}\n`,
  );
}
