import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Stories wait more than they compute.
    maxWorkers: 4,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    globalSetup: ["test/world/postgres.ts"],
    env: { LOG_LEVEL: "silent", NO_COLOR: "1" },
  },
});
