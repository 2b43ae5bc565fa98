import { expect, inject, test } from "vitest";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { freshPostgres } from "../world/engines.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";
import { captureStatements, type Statement } from "./plans/capture-statements.ts";
import { fillTables } from "./plans/fill-tables.ts";
import { findScans } from "./plans/find-scans.ts";

/** A pull request's whole life, the sweep, and its page. */
async function useEverything(world: World): Promise<void> {
  const pull = world.opensPullRequest();
  await world.plans(pull, EXPENSIVE);
  world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/more.tf": "# more\n" } });
  await world.plans(world.github.pullRequest(pull), CHEAP);
  await world.bot.sweep();
  const ada = await world.signsIn("ada");
  const path = `/r/${REPOSITORY}/pull/${pull.number}`;
  for (const page of [path, `${path}?view=history`]) await ada.reads(page);
  world.github.closePullRequest(pull);
  await world.settles();
}

/** What a process asks every 30 s on a server, whatever happens meanwhile: it may come in between, and has a row for each installation. */
const isPeriodic = ({ text }: Statement): boolean =>
  /from "shared_installations"\s+where \("paused_until"/.test(text);

/** Each statement that reads all rows of a filled table, with the tables. */
async function listScanning({ bot }: World, statements: readonly Statement[]): Promise<readonly string[]> {
  const { store } = bot.session;
  const texts = statements.map(({ text }) => text).join("\n");
  const filled = new Set(await fillTables(store.db, (table) => new RegExp(`\\b${table}\\b`).test(texts)));
  const lines: string[] = [];
  for (const statement of statements) {
    const scanned = (await findScans(store, statement)).filter((table) => filled.has(table));
    if (scanned.length > 0) lines.push(`${scanned.join(", ")}: ${statement.text.replace(/\s+/g, " ")}`);
  }
  return lines;
}

const server = inject("postgresUrl");
/** Both plan alike, being PostgreSQL: the usual one by itself, as in `usualEngines`. */
const servers = server === null ? [null] : inject("isDeep") ? [null, server] : [server];

test.each(
  servers.map((server) => ({ server, engine: server === null ? "the embedded database" : "PostgreSQL" })),
)(
  "no statement of an evaluation, a delivery, the sweep or a pull request's page reads all rows of a large table on $engine",
  async ({ server }) => {
    const databaseUrl = server === null ? null : await freshPostgres(server);
    const world = await createWorld({ policy: STRICT, databaseUrl });
    try {
      const captured = await captureStatements(() => useEverything(world));
      const statements = captured.filter((statement) => !isPeriodic(statement));
      expect(statements.length).toBeGreaterThan(50);
      expect(await listScanning(world, statements)).toEqual([]);
    } finally {
      await world.ends();
    }
  },
  180_000,
);
