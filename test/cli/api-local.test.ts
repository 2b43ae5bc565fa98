import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openApiDocument } from "../../src/platform/openapi/document.ts";
import { readSettings } from "../../src/settings/read.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { servePlatform } from "../../src/wiring/platform/serve.ts";
import { createLog } from "../../src/wiring/process/log.ts";
import { createFolder } from "./folder.ts";
import { asWritten, typed } from "./run-command.ts";

const { path: directory } = createFolder();
const files = createFolder();
beforeAll(() => {
  for (const [name, value] of Object.entries({
    TOLLGATE_DATA: directory,
    PLATFORM_URL: "",
    DATABASE_URL: "",
  }))
    vi.stubEnv(name, value);
});
afterAll(() => void vi.unstubAllEnvs());

/** `tollgate api` and these words, with this machine's data directory and no other setting. */
const tollgate = async (...words: readonly string[]) => asWritten(await typed(["api", ...words]));

test("without any setting it is the embedded platform of this machine, running or not, which gives its document to anybody", async () => {
  const asleep = await tollgate("settings", "disabled", "--org", "o", "--project", "p", "--json");
  expect(asleep).toEqual({ code: 0, out: '{\n  "disabled": false\n}\n', err: "" });
  const settings = readSettings({ TOLLGATE_DATA: directory, PORT: "0", HOST: "127.0.0.1" });
  const served = await servePlatform(settings, createLog("silent"));
  const awake = await tollgate("settings", "disabled", "--org", "o", "--project", "p");
  const document = await fetch(`${served.url}/tollgate/v1/openapi.json`);
  expect(await document.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  expect((await fetch(`${served.url}/api/orgs/o/projects/p/executions`)).status).toBe(401);
  await served.stop();
  const store = await openDatabase({ kind: "directory", directory }, () => {});
  const tokens = await store.db.selectFrom("tokens").select("revoked_ms").execute();
  await store.close();
  expect(tokens.length).toBeGreaterThanOrEqual(2);
  expect(tokens.filter(({ revoked_ms }) => revoked_ms === null)).toEqual([]);
  expect(awake).toEqual({ code: 0, out: "disabled  false\n", err: "" });
});

test("what an operation leaves to a job is done before its command ends, also while nothing else runs", async () => {
  const drift = {
    enabled: true,
    pipeline_id: "p",
    provisioner: "terraform",
    run_every: 1,
    run_every_unit: "days",
  };
  const words = ["settings", "put-drift-config", "--org", "o", "--project", "p", "--json"];
  const file = files.file("drift.json", drift);
  const accepted = await tollgate(...words, "--body", file);
  expect(accepted).toMatchObject({ code: 0, err: "" });
  const store = await openDatabase({ kind: "directory", directory }, () => {});
  const jobs = await store.db.selectFrom("platform_settings_jobs").select("state").execute();
  await store.close();
  expect(jobs).toEqual([{ state: "done" }]);
});
