import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  engines: { node: string };
  scripts: Record<string, string>;
  bin: { tollgate: string };
};
const ENTRY = join(ROOT, "src/cli/tollgate.js");

/** Preloaded into a process, this makes it report another version of Node. */
const pretend = (version: string): readonly string[] => [
  "--import",
  `data:text/javascript,Object.defineProperty(process, "version", { value: ${JSON.stringify(version)} })`,
];

function start(node: string, options: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(node, [...options, ENTRY, "--version"], { encoding: "utf8" });
  return { status, stdout, stderr };
}

const refusal = (version: string) => ({
  status: 2,
  stdout: "",
  stderr: `tollgate: Tollgate needs Node 24 or newer; this is ${version}. Install it from https://nodejs.org; in a checkout, \`npm ci\` and the npm scripts bring their own.\n`,
});

const majorOf = (version: string): number => Number(/^v(\d+)/.exec(version)?.[1]);

/** Each Node on the path that is older than 24, with its version. */
const olderNodes = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .filter((file) => existsSync(file))
  .map((file) => ({ file, version: execFileSync(file, ["--version"], { encoding: "utf8" }).trim() }))
  .filter(({ version }) => majorOf(version) < 24);

describe("the version of Node", () => {
  test.each(["v18.20.8", "v22.22.0"])("%s is refused in one line that says what to do", (version) => {
    expect(start(process.execPath, pretend(version))).toEqual(refusal(version));
  });

  test.each(["v24.0.0", "v100.0.0"])("%s runs the command", (version) => {
    const { status, stdout, stderr } = start(process.execPath, pretend(version));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("the older Nodes on this machine's path print that line and no syntax error", () => {
    for (const { file, version } of olderNodes) expect(start(file)).toEqual(refusal(version));
  });

  test("the version that is asked for is the one that package.json declares", () => {
    expect(manifest.engines.node).toBe(">=24");
  });

  test("every script of package.json and the installed command start with the check of the version", () => {
    for (const script of ["start", "demo", "tollgate"])
      expect(manifest.scripts[script]).toMatch(/^node src\/cli\/tollgate\.js\b/);
    expect(manifest.bin.tollgate).toBe("dist/cli/tollgate.js");
  });
});
