import type { BundledPackage } from "./bundled-packages.ts";

const RULE = "-".repeat(80);

/** Formats the licenses of bundled packages as a text file. Packages with the same text share one section. */
export function formatLicenses(packages: readonly BundledPackage[]): string {
  const sections = Map.groupBy(packages, ({ license, licenseText }) => licenseText ?? `License: ${license}`);
  const texts = [...sections].map(
    ([text, members]) =>
      `${members.map(({ name, version, license }) => `${name} ${version} (${license})`).join("\n")}\n\n${text}\n`,
  );
  return `Tollgate contains these packages.\n${RULE}\n${texts.join(`${RULE}\n`)}`;
}
