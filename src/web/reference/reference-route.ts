import { Hono } from "hono";
import type { ReferencePage } from "./reference-page.ts";

/** The description of the platform's operations, for programs and for people. */
export interface ApiReference {
  /** The OpenAPI document as JSON. */
  readonly json: string;
  readonly page: ReferencePage;
}

/**
 * `GET /tollgate/v1/openapi.json` and `GET /tollgate/v1/reference`: what the platform's operations are. They hold nobody's
 * data and are the same for everybody, so they need no token. `make` is called when either is first asked for.
 */
export function referenceRoute(make: () => Promise<ApiReference>): Hono {
  let made: Promise<ApiReference> | null = null;
  const reference = (): Promise<ApiReference> => {
    made ??= make().catch((error: unknown) => {
      made = null; // the next one who asks may be luckier
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
