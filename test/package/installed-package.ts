import { execFile } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
/** The Node of this process, for what npm and the package start. */
const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);

const run = promisify(execFile);

/** The package in a folder of a user's, outside of the checkout. */
export class InstalledPackage {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Packs the checkout as `npm publish` would, and installs the result. */
  static async install(): Promise<InstalledPackage> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "tollgate a user's ")));
    const env = { ...process.env, PATH };
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT, env });
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    if (tarball === undefined) throw new Error(`npm pack wrote no package: ${stdout}`);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`];
    await run("npm", install, { cwd: folder, env });
    return new InstalledPackage(folder);
  }

  /** Runs a command of `tollgate` in the folder, and returns its result. Fails unless it ends with 0. */
  async tollgate(...words: readonly string[]): Promise<string> {
    return this.#run(join(this.folder, "node_modules", ".bin", "tollgate"), words);
  }

  /** Checks the types of a file, as a user who has Probot; then runs the file. */
  async runTypeScript(name: string, source: string): Promise<string> {
    writeFileSync(join(this.folder, name), source);
    symlinkSync(join(ROOT, "node_modules/probot"), join(this.folder, "node_modules/probot"));
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--skipLibCheck", "--types", "node"];
    const types = ["--typeRoots", join(ROOT, "node_modules/@types")];
    await this.#run(join(ROOT, "node_modules/.bin/tsc"), [...options, ...types, name]);
    return this.#run(process.execPath, [name]);
  }

  async #run(program: string, words: readonly string[]): Promise<string> {
    const env = { PATH, TMPDIR: tmpdir() };
    return (await run(program, words, { cwd: this.folder, env })).stdout;
  }

  /** Names of the installed packages, and the size of their files in MB. */
  measure(): { packages: readonly string[]; megabytes: number } {
    const modules = join(this.folder, "node_modules");
    const files = readdirSync(modules, { recursive: true, encoding: "utf8" });
    return {
      packages: readdirSync(modules).filter((name) => !name.startsWith(".")),
      megabytes: files.reduce((sum, file) => sum + statSync(join(modules, file)).size, 0) / 1e6,
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
