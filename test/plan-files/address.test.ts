import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mapKeys, parseAddress, parseModulePath } from "../../src/plan-files/address.ts";

const name = fc.stringMatching(/^[a-z_][a-z0-9_-]{0,12}$/);
/** An instance key as the tools write it: a number, or any text in quotes with its quotes and backslashes escaped. */
const key = fc.oneof(
  fc.constant(""),
  fc.nat(999).map((index) => `[${index}]`),
  fc.string().map((text) => `["${text.replace(/["\\]/g, "\\$&")}"]`),
);
const step = fc.tuple(name, key);
const address = fc.record({
  modules: fc.array(step, { maxLength: 4 }),
  data: fc.boolean(),
  type: name,
  last: step,
});

const written = ({ modules, data, type, last }: typeof address extends fc.Arbitrary<infer A> ? A : never) =>
  [
    ...modules.map(([own, index]) => `module.${own}${index}`),
    ...(data ? ["data"] : []),
    type,
    last.join(""),
  ].join(".");

describe("addresses", () => {
  test("are split into parts whatever their instance keys contain", () => {
    fc.assert(
      fc.property(address, (parts) => {
        const modules = parts.modules.map(([own]) => own);
        const mode = parts.data ? "data" : "managed";
        expect(parseAddress(written(parts))).toEqual({
          modules,
          mode,
          type: parts.type,
          name: parts.last[0],
        });
        expect(parseModulePath(written(parts))).toBe(modules.length === 0 ? "root" : modules.join("."));
      }),
    );
  });

  test.each([
    ['module.a["x.y"].module.b[0].aws_x.y', "a.b"],
    ['module.a["]"].module.b["\\"."].aws_x.y["module.c.d.e"]', "a.b"],
    ["module.a['x.y'].module.b[c.d].aws_x.y['z']", "a.b"],
    ["module.module.aws_x.y", "module"],
    ["aws_x.y", "root"],
    ["data.aws_ami.module", "root"],
  ])("%s stands in %s", (text, path) => {
    expect(parseModulePath(text)).toBe(path);
  });

  test.each(["", ".", "x", "x..y", "x.y.", "module.a", "a.b.c", 'a.b["open', "a b.c"])(
    "%j is none",
    (text) => {
      expect(parseAddress(text)).toBeNull();
    },
  );

  test("lose only the text in their quoted keys", () => {
    const masked = mapKeys('module.a["s3cret"].x.y[0].z["a \\"s3cret\\""]', (text) =>
      text.replace("s3cret", "***"),
    );
    expect(masked).toBe('module.a["***"].x.y[0].z["a \\"***\\""]');
  });
});
