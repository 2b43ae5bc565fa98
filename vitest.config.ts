import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Each test process compiles the same modules; from the second one on they are read.
// biome-ignore lint/style/noProcessEnv: the processes that run tests inherit it
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules", ".cache", "compile");

/** Stories start whole bots, and clients are tested with what stands in for the network: nothing of that may reach another file. */
const ALONE = ["test/stories/**/*.test.ts", "test/github/**/*.test.ts", "test/platform/**/*.test.ts"];

export default defineConfig({
  test: {
    maxWorkers: 4,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    globalSetup: ["test/world/postgres.ts"],
    env: { LOG_LEVEL: "silent", NO_COLOR: "1" },
    projects: [
      // No module keeps state, so that files may share a process, which takes a third off their time.
      {
        extends: true,
        test: { name: "shared", include: ["test/**/*.test.ts"], exclude: ALONE, isolate: false },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
});
