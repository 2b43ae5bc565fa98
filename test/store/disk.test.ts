import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../world/eventually.ts";
import { isRecorded, newDirectory, openDirectory, recordDecisions } from "./data-directory.ts";

const MAIN = join(import.meta.dirname, "../../src/cli/program.ts");
const OPEN_MODULE = join(import.meta.dirname, "../../src/wiring/database/schema.ts");

const mount = (...options: readonly string[]): boolean => spawnSync("mount", options).status === 0;

/** A file system of its own; null: this account may not make one. */
function smallDisk(): string | null {
  const place = newDirectory();
  return mount("-t", "tmpfs", "-o", "size=200m", "tmpfs", place) ? place : null;
}

/** Another program fills the disk but for so many megabytes. */
function leaveFree(place: string, megabytes: number): void {
  const { bavail, bsize } = statfsSync(place);
  writeFileSync(join(place, "other"), Buffer.alloc(bavail * bsize - megabytes * 1024 * 1024));
}

const disk = smallDisk();
afterAll(() => {
  if (disk !== null) spawnSync("umount", ["-l", disk]);
});

describe.runIf(disk)("on a disk of its own a data directory", () => {
  const place = disk ?? "";
  const directory = join(place, "data");

  it("is refused while the disk is full or read-only, and opens when it no longer is", async () => {
    const store = await openDirectory(directory);
    await recordDecisions(store);
    await store.close();
    leaveFree(place, 50);
    await expect(openDirectory(directory)).rejects.toMatchObject({
      code: "data_directory_unusable",
      message: expect.stringMatching(/nearly full: \d+ MB are free, 64 MB are needed/),
    });
    writeFileSync(join(place, "other"), "");
    mount("-o", "remount,ro", place);
    for (const refused of [directory, join(place, "new")])
      await expect(openDirectory(refused)).rejects.toMatchObject({
        code: "data_directory_unusable",
        message: expect.stringContaining("its file system is read-only"),
      });
    mount("-o", "remount,rw", place);
    expect(await isRecorded(directory)).toBe(true);
  });

  it("ends the process that uses it before the disk is full, with the reason, and loses nothing", async () => {
    const used = join(place, "used");
    const child = spawn(process.execPath, [MAIN, "platform", "serve"], {
      env: { ...process.env, TOLLGATE_DATA: used, PORT: "0", LOG_LEVEL: "info" },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
    await eventually(() => expect(said).toContain("http://127.0.0.1:"));
    leaveFree(place, 30);
    expect(await once(child, "exit")).toEqual([2, null]);
    expect(said).toMatch(/nearly full: \d+ MB are free, 48 MB are needed/);
    writeFileSync(join(place, "other"), "");
    await (await openDirectory(used)).close();
  });
});

/** What happens to a process of an account that is not root. */
function openAsNobody(directory: string): string {
  const root = process.getuid?.() === 0;
  const script = `const { openDatabase } = await import(${JSON.stringify(OPEN_MODULE)});
    await openDatabase({ kind: "directory", directory: ${JSON.stringify(directory)} }, () => {}).then(
      () => console.log("opened"), (error) => console.log(error.code, error.message));`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    ...(root && { uid: 65_534, gid: 65_534 }),
  }).stdout;
}

it("a data directory of another account is refused, and so is a place where none can be made", () => {
  const parent = newDirectory();
  const directory = join(parent, "theirs");
  mkdirSync(directory);
  chmodSync(directory, 0o000);
  chmodSync(parent, 0o555);
  for (const place of [directory, join(parent, "new")])
    expect(openAsNobody(place)).toMatch(/^data_directory_unusable .*this account may not read and write it/);
  chmodSync(directory, 0o700);
});
