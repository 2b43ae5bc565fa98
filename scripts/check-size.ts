import { globSync, readFileSync } from "node:fs";
import { build } from "esbuild";
import { ROOT } from "./targets.ts";

/** What one person can hold. A change that needs more says why, and raises the limit here. */
const LIMITS = {
  "src, lines": 94_120,
  "src, files": 645,
  "src, levels of folders": 3,
  "sandbox, lines": 8_350,
  "test, lines": 85_780,
  "code that one delivery loads, files": 200,
  "code that one delivery loads, lines": 28_200,
};

/** The way of a delivery: receive it, enqueue its lanes, evaluate a pull request and publish. Who composes these is not on it. */
const DELIVERY = ["src/github/webhooks/receiver.ts", "src/deliveries/handle.ts", "src/evaluate/evaluate.ts"];

const listCode = (folder: string): readonly string[] => globSync(`${folder}/**/*.ts`, { cwd: ROOT });
const countLines = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + readFileSync(`${ROOT}${file}`, "utf8").split("\n").length - 1, 0);

/** Modules whose values the given ones import, directly or through others: types cost a reader nothing to load. */
async function listLoaded(entryPoints: string[]): Promise<readonly string[]> {
  const { metafile } = await build({
    ...{ absWorkingDir: ROOT, entryPoints, outdir: "dist", write: false, metafile: true },
    ...{ bundle: true, packages: "external", format: "esm", platform: "node", logLevel: "error" },
  });
  return Object.keys(metafile.inputs).filter((file) => file.endsWith(".ts"));
}

const [code, loaded] = [listCode("src"), await listLoaded(DELIVERY)];
const measured: Readonly<Record<keyof typeof LIMITS, number>> = {
  "src, lines": countLines(code),
  "src, files": code.length,
  "src, levels of folders": Math.max(...code.map((file) => file.split("/").length - 2)),
  "sandbox, lines": countLines(listCode("sandbox")),
  "test, lines": countLines(listCode("test")),
  "code that one delivery loads, files": loaded.length,
  "code that one delivery loads, lines": countLines(loaded),
};

for (const [name, limit] of Object.entries(LIMITS)) {
  const found = measured[name as keyof typeof LIMITS]; // the keys of LIMITS
  process.stdout.write(`${name}: ${found.toLocaleString("en")} of at most ${limit.toLocaleString("en")}\n`);
  if (found > limit) process.exitCode = 1;
}
if (process.exitCode === 1)
  process.stderr.write(
    "The code is larger than scripts/check-size.ts allows: remove what is not needed, or raise the limit there and say why.\n",
  );
