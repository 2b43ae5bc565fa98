import { sql } from "kysely";
import { pino } from "pino";
import { findFreePort } from "../../../src/wiring/process/free-port.ts";
import { startBot } from "../../../src/wiring/start.ts";
import { movableClock } from "../time.ts";
import { World } from "../world.ts";
import { settingsOf } from "./parts.ts";
import { restoreEmbedded, restoreGitHub, restorePostgres } from "./restore.ts";

/** What the earlier version recorded in its chain of decisions. */
interface RecordedVerdict {
  readonly decision: string;
  readonly findings: readonly object[];
}

/** A world as an earlier version left it, a minute later, with today's bot, which has processed what waited. */
export interface RestoredWorld {
  readonly world: World;
  /** Numbers. */
  readonly openPulls: readonly number[];
  /** Ids of the App's comments on each pull request before today's bot started. */
  readonly commentsBefore: ReadonlyMap<number, readonly number[]>;
  readonly recordedDecisions: number;
  commentIds(number: number): readonly number[];
  recordedVerdict(number: number): Promise<RecordedVerdict>;
}

const MINUTE_MS = 60_000;

export async function restoreWorld(
  name: string,
  at: { readonly databaseUrl: string | null; readonly dataDirectory: string },
): Promise<RestoredWorld> {
  const clock = movableClock();
  const { github, app, repositoryId, ownerId, ciId } = await restoreGitHub(name, clock);
  clock.moves(MINUTE_MS);
  const startedMs = clock.now();
  if (at.databaseUrl === null) await restoreEmbedded(name, at.dataDirectory);
  else await restorePostgres(name, at.databaseUrl);
  const numbers = pullNumbers((number) => github.pullRequest({ repositoryId, number }));
  const commentIds = (number: number) =>
    github.comments({ repositoryId, number }).flatMap(({ id, appId }) => (appId === app.id ? [id] : []));
  const commentsBefore = new Map(numbers.map((number) => [number, commentIds(number)]));
  const port = await findFreePort();
  github.setWebhookUrl({ appId: app.id, url: `http://127.0.0.1:${port}/api/github/webhooks` });
  const ids = { ownerId, repositoryId, ciId };
  const settings = settingsOf({ ...at, github: app, githubUrl: github.url, port, ids });
  const log = pino({ level: "silent" });
  const bots = { log, clock };
  const bot = await startBot(settings, bots);
  const world = new World({ github, bot, founded: { settings, repositoryId }, bots });
  await world.settles();
  const earlier = sql`at < ${new Date(startedMs)}`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from decisions where ${earlier}`.execute(bot.session.store.db);
  return {
    world,
    openPulls: numbers.filter((number) => github.pullRequest({ repositoryId, number }).state === "open"),
    commentsBefore,
    recordedDecisions: rows[0]?.count ?? 0,
    commentIds,
    recordedVerdict: async (number) => {
      const found = await sql<{ record: string }>`
        select record from decisions where ${earlier} and kind = 'verdict' and number = ${number}
        order by seq desc limit 1`.execute(bot.session.store.db);
      return JSON.parse(found.rows[0]?.record ?? "null") as RecordedVerdict; // the chain of a restored database
    },
  };
}

function pullNumbers(read: (number: number) => object): readonly number[] {
  const numbers: number[] = [];
  for (let number = 1; ; number++) {
    try {
      read(number);
      numbers.push(number);
    } catch {
      return numbers;
    }
  }
}
