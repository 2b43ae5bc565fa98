import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../src/platform/contract/registry.ts";
import { openApiDocument } from "../../src/platform/openapi/document.ts";
import { readSettings } from "../../src/settings/read.ts";
import type { ApiDocument } from "../../src/web/reference/api-document.ts";
import { buildMemberRows } from "../../src/web/reference/member-rows.ts";
import { renderReferencePage } from "../../src/web/reference/reference-page.ts";
import { servePlatform } from "../../src/wiring/platform/serve.ts";
import { createLog } from "../../src/wiring/process/log.ts";
import { loadTemplates } from "../../src/wiring/process/templates.ts";

describe("the embedded platform", () => {
  let directory: string;
  let served: Awaited<ReturnType<typeof servePlatform>>;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "tollgate-reference-"));
    const settings = readSettings({ TOLLGATE_DATA: directory, PORT: "0", HOST: "127.0.0.1" });
    served = await servePlatform(settings, createLog("silent"));
  });
  afterAll(async () => {
    await served.stop();
    rmSync(directory, { recursive: true });
  });

  test("gives its document to anybody, as the contract makes it", async () => {
    const response = await fetch(`${served.url}/tollgate/v1/openapi.json`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    const document = JSON.parse(await response.text());
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
    expect((await new Validator().validate(document)).valid).toBe(true);
  });

  test("gives a page of it that may run and load nothing", async () => {
    const response = await fetch(`${served.url}/tollgate/v1/reference`);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; /,
    );
    const html = await response.text();
    expect(html).not.toMatch(/<script|<img|<link|javascript:|\son\w+=|\sstyle=/i);
    for (const { area, operation } of endpoints) expect(html).toContain(`tollgate api ${area} ${operation}<`);
  });

  test("still asks everybody else for a token", async () => {
    expect((await fetch(`${served.url}/tollgate/v1/ingest`, { method: "POST" })).status).toBe(401);
    expect((await fetch(`${served.url}/api/orgs/o/projects/p/executions`)).status).toBe(401);
  });
});

describe("the page", () => {
  const whole = openApiDocument() as unknown as ApiDocument;
  const page = (document: ApiDocument) => renderReferencePage(document, loadTemplates()).html;

  test("has a section for every operation and every shape, and no link leads nowhere", () => {
    const html = page(whole);
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const methods = Object.values(whole.paths).flatMap((path) => Object.values(path));
    for (const { operationId } of methods) expect(ids).toContain(operationId);
    expect(methods).toHaveLength(endpoints.length);
    for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  test("shows texts literally, whatever they contain", () => {
    const evil = { title: "<script>alert(1)</script>", description: "`<b>` & <img src=x>" };
    const html = page({ ...whole, info: evil });
    expect(html).toContain("<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>");
    expect(html).toContain("<p><code>&lt;b&gt;</code> &amp; &lt;img src&#x3D;x&gt;</p>");
  });

  test("shows what is inside a shape, however deep", () => {
    const rows = buildMemberRows({
      type: "object",
      required: ["items"],
      properties: {
        items: {
          type: "array",
          items: { type: "object", properties: { id: { type: "string", maxLength: 8 } } },
        },
        next: { anyOf: [{ $ref: "#/components/schemas/Page" }, { type: "null" }], description: "More." },
      },
    });
    expect(rows).toEqual([
      { name: "items", depth: 0, required: true, type: "list of object", shapes: [], limits: "", words: "" },
      {
        name: "id",
        depth: 1,
        required: false,
        type: "text",
        shapes: [],
        limits: "at most 8 characters",
        words: "",
      },
      {
        name: "next",
        depth: 0,
        required: false,
        type: "Page or null",
        shapes: ["Page"],
        limits: "",
        words: "More.",
      },
    ]);
  });
});
