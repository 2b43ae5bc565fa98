import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { anomalyImport } from "../../../src/platform-server/anomalies/import.ts";
import { evaluationImport } from "../../../src/platform-server/governance/import.ts";
import { recommendationsImport } from "../../../src/platform-server/recommendations/import.ts";
import { createSandbox } from "../../../src/sandbox/sandbox.ts";
import { systemRandom } from "../../../src/sandbox/state/random.ts";
import { findFreePort } from "../../../src/wiring/process/free-port.ts";
import { startBot } from "../../../src/wiring/start.ts";
import { importRows } from "../import-rows.ts";
import { NAME, OWNER, REPOSITORY } from "../places.ts";
import { World } from "../world.ts";
import { settingsOf, standingClock } from "./parts.ts";
import { Recorder } from "./recording.ts";
import { addPeople, POLICY, playStory, playUnprocessed } from "./story.ts";

// Plays the story with the code of this commit and writes what the database and the sandbox GitHub hold in the end, for the test
// that a later commit opens such a database:
//
//   DATABASE_URL=postgres://… npm run generate:dump -- NAME
//
// The database must be empty. The files go beside this one.

const [databaseUrl, name] = [process.env["DATABASE_URL"], process.argv[2]];
if (databaseUrl === undefined || name === undefined) throw new Error("DATABASE_URL and a name are needed");

const START = Date.parse("2026-11-02T09:00:00Z");
const clock = standingClock(START);
const sandbox = await createSandbox({ clock, random: systemRandom });
const recorder = new Recorder(sandbox, clock);
const github = recorder.github;
const log = pino({ level: "warn" });

const owner = github.createOwner({ login: OWNER, type: "organisation" });
const ci = github.createOwner({ login: "ci", type: "user" });
const repository = github.createRepository({
  owner: OWNER,
  name: NAME,
  visibility: "private",
  files: { "README.md": "# shop\n", ".github/tollgate.yml": POLICY },
});
const port = await findFreePort();
const app = await github.registerApp({ name: "Tollgate" });
sandbox.setWebhookUrl({ appId: app.id, url: `http://127.0.0.1:${port}/api/github/webhooks` });
addPeople({ github });
const settings = settingsOf({
  databaseUrl,
  dataDirectory: mkdtempSync(join(tmpdir(), "tollgate-earlier-")),
  github: app,
  githubUrl: sandbox.url,
  port,
  ids: { ownerId: owner.id, repositoryId: repository.id, ciId: ci.id },
});
const bots = { log, clock };
const bot = await startBot(settings, bots);
github.installApp({ appId: app.id, owner: OWNER });
github.protectBranch({
  repository: REPOSITORY,
  branch: "main",
  requiredChecks: [{ context: "tollgate: main", appId: app.id }],
});
const world = new World({ github, bot, founded: { settings, repositoryId: repository.id }, bots });

async function settle(): Promise<void> {
  await world.settles();
  const pulls = [];
  for (let number = 1; ; number++) {
    try {
      pulls.push(sandbox.pullRequest({ repositoryId: repository.id, number }));
    } catch {
      break;
    }
  }
  recorder.note(pulls, app.id);
}

async function importFacts(): Promise<void> {
  const { store } = bot.session;
  const saving = {
    id: "r-1",
    resourceType: "EC2_INSTANCE",
    resourceId: "i-1",
    cloudAccountId: "111",
    monthlySaving: 40.5,
  };
  const anomaly = {
    id: "a-1",
    time: START - 3_600_000,
    actualAmount: 150,
    expectedAmount: 100,
    anomalousSpend: 50,
    resourceName: "nat-gateway",
    perspectiveId: "shop",
    cloudProvider: "CLOUD_1",
  };
  const evaluated = { id: "e-1", time: START, cloudProvider: "CLOUD_1", status: "FAILED" };
  await importRows(store, recommendationsImport, "acc", [recommendationsImport.line.parse(saving)]);
  await importRows(store, anomalyImport, "acc", [anomalyImport.line.parse(anomaly)]);
  await importRows(store, evaluationImport, "acc", [evaluationImport.line.parse(evaluated)]);
}

await importFacts();
await settle();
await playStory({ world, settle });
await bot.stop();
const receiving = await startBot(settings, { log, clock, role: "web" });
await playUnprocessed({ world, settle: () => sandbox.deliveries.settled() });
await receiving.stop();
const dump = execFileSync("pg_dump", ["--inserts", "--no-owner", "--no-privileges", databaseUrl], {
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
const sql = dump.replaceAll(/^\\(?:un)?restrict .*\n/gm, ""); // commands of psql, not of SQL
writeFileSync(join(import.meta.dirname, `${name}.sql.gz`), gzipSync(sql, { level: 9 }));
writeFileSync(join(import.meta.dirname, `${name}.steps.gz`), gzipSync(recorder.steps(), { level: 9 }));
await sandbox.close();
