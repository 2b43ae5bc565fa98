import { generateKeyPairSync } from "node:crypto";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { copyOf, newDirectory, recordedDirectory } from "../store/data-directory.ts";
import { words } from "./folder.ts";
import { asWritten, typed } from "./run-command.ts";

let lacking: string;
let unstartable: string;
beforeAll(async () => {
  const whole = await recordedDirectory();
  lacking = copyOf(whole);
  rmSync(join(lacking, "pg/PG_VERSION"));
  unstartable = copyOf(whole);
  truncateSync(join(unstartable, "pg/global/pg_control"));
});

afterEach(() => void vi.unstubAllEnvs());

const APP = {
  APP_ID: "1",
  PRIVATE_KEY: generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
  WEBHOOK_SECRET: "a secret of this test only",
};

const settings = (directory: string) => ({ ...APP, TOLLGATE_DATA: directory, PORT: "0", HOST: "127.0.0.1" });

/** What comes of typing these words where the data directory is this one. */
async function tollgate(words: readonly string[], directory: string) {
  for (const [name, value] of Object.entries(settings(directory))) vi.stubEnv(name, value);
  return asWritten(await typed(words));
}

it.each([
  "start",
  "platform serve",
  "token create --for api",
  "audit export",
  "policy explain --repository acme/shop --number 1",
])("`tollgate %s` refuses damaged data with the reason and the way out, and exit code 2", async (line) => {
  const { code, out, err } = await tollgate(line.split(" "), lacking);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("is not whole: it lacks pg/PG_VERSION; it holds");
  expect(err).toContain("docs/operations/backup.md");
  expect(err).not.toMatch(/^\s+at /m);
});

it("a start on a database that does not start says why, and ends with exit code 2", async () => {
  const { code, out, err } = await tollgate(["start"], unstartable);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain('does not start: could not read file "global/pg_control"');
  expect(err).not.toMatch(/^\s+at /m);
});

it("an import into a damaged data directory says why the platform did not start", async () => {
  const file = join(newDirectory(), "plan.json");
  writeFileSync(file, JSON.stringify({ format_version: "1.2", resource_changes: [] }));
  const of = words`--org acme --project shop --workspace prod --repository acme/shop --sha ${"a".repeat(40)}`;
  const { code, err } = await tollgate(words`platform import --plan ${file} ${of}`, lacking);
  expect(code).toBe(2);
  expect(err).toContain("it lacks pg/PG_VERSION");
});
