import { execFileSync } from "node:child_process";
import manifest from "../package.json" with { type: "json" };
import type { BundledPackage } from "./bundled-packages.ts";
import { ROOT } from "./targets.ts";

/** The part of CycloneDX that is changed here. */
interface Sbom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface Component {
  readonly "bom-ref": string;
  name: string;
  properties?: { name: string; value: string }[];
}

/**
 * Returns the software bill of materials of a bundle as CycloneDX JSON: that of `npm sbom`, without the packages that are not in the
 * bundle. npm alone would list every development tool.
 */
export function formatSbom(packages: readonly BundledPackage[]): string {
  const npm = process.env["npm_execpath"]; // set by npm for its scripts
  if (npm === undefined) throw new Error("build: expected to be an npm script, `npm run build`");
  const text = execFileSync(process.execPath, [npm, "sbom", "--sbom-format=cyclonedx", "--loglevel=error"], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const sbom = JSON.parse(text) as Sbom; // npm follows the schema of CycloneDX
  const self = `${manifest.name}@${manifest.version}`;
  const bundled = new Set([self, ...packages.map(({ name, version }) => `${name}@${version}`)]);
  sbom.metadata.component.name = manifest.name; // npm writes the name of the folder
  sbom.components = sbom.components.filter((component) => bundled.has(component["bom-ref"]));
  for (const component of sbom.components) delete component.properties; // where it is here, and that it is for development
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => bundled.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => bundled.has(one)) }));
  return `${JSON.stringify(sbom, null, 2)}\n`;
}
