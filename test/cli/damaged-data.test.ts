import { generateKeyPairSync } from "node:crypto";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { copyOf, newDirectory, recordedDirectory } from "../store/data-directory.ts";
import { spawned } from "./spawn-tollgate.ts";

let whole: string;
let lacking: string;
let unstartable: string;
beforeAll(async () => {
  whole = await recordedDirectory();
  lacking = copyOf(whole);
  rmSync(join(lacking, "pg/PG_VERSION"));
  unstartable = copyOf(whole);
  truncateSync(join(unstartable, "pg/global/pg_control"));
});

const APP = {
  APP_ID: "1",
  PRIVATE_KEY: generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
  WEBHOOK_SECRET: "a secret of this test only",
};

const settings = (directory: string) => ({ ...APP, TOLLGATE_DATA: directory, PORT: "0", HOST: "127.0.0.1" });

it.each([
  [["start"]],
  [["platform", "serve"]],
  [["token", "create", "--for", "api"]],
  [["audit", "export"]],
  [["policy", "explain", "--repository", "acme/shop", "--number", "1"]],
])("`tollgate %j` refuses damaged data with the reason and the way out, and exit code 2", async (words) => {
  const lost = await spawned(words, settings(lacking));
  expect(lost).toMatchObject({ code: 2, out: "" });
  expect(lost.err).toContain("is not whole: it lacks pg/PG_VERSION; it holds");
  expect(lost.err).toContain("docs/operations/backup.md");
  const broken = await spawned(words, settings(unstartable));
  expect(broken).toMatchObject({ code: 2, out: "" });
  expect(broken.err).toContain('does not start: could not read file "global/pg_control"');
  for (const { err } of [lost, broken]) expect(err).not.toMatch(/^\s+at /m);
});

it("an import into a damaged data directory says why the platform did not start", async () => {
  const file = join(newDirectory(), "plan.json");
  writeFileSync(file, JSON.stringify({ format_version: "1.2", resource_changes: [] }));
  const { code, err } = await spawned(
    [
      "platform",
      "import",
      "--plan",
      file,
      "--org",
      "acme",
      "--project",
      "shop",
      "--workspace",
      "prod",
      "--repository",
      "acme/shop",
      "--sha",
      "a".repeat(40),
    ],
    settings(lacking),
  );
  expect(code).toBe(2);
  expect(err).toContain("it lacks pg/PG_VERSION");
});

it("a copy that was taken while Tollgate was stopped opens, and its decisions verify", async () => {
  const copy = copyOf(whole);
  const exported = await spawned(["audit", "export"], settings(copy));
  expect(exported).toMatchObject({ code: 0 });
  const proven = await spawned(["audit", "verify", "-", "--json"], {}, exported.out);
  expect(proven).toMatchObject({ code: 0 });
  expect(JSON.parse(proven.out)).toMatchObject({ state: "whole", decisions: 3, included: 3 });
});
