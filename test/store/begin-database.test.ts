import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { enterLane } from "../../src/store/database/lanes.ts";
import { isRecorded, newDirectory, openDirectory } from "./data-directory.ts";

const OPEN_MODULE = join(import.meta.dirname, "../../src/wiring/database/schema.ts");

/** The call of `writeFileSync` on a path that holds a text, counted from 1. */
interface Call {
  readonly path: string;
  readonly count: number;
}

/** A first start in a process that kills itself right before a call. */
function startAndDie(directory: string, { path, count }: Call): NodeJS.Signals | null {
  const script = join(newDirectory(), "start.mjs");
  writeFileSync(
    script,
    `import fs from "node:fs";
     import { syncBuiltinESMExports } from "node:module";
     const original = fs.writeFileSync;
     let calls = 0;
     fs.writeFileSync = (...given) => {
       if (String(given[0]).includes(${JSON.stringify(path)}) && ++calls === ${count}) process.kill(process.pid, "SIGKILL");
       return original(...given);
     };
     syncBuiltinESMExports();
     const { openDatabase } = await import(${JSON.stringify(OPEN_MODULE)});
     const store = await openDatabase({ kind: "directory", directory: ${JSON.stringify(directory)} }, () => {});
     await store.close();`,
  );
  return spawnSync(process.execPath, [script]).signal;
}

it.each<{ point: string; call: Call; left: readonly string[] }>([
  {
    point: "between two files of the database",
    call: { path: "pg.new", count: 700 },
    left: ["pg.new"],
  },
  {
    point: "before the mark",
    call: { path: "pg.complete", count: 1 },
    left: ["pg"],
  },
])("a first start that dies $point is made up for by the next one", async ({ call, left }) => {
  const directory = newDirectory();
  expect(startAndDie(directory, call)).toBe("SIGKILL");
  expect(readdirSync(directory).filter((name) => name.startsWith("pg"))).toEqual(left);
  const store = await openDirectory(directory);
  await enterLane(store.db, "pull:1:1", new Date());
  await store.close();
  expect(await isRecorded(directory)).toBe(true);
  expect(readdirSync(directory).sort()).toEqual(["lock.sqlite", "pg", "pg.complete"]);
});
