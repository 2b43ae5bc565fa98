import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

/**
 * Headers of every page for people: no scripts or styles but our own files, no frames, no other host, and nothing that a browser or a
 * proxy keeps.
 */
export const setPageHeaders = (): readonly MiddlewareHandler[] => [
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: "same-origin",
    xFrameOptions: "DENY",
    strictTransportSecurity: false, // the operator's reverse proxy terminates TLS and decides
  }),
  async (context, next) => {
    await next();
    if (!context.res.headers.has("cache-control")) context.header("cache-control", "private, no-store");
  },
];
