import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import unitFolders from "./test/unit-folders.json" with { type: "json" };

// Each test process compiles the same modules; from the second one on they are read.
// biome-ignore lint/style/noProcessEnv: the processes that run tests inherit it
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules", ".cache", "compile");

/** Tests that need no database, sandbox, browser or process: `.dependency-cruiser.cjs` holds their folders to it. */
const UNIT = unitFolders.map((folder) => `test/${folder}/**/*.test.ts`);

const HOOK_MS = 90_000;

export default defineConfig(({ mode }) => ({
  test: {
    maxWorkers: availableParallelism(),
    testTimeout: 90_000,
    hookTimeout: HOOK_MS,
    // On a machine with much else to do, the end of a process with a database in its memory took 4 s.
    teardownTimeout: 60_000,
    env: { LOG_LEVEL: "silent", NO_COLOR: "1", CI: "" },
    provide: { isDeep: mode === "deep", hookTimeoutMs: HOOK_MS },
    // No module keeps state, so that files may share a process, which takes a third off their time.
    isolate: false,
    setupFiles: ["test/world/each-file.ts"],
    globalSetup: ["test/world/temporary-files.ts"],
    projects: [
      { extends: true, test: { name: "unit", include: UNIT } },
      {
        extends: true,
        test: {
          name: "system",
          include: ["test/**/*.test.ts"],
          exclude: UNIT,
          globalSetup: ["test/world/postgres.ts"],
        },
      },
    ],
  },
}));
