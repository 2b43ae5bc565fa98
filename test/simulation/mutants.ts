import { APPROVAL_MUTANTS } from "./approval-mutants.ts";
import type { Mutant } from "./bot.ts";
import { currentLife, type Life } from "./life.ts";
import { MERGE_QUEUE_MUTANTS } from "./merge-queue-mutants.ts";
import {
  decode,
  dropping,
  encode,
  misreading,
  remembering,
  repeating,
  replacing,
  without,
} from "./mutant-parts.ts";
import type { SimulatedQueue } from "./simulated-queue.ts";

const JOINED = {
  state: "active",
  role: "member",
  url: "http://127.0.0.1/",
  organization_url: "http://127.0.0.1/",
};

const ZERO = (id: string, workspace: string): string =>
  JSON.stringify([
    {
      currency: "USD",
      diff: {},
      total_monthly_cost: "0",
      past_total_monthly_cost: "0",
      diff_total_monthly_cost: "0",
      percentage_change_total_monthly_cost: null,
      stage_execution_id: `${id}-plan`,
      stage_id: "plan",
      workspace_id: workspace,
      estimate: { completeness: "complete", problems: [], unpriced: {}, parts: "changed" },
    },
  ]);

/** The comment is updated as soon as a check is about to be written, and the check waits for it. */
function commentingFirst(): Mutant {
  const enqueued = new Map<string, SimulatedQueue>();
  return {
    queue: (queue) => {
      enqueued.clear(); // of earlier stories
      return {
        ...queue,
        enqueue: (lane, ...rest) => {
          enqueued.set(lane, queue);
          return queue.enqueue(lane, ...rest);
        },
      };
    },
    deps: (deps) => {
      const changed = new WeakSet<object>();
      const github = (installationId: number): ReturnType<typeof deps.github> => {
        const client = deps.github(installationId);
        if (changed.has(client.octokit)) return client;
        changed.add(client.octokit);
        client.octokit.hook.wrap("request", async (request, options) => {
          if (options.method === "POST" && options.url.endsWith("/check-runs")) {
            for (const [lane, queue] of enqueued) await queue.enqueueComment(lane);
            await new Promise((resolve) => setTimeout(resolve, 5_000));
          }
          return request(options);
        });
        return client;
      };
      return { ...deps, github };
    },
  };
}

/** Nobody is known to have worked on a pull request. */
const approvingOwn = (): Mutant => {
  const head = misreading("query Head", (body) => body.replace(/"author":\{[^}]*\}/, '"author":null'));
  const people = misreading("query People", (body) =>
    body.replaceAll(/"(committer|user)":\{"databaseId":\d+\}/g, '"$1":null'),
  );
  return { github: (send) => people.github?.(head.github?.(send) ?? send) ?? send };
};

/** The process that started last begins its runs with the fence that the lane has. */
function secondWithoutFence(): NonNullable<Mutant["statement"]> {
  const lives = new Set<Life>();
  return (sql) => {
    const life = currentLife.getStore();
    if (life !== undefined) lives.add(life);
    const [first] = [...lives].filter(({ isOver }) => !isOver);
    return life === first ? sql : sql.replace("lanes.token + 1", "lanes.token");
  };
}

class Everybody extends Set<number> {
  override has(): boolean {
    return true;
  }
}

/** Faults that somebody could make in the bot. */
export const MUTANTS: Readonly<Record<string, Mutant>> = {
  "an unknown cost counts as zero": {
    platform: (transport) => ({
      ...transport,
      send: async (request) => {
        const answer = await transport.send(request);
        const [, id] = /executions\/([^/]+)\/cost-changes-all-stages(?:\?|$)/.exec(request.target) ?? [];
        if (id === undefined || !("body" in answer) || decode(answer.body) !== "[]") return answer;
        return { ...answer, body: encode(ZERO(id, "production")) };
      },
    }),
  },
  "a pull request is evaluated by the policy of its own branch": misreading("query Head", (body) => {
    const answer = JSON.parse(body);
    const pull = answer.data?.repository?.pullRequest;
    const own = pull?.commits?.nodes?.[0]?.commit;
    if (own !== undefined) pull.baseRef.target = { ...pull.baseRef.target, policy: own.policy };
    return JSON.stringify(answer);
  }),
  "a head is read from GitHub only once": remembering("query Head"),
  "whoever may write statuses is trusted": {
    deps: (deps) => ({
      ...deps,
      operator: { ...deps.operator, trustedUsers: new Everybody() },
    }),
  },
  "all runs of a lane have the same fence": { statement: replacing("lanes.token + 1", "lanes.token") },
  "a delivery is completed before it was processed": {
    queue: (queue, store) => ({
      ...queue,
      workDeliveries: (handler) =>
        queue.workDeliveries(async (job) => {
          for (const known of store.jobs.values()) if (known.data === job) known.state = "completed";
          await handler(job);
        }),
    }),
  },
  "a delivery is accepted before it is stored": {
    queue: (queue) => ({
      ...queue,
      acceptDelivery: async (id, event) => {
        void queue.acceptDelivery(id, event).catch(() => {});
        return "queued";
      },
    }),
  },
  "a job that fails is not retried": {
    queue: (queue, store) => ({
      ...queue,
      startDue: () => {
        for (const job of store.jobs.values()) if (job.state === "retry") job.state = "failed";
        return queue.startDue();
      },
    }),
  },
  "what is enqueued while the lane runs is dropped": {
    queue: (queue, store) => ({
      ...queue,
      enqueue: async (lane, delayMs) => {
        const isRunning = [...store.jobs.values()].some(
          ({ queue: name, key, state }) => name === "lane" && key === lane && state === "active",
        );
        if (!isRunning) await queue.enqueue(lane, delayMs);
      },
    }),
  },
  "alarms of lanes are never set": { queue: (queue) => ({ ...queue, setAlarm: async () => {} }) },
  "a request that had no answer is taken for lost": {
    statement: (sql) =>
      sql
        .replace("else clock_timestamp() end", "else null end")
        .replace("then clock_timestamp() else", "then null else")
        .replace('"unanswered_at" = clock_timestamp()', '"unanswered_at" = null'),
    queue: (queue) => ({
      ...queue,
      setAlarm: async (lane, atMs, kind = "decision") => {
        if (kind === "decision") await queue.setAlarm(lane, atMs);
      },
    }),
  },
  "comments are never enqueued": { queue: (queue) => ({ ...queue, enqueueComment: async () => {} }) },
  "deliveries of statuses are dropped": dropping(({ kind }) => kind === "commit"),
  "deliveries of policy pushes are dropped": dropping(({ kind }) => kind === "policy_push"),
  "deliveries of new heads are dropped": dropping(
    ({ kind, action }) => kind === "pull" && action === "synchronize",
  ),
  "a retargeted pull request keeps its verdict": dropping(
    ({ kind, action }) => kind === "pull" && action === "retargeted",
  ),
  "deliveries of edited and deleted comments are dropped": dropping(
    ({ kind, action }) => kind === "comment" && action !== "created",
  ),
  "deliveries of new comments are dropped": dropping(
    ({ kind, action }) => kind === "comment" && action === "created",
  ),
  "a sweep lists no pull requests": {
    statement: (sql) => (/"evaluations"\."decision" is null|"swept_at" is null/.test(sql) ? null : sql),
  },
  "a sweep lists no repositories": { statement: without('"listed_at" is null') },
  "a check run is created again when the answer is lost": repeating("/check-runs"),
  "the comment comes before the check": commentingFirst(),
  "a shared check shows the verdict of one pull request": {
    statement: replacing(
      /(from "evaluations" inner join "pulls".*order by "evaluations"."number")$/s,
      "$1 limit 1",
    ),
  },
  "pull requests of one head write their check at the same time": {
    statement: replacing(/(?<!when )check_runs\.writer is null/, "true"),
  },
  "an execution that another status hides is forgotten": { statement: without('insert into "bindings"') },
  "statuses that others hide are not listed": misreading("/statuses?", () => "[]"),
  "a check run that a newer one hides is not ended": {
    github: (send) => async (url, init) =>
      init.body?.includes('"cancelled"') === true
        ? { status: 200, headers: [], body: encode("{}") }
        : send(url, init),
  },
  "a report that another process wrote late stays": { statement: without('insert into "earlier_comments"') },
  "a decision is not recorded": { statement: without("insert into decisions") },
  "the end of the chain of decisions is not moved": {
    statement: replacing("from sealed where id = 1", "from sealed where id = 0"),
  },
  "everybody is in the finance team": misreading("/memberships/", (body, status) =>
    status === 404
      ? { status: 200, headers: [["content-type", "application/json"]], body: encode(JSON.stringify(JOINED)) }
      : body,
  ),
  ...MERGE_QUEUE_MUTANTS,
  ...APPROVAL_MUTANTS,
  "a mandatory rule can be loosened": misreading("query Head", (body) =>
    body.replaceAll("mandatory: true", "mandatory: false"),
  ),
  "pull requests from forks count as closed": misreading("query Head", (body) => {
    const answer = JSON.parse(body);
    const { databaseId, pullRequest: pull } = answer.data?.repository ?? {};
    if (pull && pull.headRepository?.databaseId !== databaseId) pull.state = "CLOSED";
    return JSON.stringify(answer);
  }),
  "whoever opens a pull request from a fork may approve it": approvingOwn(),
  "a budget does not count other pull requests": {
    statement: replacing('from "budget_claims" where', 'from "budget_claims" where false and'),
  },
  "a second process does not take a fence of its own": { statement: secondWithoutFence() },
  "a comment is created again when the answer is lost": repeating("/comments"),
  "jobs that run when a process ends are lost": {
    queue: (queue, store) => ({
      ...queue,
      losesClaims: () => {
        for (const { claim } of store.holders.values()) store.complete(claim);
      },
    }),
  },
  "a waiver never ends": misreading("query Head", (body) => body.replaceAll("until: 2026-", "until: 2036-")),
  "an approval has no limit": misreading("", (body) => body.replaceAll("up to 200 USD", "up to 900 USD")),
};
