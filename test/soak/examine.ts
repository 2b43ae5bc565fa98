import { sql } from "kysely";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { CHAIN_START, verifyNextPart } from "../../src/store/audit/chain.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { REPOSITORY } from "../world/places.ts";
import type { Model, ModelledPull } from "./model.ts";

/** What GitHub shows that it must not, one line each; empty: everything is as it has to be. */
export function findWrongPulls(github: Sandbox, appId: number, model: Model): readonly string[] {
  return model.pulls.flatMap((pull) => [
    ...findWrongComments(github, appId, { model, pull }),
    ...(pull.isOpen ? findWrongChecks(github, appId, { model, pull }) : []),
  ]);
}

/** Commits whose check succeeds although no run of them is known to pass. */
export const findWrongSuccesses = (
  github: Sandbox,
  appId: number,
  { model, shas }: { readonly model: Model; readonly shas: Iterable<string> },
): readonly string[] =>
  [...shas].flatMap((sha) =>
    github
      .checkRuns({ repository: REPOSITORY, sha, appId })
      .filter(({ conclusion }) => conclusion !== null && conclusion !== "failure")
      .filter(() => model.outcomes.get(sha) !== "cheap")
      .map(
        ({ conclusion }) => `${sha}: ${conclusion}, and its run is ${model.outcomes.get(sha) ?? "not there"}`,
      ),
  );

interface Examined {
  readonly model: Model;
  readonly pull: ModelledPull;
}

const CONCLUSIONS = { cheap: "success", expensive: "failure" } as const;

function findWrongChecks(github: Sandbox, appId: number, { model, pull }: Examined): readonly string[] {
  const checks = github.checkRuns({ repository: REPOSITORY, sha: pull.headSha, appId });
  const outcome = model.outcomes.get(pull.headSha);
  const expected = outcome === undefined ? "in_progress" : CONCLUSIONS[outcome];
  const shown = checks.map(({ conclusion, status }) => conclusion ?? status);
  return shown.length === 1 && shown[0] === expected
    ? []
    : [`#${pull.number}: checks ${shown.join(", ") || "none"}, expected one: ${expected}`];
}

/** How the answer to `/tollgate help` begins. */
const ANSWER = /Write one of these at the start of a line/;

function findWrongComments(github: Sandbox, appId: number, { model, pull }: Examined): readonly string[] {
  const own = github.comments(pull).filter((comment) => comment.appId === appId);
  const answers = own.filter(({ body }) => ANSWER.test(body)).length;
  const questions = model.questions.get(pull.number) ?? 0;
  const comments = own.length - answers;
  const isDue = pull.isOpen && model.outcomes.has(pull.headSha);
  return [
    ...(comments > 1 || (isDue && comments < 1) ? [`#${pull.number}: ${comments} comments`] : []),
    ...(answers > questions ? [`#${pull.number}: ${answers} answers to ${questions} questions`] : []),
  ];
}

/** What is wrong in the database: accepted deliveries that were not processed, jobs that died, a chain of decisions that is broken. */
export async function findWrongRows({ db }: Database, github: Sandbox): Promise<readonly string[]> {
  const accepted = github.deliveries
    .list({ event: "pull_request" })
    .filter(({ statusCode, action }) => statusCode === 200 && QUEUED_ACTIONS.has(action ?? ""))
    .map(({ guid }) => guid);
  const { rows: done } = await sql<{ id: string }>`
    select id from queue.job where name = 'delivery' and state = 'completed'`.execute(db);
  const processed = new Set(done.map(({ id }) => id));
  // A lane's job that was running in eleven killed processes is given up, and the sweep takes its place: what GitHub shows tells.
  const { rows: left } = await sql<{ line: string }>`
    select name || ' ' || state || ' ' || data::text as line from queue.job
    where (name = 'delivery' and state <> 'completed')
      or ((name = 'dead' or state = 'failed') and not data ? 'lane')`.execute(db);
  return [
    ...accepted
      .filter((guid) => !processed.has(guid))
      .map((guid) => `the accepted delivery ${guid} was not processed`),
    ...left.map(({ line }) => `a job is left: ${line}`),
    ...(await findBrokenChain(db)),
  ];
}

const QUEUED_ACTIONS: ReadonlySet<string> = new Set(["opened", "synchronize", "closed"]);

async function findBrokenChain(db: Database["db"]): Promise<readonly string[]> {
  for (let from = CHAIN_START; ; ) {
    const part = await verifyNextPart(db, from);
    if (part.state === "broken") return [`decision ${part.seq}: ${part.problem}`];
    if (part.position.seq >= part.head) return [];
    from = part.position;
  }
}
