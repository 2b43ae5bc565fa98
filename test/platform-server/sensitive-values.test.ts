import { afterAll, describe, expect, it } from "vitest";
import { apiCommand } from "../../src/cli/commands/api.ts";
import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { endpoints } from "../../src/platform/contract/registry.ts";
import { CATEGORIES } from "../../src/platform/contract/resource-changes.ts";
import { typed } from "../cli/run-command.ts";
import { type Canary, findLeaks } from "../world/canaries.ts";
import { dumpTables } from "../world/dump.ts";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT } from "./platform-world.ts";
import { change, commit, createStage, STAGE, upload } from "./stories.ts";
import {
  ARTIFACT,
  openWebhookWorld,
  REGISTRY,
  REGISTRY_REF,
  registryHook,
  repoPath,
  spacePath,
} from "./webhooks-world.ts";

const CANARIES: Canary[] = [];
/** A value that no read may show, named after the place that the documents mark as sensitive. */
function canary(name: string): string {
  const secret = `canary ${CANARIES.length} of ${name} / hunter2`;
  CANARIES.push({ name, secret });
  return secret;
}

/** One changed resource with a secret in every place that an element can mark, each by one mark only. */
function markedChange(category: string, kind: string) {
  const at = (place: string) => canary(`${category}: ${place}`);
  return change(kind, "db", {
    attributes: {
      size: "large",
      password: at("an attribute whose change is sensitive"),
      token: { value: at("an attribute among sensitive_attributes") },
      settings: { login: [at("an attribute that holds a value whose change is sensitive")] },
      tls: at("an attribute that is sensitive as a whole"),
    },
    changes: {
      size: { change: kind, drift: false, old: "small", new: "large", sensitive: false },
      password: { change: kind, drift: false, old: at("old"), new: at("new"), sensitive: true },
      token: { change: kind, drift: false, old: at("old of a sensitive attribute"), new: at("new of one") },
      "settings.login[0]": {
        change: kind,
        old: at("old in a list"),
        new: at("new in a list"),
        sensitive: true,
      },
      "tls.key": { change: kind, old: at("old inside a sensitive attribute"), new: at("new inside one") },
    },
    sensitive_attributes: ["token", "tls"],
  });
}

const markedState = (category: string) => ({
  provider: "aws",
  type: "aws_db_instance",
  name: "db",
  module: "root",
  attributes: {
    size: "large",
    password: canary(`${category}: an attribute among sensitive_attributes`),
    login: canary(`${category}: an attribute whose change is sensitive`),
  },
  drift_attributes: { password: canary(`${category}: a drifted attribute`) },
  changes: { login: { old: canary(`${category}: old`), new: canary(`${category}: new`), sensitive: true } },
  sensitive_attributes: ["password"],
});

const OUTPUT = {
  name: "connection",
  sensitive: true,
  change: "changed",
  value: { url: canary("outputs: value") },
  old: canary("outputs: old value"),
  new: canary("outputs: new value"),
  attributes: { value: canary("outputs: attributes, which outputs do not have") },
};

const ROWS = {
  planned_changes: [markedChange("planned_changes", "changed")],
  unchanged: [markedChange("unchanged", "unchanged")],
  drift_changes: [markedChange("drift_changes", "changed")],
  resources: [markedState("resources")],
  data_sources: [markedState("data_sources")],
  outputs: [OUTPUT],
};

const HEADERS = (name: string) => [{ key: "X-Token", value: canary(name), masked: true }];
const CODE_HOOK = { identifier: "hook", display_name: "Hook", enabled: true, insecure: false };
const FLAGS = `accountIdentifier=${ACCOUNT}&orgIdentifier=o&projectIdentifier=p&environmentIdentifier=e`;

/** Everything that can be named in a path or must be in a query, by the name of the parameter. */
const NAMED: Readonly<Record<string, string>> = {
  org: "acme",
  project: "payments",
  pipeline_execution_id: "run-1",
  pipeline_stage_id: "stage-1",
  ordinal: "0",
  registry_ref: REGISTRY_REF,
  webhook_identifier: "hook",
  repo_identifier: "shop",
  orgIdentifier: "o",
  projectIdentifier: "p",
  environmentIdentifier: "e",
  identifier: "sdk",
};
const AREAS = ["executions", "registry-webhooks", "code-webhooks", "feature-flag-keys"];
const READS = endpoints.filter(
  ({ method, area, operation }) => method === "GET" && AREAS.includes(area) && !operation.includes("cost"),
);

describe.each(usualEngines())("what a document marks as sensitive on $name", async (engine) => {
  const world = await openWebhookWorld(engine);
  await createStage(world);
  for (const [category, elements] of Object.entries(ROWS)) {
    expect(await upload(world, `${category}/1`, elements)).toMatchObject({ status: 200 });
  }
  await upload(world, "planned_changes/1?change=changed", ROWS.planned_changes);
  await upload(world, "drift_changes/1?change=changed", ROWS.drift_changes);
  expect((await commit(world)).status).toBe(200);
  await createsWebhooks();
  const key = { identifier: "sdk", name: "SDK", type: "Server" };
  const made = await world.call("POST", `/cf/admin/apikey?${FLAGS}`, { json: key });
  CANARIES.push({ name: "a feature-flag key", secret: made.body.key });
  CANARIES.push({ name: "an API token", secret: world.key });
  afterAll(() => world.close());

  /** Webhooks with secrets, each delivered once to a target that quotes what it is sent. */
  async function createsWebhooks(): Promise<void> {
    world.receiver.answers((response, { headers, body }) => {
      const quoted = JSON.stringify(headers);
      response.writeHead(200, { "x-quoted": `${headers["x-token"]}` }).end(`${quoted} ${body}`);
    });
    const { url } = world.receiver;
    const registry = registryHook(url, { extraHeaders: HEADERS("registry webhook: masked header") });
    const code = (name: string) => ({
      ...CODE_HOOK,
      url,
      secret: canary(`${name} webhook: secret`),
      extra_headers: HEADERS(`${name} webhook: masked header`),
    });
    expect((await world.call("POST", REGISTRY, { json: registry })).status).toBe(201);
    expect((await world.call("POST", repoPath(), { json: code("repository") })).status).toBe(201);
    expect((await world.call("POST", spacePath(), { json: code("space") })).status).toBe(201);
    await world.emit({ event: "artifact_created", registry_ref: REGISTRY_REF, payload: ARTIFACT });
    await world.emit({ event: "branch_created", repository: "shop", org: "o", project: "p" });
    expect(await world.workOff()).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(world.receiver.heard)).toContain("canary");
  }

  const namesOf = ({ params, query }: Endpoint): readonly string[] => [
    ...Object.keys(params?.shape ?? {}),
    ...Object.keys(query?.shape ?? {}).filter((name) => name in NAMED),
  ];

  /** Values for the parameters of a read, once for each category and execution of a webhook that there is. */
  async function callsOf(endpoint: Endpoint): Promise<readonly Readonly<Record<string, string>>[]> {
    const { area, operation } = endpoint;
    const base = Object.fromEntries(namesOf(endpoint).map((name) => [name, NAMED[name] ?? ""]));
    if ("category" in base) return CATEGORIES.map((category) => ({ ...base, category }));
    if (!("webhook_execution_id" in base)) return [base];
    const list =
      area === "registry-webhooks"
        ? (await world.call("GET", `${REGISTRY}/hook/executions`)).body.data.executions
        : (
            await world.call(
              "GET",
              (operation.startsWith("repo-") ? repoPath : spacePath)("/hook/executions"),
            )
          ).body;
    return list.map(({ id }: { id: number }) => ({ ...base, webhook_execution_id: String(id) }));
  }

  const api = (...words: readonly string[]) =>
    typed(
      ["api", ...words, "--url", world.url, "--token", world.key, "--account", ACCOUNT],
      [{ name: "api", summary: "", load: async () => apiCommand }],
    );

  it.each(READS.map((endpoint) => [`${endpoint.area} ${endpoint.operation}`, endpoint] as const))(
    "is in no answer of `tollgate api %s`, for people and for programs",
    async (_, endpoint) => {
      const calls = await callsOf(endpoint);
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) {
        const flags = Object.entries(call).map(([name, value]) => `--${kebab(name)}=${value}`);
        const { area, operation } = endpoint;
        const [people, programs] = [
          await api(area, operation, ...flags),
          await api(area, operation, ...flags, "--json"),
        ];
        expect([people.code, programs.code, people.messages]).toEqual([0, 0, expect.anything()]);
        expect(findLeaks(JSON.stringify([people, programs]), CANARIES)).toEqual([]);
      }
    },
  );

  it("is in no answer to a delivery that is repeated", async () => {
    const [{ id }] = (await world.call("GET", repoPath("/hook/executions"))).body;
    const repeated = await world.call("POST", repoPath(`/hook/executions/${id}/retrigger`));
    expect(repeated.status).toBe(200);
    expect(findLeaks(JSON.stringify(repeated.body), CANARIES)).toEqual([]);
  });

  it("is nowhere in the database", async () => {
    expect(findLeaks(await dumpTables(world.store), CANARIES)).toEqual([]);
  });

  it("is withheld by name, and what is not sensitive is shown", async () => {
    const { body } = await world.call("GET", `${STAGE}/resource-changes/planned_changes/rows/0`);
    const withheld = "(sensitive value)";
    expect(body.attributes).toEqual({
      size: "large",
      password: withheld,
      token: withheld,
      settings: withheld,
      tls: withheld,
    });
    expect(body.sensitive_attributes).toEqual(["token", "tls", "password", "settings"]);
    expect(body.changes).toMatchObject({
      size: { old: "small", new: "large" },
      password: { old: withheld, new: withheld, sensitive: true },
      token: { old: withheld, new: withheld },
      "settings.login[0]": { old: withheld, new: withheld, sensitive: true },
      "tls.key": { old: withheld, new: withheld },
    });
    const output = await world.call("GET", `${STAGE}/resource-changes/outputs/rows/0`);
    expect(output.body).toMatchObject({
      value: withheld,
      changes: { value: { old: withheld, new: withheld } },
      attributes: {},
      sensitive_attributes: ["value"],
    });
    expect(world.errors).toEqual([]);
  });
});

const kebab = (name: string): string =>
  name.replaceAll("_", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
