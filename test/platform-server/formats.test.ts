import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { formOf, readForm } from "../../src/platform-server/http/body/form.ts";
import { engines } from "../world/engines.ts";
import { Thing } from "./door-contract.ts";
import { type DoorWorld, openDoor } from "./door-world.ts";
import { ACCOUNT } from "./platform-world.ts";

const [engine] = engines();
if (engine === undefined) throw new Error("there is always the embedded engine");

let world: DoorWorld;
beforeAll(async () => {
  world = await openDoor(engine);
});
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
const fieldsOf = (form: FormData): [string, string][] => [...form].map(([name, value]) => [name, `${value}`]);

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

  it("multipart/form-data", async () => {
    const form = new FormData();
    for (const [name, text] of formOf(thing)) form.append(name, text);
    const answer = await post(form);
    expect(answer.headers.get("content-type")).toMatch(/^multipart\/form-data; boundary=/);
    expect(fieldsOf(await answer.formData())).toEqual(fieldsOf(form));
  });

  it("application/x-www-form-urlencoded", async () => {
    const answer = await post(new URLSearchParams(formOf(thing)));
    expect(answer.headers.get("content-type")).toMatch(/^application\/x-www-form-urlencoded/);
    expect(await answer.text()).toBe(
      "name=a%3A+b&size=1.5&on=false&tags=x&tags=%5By&sizes=1&sizes=2&more=%7B%22deep%22%3A%5B1%5D%7D&parts=%7B%22a%22%3A%221%22%7D&labels=%7B%22aws%22%3A%22AWS%22%7D",
    );
  });

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

  it("a service of JSON alone knows no other", async () => {
    const headers = { accept: "application/yaml" };
    const cost = await world.fetch(`/ccm/api/maybe?accountIdentifier=${ACCOUNT}`, {
      method: "POST",
      headers,
    });
    expect(cost.headers.get("content-type")).toBe("application/json");
    for (const type of [
      "application/yaml",
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
    ]) {
      const own = { "content-type": type, "platform-account": ACCOUNT };
      const init = { method: "PUT", headers: own, body: "name: x" };
      const refused = await world.fetch("/api/orgs/o/projects/p/thing", init);
      expect([refused.status, refused.headers.get("content-type")]).toEqual([
        415,
        "application/vnd.goa.error",
      ]);
    }
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
      sizes: fc.array(fc.integer(), { minLength: 1 }),
      // A single text that is itself a JSON list would be read as the list.
      tags: fc.array(text, { minLength: 2 }),
      more: fc.record({ deep: fc.array(fc.integer()) }),
      parts: fc.array(fc.record({ a: text }), { minLength: 1 }),
      labels: fc.dictionary(text, text),
    },
    { requiredKeys: ["name"] },
  );
  it("for any thing", () => {
    fc.assert(
      fc.property(any, (value) => {
        expect(readForm(Thing, formOf(value))).toEqual(value);
      }),
    );
  });
});
