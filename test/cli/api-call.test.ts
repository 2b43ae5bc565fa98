import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { measureWidth } from "../../src/cli/api/table.ts";
import { apiCommand } from "../../src/cli/commands/api.ts";
import { run } from "../../src/cli/run.ts";
import { type Loopback, serveHttp } from "../platform/loopback.ts";
import { ACCOUNT, openPlatform, type PlatformWorld } from "../platform-server/platform-world.ts";
import { imports, recommendation } from "../platform-server/recommendation-verbs.ts";
import { usualEngine } from "../world/engines.ts";
import { createFolder, words } from "./folder.ts";
import { typed } from "./run-command.ts";

const API = [{ name: "api", summary: "", load: async () => apiCommand }];

let world: PlatformWorld;
const { file: fileOf } = createFolder();
beforeAll(async () => {
  world = await openPlatform(usualEngine());
});
afterAll(() => world.close());
afterEach(() => vi.unstubAllEnvs());

const project = ["--org", "acme", "--project", "payments"];
const there = () => ["--url", world.url, "--token", world.key, "--account", ACCOUNT];
/** Types `tollgate api` and these words at the world's platform. */
const api = (...words: readonly string[]) => typed(["api", ...words, ...there()], API);
describe("what is written is read again", () => {
  const stage = ["--pipeline-execution-id", "run-9", "--pipeline-stage-id", "stage-1"];

  test("a body in JSON or in YAML, an answer as a list of members or as JSON", async () => {
    const ids = { pipeline: "deploy", pipeline_execution_id: "run-9", workspace: "prod" };
    const json = fileOf("a.json", JSON.stringify({ ...ids, pipeline_stage_id: "stage-1" }));
    const yaml = fileOf(
      "b.yaml",
      "pipeline: deploy\npipeline_execution_id: run-9\npipeline_stage_id: stage-2\nworkspace: prod\n",
    );
    const created = await api("executions", "create", ...project, "--body", json);
    expect(created).toMatchObject({ code: 0, messages: [] });
    expect(created.results).toMatch(/^workspace +prod$/m);
    const second = await api("executions", "create", ...project, "--body", yaml, "--json");
    expect(JSON.parse(second.results)).toMatchObject({ pipeline_stage_id: "stage-2", status: "none" });
    const got = await api("executions", "get", ...project, ...stage, "--json");
    expect(JSON.parse(got.results)).toEqual(
      (await world.call("GET", "/api/orgs/acme/projects/payments/executions/run-9/stage-1")).body,
    );
  });

  test("a list as a table, with the way to its rest; all pages as one list", async () => {
    const page = await api("executions", "list", ...project, "--limit", "1");
    const [head, ...rows] = page.results.split("\n");
    expect(head).toMatch(/^account +org +project +pipeline/);
    expect(rows).toHaveLength(1);
    expect(page.messages).toEqual(["1 of 2 items; --all reads all pages"]);
    const all = await api("executions", "list", ...project, "--limit", "1", "--all", "--json");
    expect(
      JSON.parse(all.results).map((one: { pipeline_stage_id: string }) => one.pipeline_stage_id),
    ).toEqual(["stage-1", "stage-2"]);
    expect(all.results.split("\n")).toHaveLength(3);
    expect((await api("executions", "list", ...project, "--all")).results.split("\n")).toHaveLength(3);
    const none = await api("executions", "list", "--org", "acme", "--project", "empty", "--all", "--json");
    expect(none.results).toBe("[]");
  });

  test("a body whose members are all optional may be left out; an update without one is refused", async () => {
    const counted = await api("recommendations", "count", "--json");
    expect(counted).toMatchObject({ code: 0, messages: [] });
    const words = ["code-webhooks", "update", "--org-identifier", "acme", "--project-identifier", "payments"];
    expect((await api(...words, "--webhook-identifier", "1")).messages[0]).toContain(
      "--body <FILE> is missing",
    );
  });

  test("times are shown as ISO 8601, and stay numbers in JSON", async () => {
    const get = ["executions", "get", ...project, ...stage];
    const { created } = JSON.parse((await api(...get, "--json")).results);
    expect((await api(...get)).results).toContain(new Date(created).toISOString());
    expect((await api("executions", "list", ...project)).results).toContain(new Date(created).toISOString());
    expect(created).toBeTypeOf("number");
  });

  test("octets go as they are; nothing comes back", async () => {
    const bytes = new TextEncoder().encode(
      JSON.stringify([{ provider: "aws", type: "t", name: "n", module: "root", change: "added" }]),
    );
    const page = words`--category planned_changes --page 1 --body ${fileOf("page", bytes)}`;
    const upload = (...more: readonly string[]) =>
      api(...words`executions upload-resource-changes ${project} ${stage} ${page} ${more}`);
    expect(await upload()).toEqual({ code: 0, results: "", messages: ["done"] });
    expect((await upload("--json")).results).toBe("null");
  });

  test("amounts stay the texts that they are", async () => {
    const cost = {
      ...{
        stage_execution_id: "stage-1",
        stage_id: "import",
        workspace_id: "prod",
        currency: "USD",
        diff: {},
      },
      ...{ total_monthly_cost: "12.30", past_total_monthly_cost: "", diff_total_monthly_cost: null },
      percentage_change_total_monthly_cost: 3.5,
    };
    const of = {
      org: "acme",
      project: "payments",
      pipeline_execution_id: "run-9",
      pipeline_stage_id: "stage-1",
    };
    const body = fileOf("cost.json", { ...of, status: "success", cost });
    expect((await api("tollgate", "ingest", "--body", body)).code).toBe(0);
    const get = words`executions cost-changes ${project} --pipeline-execution-id run-9`;
    expect(JSON.parse((await api(...get, "--json")).results)).toEqual(cost);
    const shown = await api(...get);
    expect(shown.results).toMatch(/^diff_total_monthly_cost +-$/m);
  });

  test("a table has no column that says nothing of any item, and what cannot say anything is done", async () => {
    const lines = [
      recommendation("web", { monthlySaving: 12.5, tags: { team: "web" } }),
      recommendation("api", { resourceName: "api" }),
    ];
    await imports(world, lines);
    const body = fileOf("filter.json", "{}");
    const listed = await api("recommendations", "list", "--body", body);
    expect(listed.results.split("\n").map((line) => line.split(/ +/))).toEqual([
      ["id", "resourceType", "resourceName", "monthlySaving", "recommendationState", "tags.team"],
      ["web", "WORKLOAD", "-", "12.5", "OPEN", "web"],
      ["api", "WORKLOAD", "api", "-", "OPEN"],
    ]);
    const change = ["change-state", "--recommendation-id", "web", "--state", "APPLIED"];
    expect(await api("recommendations", ...change)).toEqual({ code: 0, results: "", messages: ["done"] });
    const nothing = await api("anomalies", "mean-resolution-time", "--body", body);
    expect(nothing.results).toMatch(/^answer +-$/);
  });

  test("a wrapped answer is shown without its wrapping, and whole as JSON", async () => {
    const people = await api("governance", "prompt-resources", "--cloud-provider", "CLOUD_1");
    expect(people).toEqual({ code: 0, results: "(none)", messages: [] });
    const json = await api("governance", "prompt-resources", "--cloud-provider", "CLOUD_1", "--json");
    expect(JSON.parse(json.results)).toMatchObject({ status: "SUCCESS", data: [], metaData: null });
  });
});

describe("the platform", () => {
  const list = ["api", "executions", "list", ...project, "--json"];

  test("is that of the settings without --url; options go before them", async () => {
    vi.stubEnv("PLATFORM_URL", world.url);
    vi.stubEnv("PLATFORM_TOKEN", world.key);
    vi.stubEnv("PLATFORM_ACCOUNT", ACCOUNT);
    vi.stubEnv("PLATFORM_DIALECT", "neutral");
    expect((await typed(list, API)).code).toBe(0);
    expect((await typed([...list, "--dialect", "live"], API)).code).toBe(0);
    const other = await typed([...list, "--account", "another"], API);
    expect(other.code).toBe(1);
    expect(other.messages[0]).toMatch(/^executions list: answered 403: /);
  });

  test("is found below the live dialect's prefix too, and speaks its words", async () => {
    const live = await api("governance", "prompt-resources", "--cloud-provider", "AWS", "--dialect", "live");
    expect(live.code).toBe(0);
    expect((await api("executions", "list", ...project, "--dialect", "live")).code).toBe(0);
  });
});

describe("a call that brings no answer says why, and the way out", () => {
  const one = ["executions", "get", ...project, "--pipeline-execution-id", "run-9", "--pipeline-stage-id"];

  test("refused: 1", async () => {
    const missing = await api(...one, "nobody");
    expect(missing).toMatchObject({ code: 1, results: "" });
    expect(missing.messages[0]).toMatch(/^executions get: answered 404: .*\(code not_found, call [\w-]+\)$/);
    expect(missing.messages[1]).toMatch(/^Check the ids/);
    const stranger = await typed(["api", ...one, "s", "--url", world.url, "--token", "tg_wrong"], API);
    expect(stranger.code).toBe(1);
    expect(stranger.messages[0]).toContain("answered 401");
    expect(stranger.messages.join(" ")).not.toContain("tg_wrong");
    expect(stranger.messages[1]).toContain("tollgate token create --for api");
  });

  test("not made because it breaks the contract: 2", async () => {
    const body = fileOf("broken.yaml", "pipeline: ''\nworkspace: 3\n");
    const broken = await api("executions", "create", ...project, "--body", body);
    expect([broken.code, broken.results]).toEqual([2, ""]);
    expect(broken.messages[0]).toContain(`${body}: pipeline: `);
    expect(broken.messages[0]).toContain(`${body}: workspace: `);
    const unsafe = await api("executions", "list", "--org", "..", "--project", "p");
    expect(unsafe.code).toBe(2);
    const noYaml = await api("executions", "create", ...project, "--body", fileOf("c", "{a: [}"));
    expect(noYaml.messages[0]).toMatch(/ is neither JSON nor YAML: /);
  });

  test("nobody there, or something else: 3", async () => {
    const words = ["api", ...one, "s", "--token", "tg_somebody"];
    const nobody = await typed([...words, "--url", "http://127.0.0.1:1"], API);
    expect(nobody).toMatchObject({ code: 3, results: "" });
    expect(nobody.messages[0]).toContain("ECONNREFUSED");
    const page = await serveHttp((_, response) => response.end("<html>"));
    const web = await typed([...words, "--url", `http://127.0.0.1:${page.port}`], API);
    await page.stop();
    expect(web.code).toBe(3);
    expect(web.messages[0]).toContain("a web page, not JSON");
  });
});

describe("a platform that is not as it should be", () => {
  let strange: Loopback;
  let answers: (() => { status: number; body: unknown })[] = [];
  beforeAll(async () => {
    strange = await serveHttp((_, response) => {
      const { status, body } = answers.shift()?.() ?? { status: 404, body: {} };
      response.writeHead(status, { "content-type": "application/json", "x-total-items": "3" });
      response.end(JSON.stringify(body));
    });
  });
  afterAll(() => strange.stop());
  const ask = (...words: string[]) =>
    typed(
      ["api", ...words, ...project, "--url", `http://127.0.0.1:${strange.port}`, "--token", "tg_somebody"],
      API,
    );
  const ids = { org: "o", project: "p", pipeline_execution_id: "e", pipeline_stage_id: "s" };
  const execution = { ...ids, workspace: "w", status: "none" };

  const breaking = () => [
    () => ({ status: 200, body: [execution] as unknown }),
    () => ({ status: 409, body: { message: "stop" } as unknown }),
  ];

  test("a list that breaks off is no JSON and no success", async () => {
    answers = breaking();
    const broken = await ask("executions", "list", "--limit", "1", "--all", "--json");
    expect(broken.code).toBe(1);
    expect(() => JSON.parse(broken.results)).toThrow();
    expect(broken.messages[0]).toBe("the list is not complete: it ended after 1 item");
    answers = breaking();
    expect((await ask("executions", "list", "--limit", "1", "--all")).results).toBe("");
  });

  test("an answer that is not what the contract says is shown, and said to be so", async () => {
    answers = [() => ({ status: 200, body: { disabled: "maybe", more: 1 } })];
    const odd = await ask("settings", "disabled", "--json");
    expect(odd.code).toBe(0);
    expect(JSON.parse(odd.results)).toEqual({ disabled: "maybe", more: 1 });
    expect(odd.messages[0]).toBe(
      "note: the answer is not what the contract says: answer.disabled: expected true or false",
    );
  });

  test.each([
    ["refuses", { status: "FAILURE", code: "409", message: "taken" }, { code: 1, said: "taken (code 409)" }],
    ["breaks down", { status: "ERROR", message: "no storage" }, { code: 3, said: "no storage" }],
  ])("a 200 in which a registry %s is no success", async (_, body, { code, said }) => {
    answers = [() => ({ status: 200, body })];
    const hook = ["--registry-ref", "tollgate/images/+", "--webhook-identifier", "ci"];
    const words = ["api", "registry-webhooks", "delete", ...hook, "--token", "tg_somebody", "--json"];
    const refused = await typed([...words, "--url", `http://127.0.0.1:${strange.port}`], API);
    expect(refused).toMatchObject({ code, results: "" });
    expect(refused.messages[0]).toBe(`registry-webhooks delete: answered 200: ${body.status}: ${said}`);
  });

  test("a table is as wide as the terminal, and says what it left out", async () => {
    answers = [
      () => ({
        status: 200,
        body: [{ ...execution, workspace: "w".repeat(80), pipeline: "日本語".repeat(20) }],
      }),
    ];
    const results: string[] = [];
    const messages: string[] = [];
    const words = [
      "api",
      "executions",
      "list",
      ...project,
      "--url",
      `http://127.0.0.1:${strange.port}`,
      "--token",
      "t",
    ];
    await run(API, words, {
      result: (text) => results.push(text),
      message: (text) => messages.push(text),
      exit: () => {},
      columns: 60,
    });
    const lines = results.join("\n").split("\n");
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(measureWidth(line)).toBeLessThanOrEqual(60);
    expect(lines[1]).toContain("…");
    expect(messages.join("\n")).toMatch(/left out, too wide for this terminal: .*status.*--json prints all/);
  });
});
