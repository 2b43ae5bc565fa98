import { join } from "node:path";
import { defineConfig } from "vitest/config";
import unitFolders from "./test/unit-folders.json" with { type: "json" };

// Each test process compiles the same modules; from the second one on they are read.
// biome-ignore lint/style/noProcessEnv: the processes that run tests inherit it
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules", ".cache", "compile");

const testsIn = (folders: readonly string[]): string[] =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`);
/** Tests that need no database, sandbox, browser or process: `.dependency-cruiser.cjs` holds their folders to it. */
const UNIT = testsIn(unitFolders);
/** Whole bots: nothing of one file may reach another. */
const STORIES = testsIn(["stories"]);

const postgres = { globalSetup: ["test/world/postgres.ts"] };

export default defineConfig(({ mode }) => ({
  test: {
    maxWorkers: 4,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    env: { LOG_LEVEL: "silent", NO_COLOR: "1" },
    provide: { isDeep: mode === "deep" },
    projects: [
      // No module keeps state, so that files may share a process, which takes a third off their time.
      { extends: true, test: { name: "unit", include: UNIT, isolate: false } },
      {
        extends: true,
        test: {
          name: "system",
          include: ["test/**/*.test.ts"],
          exclude: [...UNIT, ...STORIES],
          isolate: false,
          ...postgres,
        },
      },
      { extends: true, test: { name: "stories", include: STORIES, ...postgres } },
    ],
  },
}));
