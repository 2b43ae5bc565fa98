import { expect, test } from "vitest";
import { getMarkdownStyle, getShippedFile } from "../../src/package/shipped-files.ts";
import { createPolicyReference, POLICY_REFERENCE } from "../../src/web/policy-reference.ts";

const page = createPolicyReference({
  markdown: getShippedFile("docs/policy-reference.md"),
  style: getMarkdownStyle(),
});

test("the reference of the policy file is a page with an anchor for each kind of rule, and loads nothing from other hosts", async () => {
  const response = await page.request(POLICY_REFERENCE);
  const html = await response.text();
  expect(response.status).toBe(200);
  for (const anchor of ["limits", "when", "usage", "budgets"]) expect(html).toContain(` id="${anchor}"`);
  expect(html).toContain('<a href="#two-files">');
  expect(html).toContain(' id="two-files"');
  expect(html).not.toMatch(/<script|<img|href="(?!#|https:|\/docs\/policy\/style\.css")/);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("its styles are served beside it", async () => {
  const response = await page.request(`${POLICY_REFERENCE}/style.css`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/css; charset=utf-8"]);
});
