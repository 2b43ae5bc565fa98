import { Hono } from "hono";
import type { ReferencePage } from "./reference-page.ts";

/** The description of the platform's operations, for programs and for people. */
export interface ApiReference {
  /** The OpenAPI document as JSON. */
  readonly json: string;
  readonly page: ReferencePage;
}

/**
 * `GET /tollgate/v1/openapi.json` and `GET /tollgate/v1/reference` describe the platform's operations. They contain no customer
 * data, so they need no token. `make` is called at the first request of either.
 */
export function createReferenceRoute(make: () => Promise<ApiReference>): Hono {
  let made: Promise<ApiReference> | null = null;
  const reference = (): Promise<ApiReference> => {
    made ??= make().catch((error: unknown) => {
      made = null; // the next request tries again
      throw error;
    });
    return made;
  };
  const app = new Hono();
  app.get("/tollgate/v1/openapi.json", async () => {
    const { json } = await reference();
    return new Response(json, { headers: { ...HEADERS, "content-type": "application/json" } });
  });
  app.get("/tollgate/v1/reference", async () => {
    const { html, contentSecurityPolicy } = (await reference()).page;
    const own = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy,
    };
    return new Response(html, { headers: { ...HEADERS, ...own } });
  });
  return app;
}

const HEADERS = {
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};
