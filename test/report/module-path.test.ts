import { expect, test } from "vitest";
import { deriveModulePath, parseResourceType } from "../../src/report/model/module-path.ts";

test.each([
  ["aws_instance.web", "root"],
  ["aws_instance.web[0]", "root"],
  ['aws_instance.web["module.x.y"]', "root"],
  ["data.aws_ami.this", "root"],
  ["module.web.aws_instance.this", "web"],
  ["module.web[0].aws_instance.this[1]", "web"],
  ['module.web["eu.west[1]"].module.db["a\\"].b"].aws_instance.this', "web.db"],
  ["module.module.aws_instance.module", "module"],
  ["module.web.data.aws_ami.this", "web"],
  ["module_x.y", "root"],
  ["module.", ""],
  ["module.web.module.", "web."],
  ["", "root"],
])("%s stands in module %s", (address, module) => {
  expect(deriveModulePath(address)).toBe(module);
});

test.each([
  ["aws_instance.web", "aws_instance"],
  ['module.web["a.b"].module.db.aws_instance.this["x"]', "aws_instance"],
  ["module.web.data.aws_ami.this", "aws_ami"],
  ["module.web", ""],
  ["output", ""],
  ["", ""],
])("%s is of type %s", (address, type) => {
  expect(parseResourceType(address)).toBe(type);
});

test("a hostile address takes no longer than a harmless one", () => {
  const hostile = `module.a["${'\\"'.repeat(200_000)}`;
  // A quadratic reading would outlast the test's own time limit.
  expect(deriveModulePath(hostile)).toBe("");
});
