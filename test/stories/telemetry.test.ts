import { createHmac, randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { listUnknownNames } from "../deploy/queries.ts";
import { CHEAP } from "../world/costs.ts";
import { drawTrace, type OtlpCollector, startOtlpCollector } from "../world/otlp-collector.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const TOKEN = "a-token-for-prometheus";
const POLICY =
  "version: 1\nrules:\n  - { id: most, limit: { increase: 500 USD } }\n  - { id: free, limit: { increase: 0 USD } }\n";

let world: World;
let collector: OtlpCollector;
afterEach(async () => {
  await world.ends();
  await collector.close();
});

/** A delivery of whoever has the webhook secret, with a name of its own. */
async function delivers(event: string): Promise<number> {
  const body = "{}";
  const signature = createHmac("sha256", world.settings.github.webhookSecret).update(body).digest("hex");
  const answer = await fetch(`${world.bot.url}/api/github/webhooks`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": event,
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": `sha256=${signature}`,
    },
  });
  return answer.status;
}

const readMetrics = async (): Promise<string> => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return (await fetch(`${world.bot.url}/metrics`, { headers })).text();
};

const formatLabels = (metrics: string): string =>
  [...readMetricLabels(metrics)]
    .filter(([name]) => /^tollgate_.*(?<!_bucket|_sum)$/.test(name))
    .map(([name, labels]) => `${name}{${[...labels].join(",")}}`)
    .join("\n");

it("a pull request is one trace from its delivery to its comment, and metrics without its name", async () => {
  collector = await startOtlpCollector();
  const lines: { msg: string; delivery?: string; evaluation?: string; trace_id?: string }[] = [];
  world = await createWorld({
    policy: POLICY,
    settings: { telemetry: { metricsPort: null, metricsToken: TOKEN, tracesUrl: collector.url } },
    log: pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) }),
  });
  // The plan comes first, so that the delivery of the pull request alone causes everything.
  const branch = { repository: REPOSITORY, branch: "change", files: { "infra/main.tf": "# change\n" } };
  await world.ci.runs({ sha: world.github.push(branch).after, cost: CHEAP, changes: [] });
  world.github.openPullRequest({ repository: REPOSITORY, head: "change", title: "Change" });
  await world.settles();
  for (let index = 0; index < 20; index++) expect(await delivers(`event_${index}`)).toBe(200);

  expect((await fetch(`${world.bot.url}/metrics`)).status).toBe(404);
  const metrics = await readMetrics();
  expect(metrics).toContain('tollgate_delivery_to_check_seconds_count{check="completed"} 1');
  expect(metrics).not.toMatch(new RegExp(`${OWNER}|${NAME}|event_\\d`));
  expect(listUnknownNames(readMetricLabels(metrics))).toEqual([]); // of the dashboard and the alerts
  expect(formatLabels(metrics)).toMatchInlineSnapshot(`
    "tollgate_deliveries_total{event,outcome}
    tollgate_evaluations_total{verdict,cause}
    tollgate_evaluation_seconds_count{}
    tollgate_delivery_to_check_seconds_count{check}
    tollgate_github_calls_total{route,outcome}
    tollgate_github_call_seconds_count{outcome}
    tollgate_github_rate_limit_remaining{resource}
    tollgate_parked_installations{reason}
    tollgate_platform_calls_total{operation,outcome}
    tollgate_platform_call_seconds_count{outcome}
    tollgate_database_query_seconds_count{}
    tollgate_queue_jobs{queue,state}
    tollgate_queue_oldest_due_seconds{queue}
    tollgate_part_ok{part}
    tollgate_build_info{version,node,database}"
  `);

  await world.restarts(); // its end sends the last spans
  const received = collector.spans.find(
    ({ name, attributes }) =>
      name === "receive delivery" && attributes.some(({ value }) => value.stringValue === "pull"),
  );
  const { traceId = "" } = received ?? {};
  const steps = collector.spans.filter(({ name }) => !/^(GitHub|platform) /.test(name));
  expect(drawTrace(steps, traceId)).toMatchInlineSnapshot(`
    "receive delivery
      handle delivery
        evaluate
          read head
          load policy
          gather facts
          decide
          publish
            publish check
            update comment
              publish comment
              request reviewers
          notify"
  `);
  const calls = collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
  expect(calls).toContain("GitHub POST /repositories/{repository_id}/check-runs");
  expect(calls).toContain("GitHub POST /repositories/{repository_id}/issues/{issue_number}/comments");
  const written = lines.find(({ msg }) => /^POST .*\/comments /.test(msg));
  const delivery = received?.attributes.find(({ key }) => key === "tollgate.delivery")?.value.stringValue;
  expect(written).toMatchObject({
    delivery,
    lane: `pull:${world.repositoryId}:1`,
    repository: `${OWNER}/${NAME}`,
    pull: 1,
    trace_id: traceId,
  });
  const evaluated = lines.find(({ msg }) => msg === "a pull request was evaluated");
  expect(evaluated).toMatchObject({ pull: 1, situation: "evaluated", verdict: "block", rules: ["free"] });
  const ofCheck = lines.find(({ msg }) => /^POST .*\/check-runs /.test(msg));
  expect(ofCheck).toMatchObject({
    trace_id: traceId,
    evaluation: expect.stringMatching(`^pull:${world.repositoryId}:1#\\d+$`),
  });
});

/** The series of a metrics text: the labels' names by the metric's name, as queries name it (`…_bucket`, `…_count`). */
function readMetricLabels(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const line of text.split("\n")) {
    const [, name, block = ""] = /^([a-z_\d]+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const known = labels.get(name) ?? new Set();
    for (const [, label = ""] of block.matchAll(/(?:^|,)(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
    labels.set(name, known);
  }
  return labels;
}
