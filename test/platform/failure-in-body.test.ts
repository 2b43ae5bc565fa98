import nock from "nock";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { getPushDisabled } from "../../src/platform/contract/settings.ts";
import type { Failure } from "../../src/platform/errors.ts";
import { closeNetwork } from "../world/network.ts";
import { createRig } from "./client-for-test.ts";

const HOST = "http://platform.test";
const params = { org: "acme", project: "shop" };
const words = (said: string) => `settings disabled: answered 200: ${said}`;

closeNetwork();

describe("a 200 whose body says what became of the call", () => {
  const said = async (api: "cost" | "registry" | "flags" | "provisioning", body: object) => {
    const response = api === "flags" ? ("empty" as const) : z.looseObject({});
    const endpoint = { ...getPushDisabled, api, response } as const;
    nock(HOST)
      .get(/settings\/disabled/)
      .reply(200, body);
    return createRig(HOST).client.call(endpoint, { params });
  };

  test.each<[string, Parameters<typeof said>, Partial<Failure>]>([
    [
      "cost management refuses",
      ["cost", { status: "FAILURE", code: "INVALID_REQUEST", message: "m", correlationId: "c1" }],
      { kind: "rejected", code: "INVALID_REQUEST", correlationId: "c1", message: words("FAILURE: m") },
    ],
    [
      "cost management breaks down",
      ["cost", { status: "ERROR", responseMessages: [{ message: "a" }, { message: "b" }] }],
      { kind: "unavailable", message: words("ERROR: a; b") },
    ],
    [
      "a registry refuses",
      [
        "registry",
        { status: "FAILURE", data: null, code: "400", message: "m", details: { url: "is wrong" } },
      ],
      {
        kind: "rejected",
        code: "400",
        fields: [{ field: "url", error: "is wrong" }],
        message: words("FAILURE: m; url: is wrong"),
      },
    ],
    [
      "a registry breaks down and does not say why",
      ["registry", { status: "ERROR", data: {} }],
      { kind: "unavailable", code: null, message: words("ERROR: no explanation") },
    ],
    [
      "a registry says it in lower case, with a message beside its data",
      ["registry", { status: "failure", data: { message: "taken" } }],
      { kind: "rejected", message: words("FAILURE: taken") },
    ],
    [
      "feature flags refuse",
      ["flags", { code: "404", message: "no such key", details: {} }],
      { kind: "not_found", code: "404", message: words("code 404: no such key") },
    ],
  ])("%s", async (_, [api, body], expected) => {
    expect(await said(api, body)).toMatchObject({ ok: false, failure: { status: 200, ...expected } });
  });

  test.each<[string, Parameters<typeof said>]>([
    ["cost management is done", ["cost", { status: "SUCCESS", data: null }]],
    ["a registry is done", ["registry", { status: "SUCCESS" }]],
    ["feature flags are done", ["flags", { code: "200", message: "updated", details: {} }]],
    ["a job of provisioning has a status of its own", ["provisioning", { job_id: 1, status: "FAILURE" }]],
  ])("%s", async (_, [api, body]) => {
    expect(await said(api, body)).toMatchObject({ ok: true });
  });
});
