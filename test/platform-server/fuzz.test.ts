import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../../src/platform/contract/registry.ts";
import { engines } from "../world/engines.ts";
import { openPlatform, type PlatformWorld } from "./platform-world.ts";
import { CHANGES, change, commit, cost, createStage, upload } from "./stories.ts";

const REQUESTS = 1_000;
const EXPECTED: ReadonlySet<number> = new Set([200, 400, 401, 403, 404, 409, 413, 415, 423]);

const known: Readonly<Record<string, readonly string[]>> = {
  org: ["acme"],
  project: ["payments"],
  pipeline_execution_id: ["run-1"],
  pipeline_stage_id: ["stage-1"],
  category: ["planned_changes", "outputs", "drift_changes"],
  page: ["1", "2"],
  ordinal: ["0", "1"],
};
const number = fc.constantFrom(
  "0",
  "1",
  "-1",
  "1e9",
  "2147483648",
  "9007199254740991",
  "99999999999999999999",
  "NaN",
);
const odd = fc.oneof(
  number,
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "",
    ".",
    "..",
    "%",
    "a/b",
    "\u0000",
    "\ud800",
    "x".repeat(129),
    "x".repeat(5_000),
    "'; drop table tokens; --",
  ),
);
const segment = (name: string) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...(known[name] ?? ["x"])) },
    { weight: 1, arbitrary: odd },
  );
const encode = (text: string) => encodeURIComponent(text.toWellFormed());

const queryName = fc.constantFrom(
  ...[
    "limit",
    "page",
    "page_size",
    "search",
    "provider",
    "type",
    "category",
    "status",
    "start_time",
    "end_time",
  ],
  ...["pipeline_stage_id", "change", "exclude_state", "workspace", "stack_path", "size", "__proto__"],
);
const query = fc.array(fc.tuple(queryName, odd), { maxLength: 3 });

const json = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom("", "{", "null", "[]", "[null]", "\ufeff{}", '{"a":"\\u0000"}', "[".repeat(5_000)),
  fc
    .record({ pipeline: odd, pipeline_execution_id: odd, pipeline_stage_id: odd, workspace: odd })
    .map((body) => JSON.stringify(body)),
  fc
    .record({ hash: odd, name: odd, repo_url: odd, type: odd })
    .map((git_audit_data) => JSON.stringify({ audit: { git_audit_data } })),
  fc
    .record({ status: fc.constantFrom("success", "failure", "none"), total: odd, workspace: odd })
    .map(({ status, total, workspace }) =>
      JSON.stringify({
        org: "acme",
        project: "payments",
        pipeline_execution_id: "run-1",
        pipeline_stage_id: "stage-1",
        status,
        cost: cost(total, { workspace_id: workspace }),
      }),
    ),
  fc
    .array(fc.record({ name: odd, module: odd, kind: fc.constantFrom("added", "deleted", "odd") }), {
      maxLength: 5,
    })
    .map((rows) => JSON.stringify(rows.map(({ name, module, kind }) => change(kind, name, { module })))),
);
const octets = fc.uint8Array({ maxLength: 64 });
const mediaType = fc.constantFrom("application/json", "application/octet-stream", "text/plain", "", ";;;");

const request = fc.constantFrom(...Object.values(contract)).chain((endpoint) =>
  fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant<string>(endpoint.method) },
      fc.constantFrom("PUT", "DELETE", "GET"),
    ),
    prefix: fc.constantFrom("", "/iacm", "/gateway/iacm", "/gateway"),
    path: fc
      .tuple(
        ...endpoint.path
          .split("/")
          .map((part) => (part.startsWith("{") ? segment(part.slice(1, -1)).map(encode) : fc.constant(part))),
      )
      .map((parts) => parts.join("/")),
    query: query.map((pairs) => pairs.map(([name, value]) => `${name}=${encode(value)}`).join("&")),
    body: fc.oneof(json, octets),
    mediaType: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constant(
          "body" in endpoint && endpoint.body === "bytes" ? "application/octet-stream" : "application/json",
        ),
      },
      mediaType,
    ),
    anonymous: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  }),
);

type Generated = typeof request extends fc.Arbitrary<infer T> ? T : never;

function sendTo(world: PlatformWorld, { method, prefix, path, query: pairs, ...rest }: Generated) {
  const withBody = method === "GET" ? {} : { bytes: rest.body, headers: { "content-type": rest.mediaType } };
  const key = rest.anonymous ? null : world.key;
  return world.call(method, `${prefix}${path}?${pairs}`, { key, ...withBody });
}

describe.each(engines())("generated requests on $name", (engine) => {
  let world: PlatformWorld;
  beforeAll(async () => {
    world = await openPlatform(engine);
    await createStage(world);
    await upload(world, "planned_changes/1", [change("added", "web")]);
    await commit(world);
  });
  afterAll(() => world.close());

  it(`never fail the server: none of ${REQUESTS} gets a 5xx, each gets an answer`, async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(request, async (generated) => {
        const { status, headers } = await sendTo(world, generated);
        seen.add(status);
        expect(world.errors).toEqual([]);
        expect(EXPECTED).toContain(status);
        if (status !== 200) expect(headers.get("content-type")).toBe("application/vnd.goa.error");
      }),
      { numRuns: REQUESTS },
    );
    expect([200, 400, 401, 404, 415].filter((status) => !seen.has(status))).toEqual([]);
    expect((await world.call("GET", `${CHANGES}/planned_changes/rows`)).body.totalItems).toBe(1);
  }, 120_000);
});
