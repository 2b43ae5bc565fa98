import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { formatForm, readForm } from "../../src/platform-server/http/form.ts";
import { write } from "../../src/platform-server/http/formats.ts";
import { usualEngine } from "../world/engines.ts";
import { Thing } from "./http-contract.ts";
import { openHttpWorld } from "./http-world.ts";
import { ACCOUNT } from "./platform-world.ts";

const world = await openHttpWorld(usualEngine());
afterAll(() => world.close());

const PATH = `/cf/admin/thing?accountIdentifier=${ACCOUNT}`;
const THINGS = `/code/api/v1/things?accountIdentifier=${ACCOUNT}`;
const post = (body: string | FormData | URLSearchParams, type?: string) =>
  world.fetch(PATH, {
    method: "POST",
    body,
    ...(type === undefined ? {} : { headers: { "content-type": type } }),
  });
const thing = {
  name: "a: b",
  size: 1.5,
  on: false,
  tags: ["x", "[y"],
  sizes: [1, 2],
  more: { deep: [1] },
  parts: [{ a: "1" }],
  labels: { aws: "AWS" },
};

describe("a request in one format is answered in it", () => {
  it.each(["application/json", "application/json; charset=utf-8", "APPLICATION/JSON"])("%s", async (type) => {
    const answer = await post(JSON.stringify(thing), type);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual(thing);
  });

  it.each(["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml; charset=utf-8"])(
    "%s",
    async (type) => {
      const answer = await post(stringify(thing), type);
      expect(answer.headers.get("content-type")).toBe("application/yaml; charset=utf-8");
      expect(parse(await answer.text())).toEqual(thing);
    },
  );

  it("and a refusal too", async () => {
    const yaml = await post("name: nobody", "text/yaml");
    expect([yaml.status, parse(await yaml.text())]).toMatchObject([404, { code: "404" }]);
    const form = await post(new URLSearchParams({ name: "nobody" }));
    expect([form.status, new URLSearchParams(await form.text()).get("code")]).toEqual([404, "404"]);
  });
});

describe("a request without a body is answered as the header Accept says", () => {
  it.each<[string | undefined, "json" | "yaml"]>([
    [undefined, "json"],
    ["*/*", "json"],
    ["application/json", "json"],
    ["text/html", "json"],
    ["multipart/form-data", "json"],
    ["application/yaml", "yaml"],
    ["text/html, text/yaml", "yaml"],
    ["application/json;q=0.5, application/yaml", "yaml"],
    ["application/json, application/yaml", "json"],
    ["application/yaml;q=0", "json"],
    ["*/*, application/yaml;q=0.5", "json"],
  ])("%s: %s", async (accept, format) => {
    const answer = await world.fetch(THINGS, accept === undefined ? {} : { headers: { accept } });
    expect(answer.headers.get("content-type")).toContain(`application/${format}`);
    const text = await answer.text();
    expect(format === "json" ? JSON.parse(text) : parse(text)).toEqual([
      { name: "a", size: 1 },
      { name: "b" },
    ]);
  });

  it("nothing stays nothing", async () => {
    const answer = await world.fetch(THINGS, { method: "DELETE", headers: { accept: "application/yaml" } });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  });

  it("our own operations know JSON alone", async () => {
    const headers = { accept: "application/yaml", "platform-account": ACCOUNT };
    const other = await world.fetch("/tollgate/v1/other", { headers });
    expect(other.headers.get("content-type")).toBe("application/json");
    const own = { "content-type": "application/yaml", "platform-account": ACCOUNT };
    const refused = await world.fetch("/tollgate/v1/other", { method: "PUT", headers: own, body: "name: x" });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([415, "application/vnd.goa.error"]);
  });
});

describe("every service of the documents", () => {
  const YAML = { "content-type": "application/yaml", "platform-account": ACCOUNT };
  const COST = "/gateway/ccm/api";

  it.each<[number, string, string, string]>([
    [400, "PUT", "/api/orgs/o/projects/p/thing", "name: 5"],
    [400, "POST", `${COST}/things?accountIdentifier=${ACCOUNT}`, "tags: 5"],
    [404, "POST", "/api/orgs/o/nothing", "name: x"],
    [404, "POST", `${COST}/nothing`, "name: x"],
  ])("refuses in the format of the request: %d of %s %s", async (...[status, method, path, body]) => {
    const answer = await world.fetch(path, { method, body, headers: YAML });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      status,
      "application/yaml; charset=utf-8",
    ]);
    expect(parse(await answer.text())).toMatchObject({ message: expect.any(String) });
  });

  it("a list is the field items, for each element or whole", async () => {
    const lists = `${COST}/lists?accountIdentifier=${ACCOUNT}`;
    const send = async (body: URLSearchParams) => {
      const answer = await world.fetch(lists, { method: "POST", body });
      return [answer.status, [...new URLSearchParams(await answer.text())]];
    };
    const [one, two] = ['{"size":1}', '{"size":2}'];
    const both: [string, string][] = [
      ["items", one],
      ["items", two],
    ];
    expect(await send(new URLSearchParams(both))).toEqual([200, both]);
    expect(await send(new URLSearchParams({ items: `[${one},${two}]` }))).toEqual([200, both]);
    expect(await send(new URLSearchParams({ items: one }))).toEqual([200, [["items", one]]]);
    for (const empty of [{ items: "[]" }, {}])
      expect(await send(new URLSearchParams(empty))).toEqual([200, [["items", "[]"]]]);
    for (const wrong of [{ item: one }, { items: "x" }, { items: one, size: "1" }])
      expect((await send(new URLSearchParams(wrong)))[0]).toBe(400);
  });

  it("a form without fields is an object without members", async () => {
    const things = `${COST}/things?accountIdentifier=${ACCOUNT}`;
    const form = await world.fetch(things, { method: "POST", body: new URLSearchParams() });
    expect([form.status, new URLSearchParams(await form.text()).get("status")]).toEqual([200, "SUCCESS"]);
  });

  it("YAML is taken up to 64 KiB, and written as JSON is where it would be longer", async () => {
    const things = `${COST}/things?accountIdentifier=${ACCOUNT}`;
    const tags = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`tag-${index}`, "x"]));
    const long = JSON.stringify({ tags });
    const refused = await world.fetch(things, { method: "POST", body: stringify({ tags }), headers: YAML });
    expect(refused.status).toBe(413);
    const headers = { "content-type": "application/json" };
    expect((await world.fetch(things, { method: "POST", body: long, headers })).status).toBe(200);
    const answer = write("yaml", { tags }, { status: 200, headers: {} });
    const text = await answer.text();
    expect(text).toBe(long);
    expect(parse(text)).toEqual({ tags });
  });

  it("a text in YAML is a text for readers of both versions, whatever it looks like", async () => {
    const looks = [
      "yes",
      "off",
      "n",
      "null",
      "~",
      "2026-01-01",
      "1_000",
      "0o7",
      "0777",
      "1:30",
      "1.50",
      "=",
      "<<",
    ];
    const body = { looks, of: Object.fromEntries(looks.map((text) => [text, text])) };
    const text = await write("yaml", body, { status: 200, headers: {} }).text();
    for (const version of ["1.1", "1.2"] as const) expect(parse(text, { version })).toEqual(body);
  });
});

describe("bodies that are not what they say", () => {
  const nested = "[".repeat(60_000);
  const bomb = `a: &a [x,x]\n${Array.from({ length: 40 }, (_, i) => `a${i}: &a${i} [*a${i === 0 ? "" : i - 1},*a${i === 0 ? "" : i - 1}]`).join("\n")}\nname: x`;
  it.each<[string, string, string]>([
    ["YAML that is none", "name: [", "text/yaml"],
    ["two documents", "name: a\n---\nname: b", "text/yaml"],
    ["a name twice", "name: a\nname: b", "text/yaml"],
    ["an alias", "name: &a x\ntags: [*a]", "text/yaml"],
    ["an alias bomb", bomb, "text/yaml"],
    ["deep YAML", nested, "text/yaml"],
    ["deep JSON", nested, "application/json"],
    ["a list", "- name: a", "text/yaml"],
    ["nothing", "", "text/yaml"],
    ["a date for a number", "name: x\nsize: 2026-01-01", "text/yaml"],
    ["no number", "name: x\nsize: .nan", "text/yaml"],
    ["U+0000 in YAML", 'name: "a\\0"', "text/yaml"],
    ["U+0000 in JSON", '{"name":"a\\u0000"}', "application/json"],
    ["U+0000 in a form", "name=a%00", "application/x-www-form-urlencoded"],
    ["multipart without its boundary", "name=x", "multipart/form-data"],
    ["multipart that breaks off", "--x\r\ncontent-disposition: form-data", "multipart/form-data; boundary=x"],
    ["a word for a number", "name=x&size=big", "application/x-www-form-urlencoded"],
    ["a number too many", "name=x&size=1&size=2", "application/x-www-form-urlencoded"],
    ["a word for a truth value", "name=x&on=yes", "application/x-www-form-urlencoded"],
    ["broken JSON inside a form", "name=x&more=%7B", "application/x-www-form-urlencoded"],
  ])("%s", async (_, body, type) => {
    const answer = await post(body, type);
    expect(answer.status).toBe(400);
    await answer.text();
  });

  it("files are not taken", async () => {
    const form = new FormData();
    form.append("name", new Blob(["x"]), "name.txt");
    expect((await post(form)).status).toBe(400);
    expect(world.errors).toEqual([]);
  });

  it("no member of a form reaches another object", async () => {
    const answer = await post("name=x&__proto__=y&constructor=z", "application/x-www-form-urlencoded");
    expect([answer.status, await answer.text()]).toEqual([200, "name=x"]);
  });
});

describe("a form says what JSON says", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 20 });
  const any = fc.record(
    {
      name: text,
      size: fc.integer(),
      on: fc.boolean(),
      sizes: fc.array(
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((n) => n + 0),
      ),
      tags: fc.array(
        fc.oneof(
          text,
          text.map((inner) => JSON.stringify([inner])),
        ),
      ),
      more: fc.record({ deep: fc.array(fc.integer()) }),
      parts: fc.array(fc.record({ a: text })),
      labels: fc.dictionary(text, text),
    },
    { requiredKeys: ["name"] },
  );
  it("for any thing", () => {
    fc.assert(
      fc.property(any, (value) => {
        expect(readForm(Thing, formatForm(value))).toEqual(value);
      }),
    );
  });
});
