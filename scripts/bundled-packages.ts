import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./targets.ts";

/** A package that is part of a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Text of its license and notice files; null where the package ships none. */
  readonly licenseText: string | null;
}

/** Greedy up to the last `node_modules/`, because a package may have packages of its own. */
const PACKAGE_FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Lists the packages that the files of a bundle come from, by name. `inputs`: paths from the top of the project. */
export function listBundledPackages(inputs: readonly string[]): readonly BundledPackage[] {
  const folders = new Set(inputs.flatMap((input) => PACKAGE_FOLDER.exec(input)?.[1] ?? []));
  return [...folders]
    .map((folder) => readPackage(join(ROOT, folder)))
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

function readPackage(folder: string): BundledPackage {
  // npm has checked the file when it installed the package
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  if (license === undefined) throw new Error(`${folder}: package.json names no license`);
  const files = readdirSync(folder).filter((entry) => /^(licen[sc]e|copying|notice)\b/i.test(entry));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return { name, version, license, licenseText: texts.length === 0 ? null : texts.join("\n\n") };
}
