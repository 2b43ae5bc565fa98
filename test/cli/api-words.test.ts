import { Command } from "@commander-js/extra-typings";
import { describe, expect, test } from "vitest";
import { listFlags } from "../../src/cli/api/flags.ts";
import { readInput } from "../../src/cli/api/operation.ts";
import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { contract, endpoints } from "../../src/platform/contract/registry.ts";
import { getEndpointPath } from "../../src/platform/contract/wire/codec.ts";
import { typed } from "./run-command.ts";

/** Options of operations that are no parameters. */
const OTHER_OPTIONS = ["all", "body", "json", "url", "token", "account", "dialect"];

const OPERATIONS = endpoints.map((endpoint) => [`${endpoint.area} ${endpoint.operation}`, endpoint] as const);

describe("the list of operations", () => {
  test("has one row for every endpoint, with exactly these members", async () => {
    const { code, results } = await typed(["api", "--list", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(results)).toEqual(
      endpoints.map((endpoint) => ({
        area: endpoint.area,
        operation: endpoint.operation,
        method: endpoint.method,
        path: getEndpointPath(endpoint),
        ...(endpoint.extra === true ? { extra: true } : {}),
      })),
    );
  });

  test("names cost management with its gateway, provisioning as its document writes it", () => {
    expect(getEndpointPath(contract.listRecommendations)).toBe(
      "/gateway/ccm/api/recommendation/overview/list",
    );
    expect(getEndpointPath(contract.listExecutions)).toBe("/api/orgs/{org}/projects/{project}/executions");
    expect(getEndpointPath(contract.listExecutions, "live")).toMatch(/^\/gateway\/iacm\/api\/orgs\//);
    expect(getEndpointPath(contract.listRecommendations, "live")).toBe(
      getEndpointPath(contract.listRecommendations),
    );
  });

  test("has no two of one name", () => {
    expect(new Set(OPERATIONS.map(([name]) => name)).size).toBe(endpoints.length);
  });

  test("of one area, for people and for programs", async () => {
    const people = await typed(["api", "settings"]);
    expect(people.results).toMatch(/^ {2}settings disabled +GET /m);
    const rows: readonly { area: string }[] = JSON.parse(
      (await typed(["api", "settings", "--json"])).results,
    );
    expect(new Set(rows.map(({ area }) => area))).toEqual(new Set(["settings"]));
  });
});

describe.each(OPERATIONS)("%s", (name, endpoint) => {
  const flags = listFlags(endpoint);

  test("has one flag for each parameter, and none that is taken", () => {
    const names = flags.map(({ option }) => option.name());
    const declared = (["params", "query", "headers"] as const).flatMap((part) =>
      Object.keys(endpoint[part]?.shape ?? {}),
    );
    expect(flags.map(({ member }) => member)).toEqual(declared);
    expect(new Set(names).size).toBe(names.length);
    for (const flag of names) {
      expect(flag).toMatch(/^[a-z][a-z0-9-]*$/);
      expect([...OTHER_OPTIONS, "help", "list"]).not.toContain(flag);
    }
  });

  test("shows its parameters, method, path and source", async () => {
    const { code, results } = await typed(["api", ...name.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(results).toContain(`${endpoint.method} ${getEndpointPath(endpoint)}`);
    expect(results).toContain(endpoint.source);
    for (const flag of flags) expect(results).toContain(flag.option.flags);
    expect(results.includes("--body <FILE>")).toBe(endpoint.body !== undefined);
    expect(results.includes("--all")).toBe(endpoint.pagination !== undefined);
  });

  test("says which required parameters are missing, and makes no call", async () => {
    const missing = flags.filter(({ required }) => required);
    if (missing.length === 0) return;
    const { code, messages, results } = await typed(["api", ...name.split(" ")]);
    expect([code, results]).toEqual([2, ""]);
    for (const flag of missing) expect(messages[0]).toContain(`${flag.option.flags} is missing.`);
  });
});

/** What the words become, without a call. */
const inputOf = (endpoint: Endpoint, words: readonly string[]) => {
  const flags = listFlags(endpoint);
  const command = new Command();
  for (const { option } of flags) command.addOption(option);
  return readInput(endpoint, flags, command.parse(words, { from: "user" }).opts());
};

describe("flags become a request", () => {
  const stage = "--org o --project p --pipeline-execution-id e --pipeline-stage-id s".split(" ");

  test("texts, numbers, repeated ones", async () => {
    const words = [...stage, ..."--category resources --page-size 5 --type a --type=b".split(" ")];
    expect(await inputOf(contract.listChangeRows, words)).toEqual({
      params: {
        org: "o",
        project: "p",
        pipeline_execution_id: "e",
        pipeline_stage_id: "s",
        category: "resources",
      },
      query: { page_size: 5, type: ["a", "b"] },
      headers: {},
    });
  });

  test.each([
    ["--exclude-state", true],
    ["--exclude-state=true", true],
    ["--exclude-state=false", false],
  ])("a switch: %s", async (word, value) => {
    const words = ["--org", "o", "--project", "p", "--pipeline-execution-id", "e", word];
    const { query } = await inputOf(contract.listChanges, words);
    expect(query).toEqual({ exclude_state: value });
  });

  test("values of enumerations in the words of any dialect", async () => {
    const words = (cloud: string) => ["--cloud-provider", cloud];
    expect(listFlags(contract.listPromptResources).map(({ option }) => option.name())).toContain(
      "cloud-provider",
    );
    for (const cloud of ["CLOUD_1", "AWS"])
      expect((await inputOf(contract.listPromptResources, words(cloud))).query).toEqual({
        cloudProvider: cloud,
      });
  });
});

describe("typing something wrong", () => {
  const list = ["api", "executions", "list"];
  test.each([
    [["api"], "An area and an operation are missing."],
    [["api", "excutions", "list"], "unknown command 'excutions' (Did you mean executions?)"],
    [["api", "executions", "lst"], "unknown command 'lst' (Did you mean list?)"],
    [[...list, "--org", "o", "--prject", "p"], "unknown option '--prject' (Did you mean --project?)"],
    [[...list, "--org", "o"], "--project <PROJECT> is missing. (1 to 128 characters)"],
    [
      [...list, "--org", "o", "--project", "p", "--status", "don"],
      "option '--status <STATUS...>' argument 'don' is invalid. Allowed choices are none, success, failure.",
    ],
    [
      [...list, "--org", "o", "--project", "p", "--limit", "101"],
      "--limit 101: expected at most 100 (1 to 100; default 30)",
    ],
    [
      [...list, "--org", "o", "--project", "p", "--limit", "ten"],
      '--limit "ten": expected a whole number (1 to 100; default 30)',
    ],
    [["api", "executions", "create", "--org", "o", "--project", "p"], /^--body <FILE> is missing/],
  ])("%j", async (words, message) => {
    const { code, messages, results } = await typed(words);
    expect([code, results]).toEqual([2, ""]);
    if (typeof message === "string") expect(messages[0]).toBe(message);
    else expect(messages[0]).toMatch(message);
  });

  test("an unknown area or operation brings the way to the list", async () => {
    expect((await typed(["api", "x", "y"])).messages[1]).toBe("Run `tollgate api --help` for its commands.");
    expect((await typed(["api", "settings", "y"])).messages[1]).toBe(
      "Run `tollgate api settings --help` for its commands.",
    );
  });
});
