import { expect, test } from "vitest";
import { getShippedFile } from "../../src/package/shipped-files.ts";
import { createPolicyReference, POLICY_REFERENCE } from "../../src/web/policy-reference.ts";

const page = createPolicyReference(getShippedFile("docs/policy-reference.md"));

test("the reference of the policy file is a page with an anchor for each kind of rule, and loads nothing from other hosts", async () => {
  const response = await page.request(POLICY_REFERENCE);
  const html = await response.text();
  expect(response.status).toBe(200);
  for (const anchor of ["limits", "when", "usage", "budgets"]) expect(html).toContain(` id="${anchor}"`);
  expect(html).toContain('<li class="h2"><a href="#two-files">Two files</a></li>');
  expect(html).toContain(' id="two-files"');
  expect(html).not.toMatch(/<script|<img|href="(?!#|https:|\/"|\/docs\/policy"|\/assets\/)/);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
});
