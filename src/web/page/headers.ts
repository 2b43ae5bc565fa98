import type { Context, MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { secureHeaders } from "hono/secure-headers";

/**
 * Headers of every page for people: no scripts or styles but our own files, no frames, no other host, and, unless the answer says
 * something else, nothing that a browser or a proxy keeps.
 */
export const setPageHeaders = (
  referrerPolicy: "same-origin" | "strict-origin-when-cross-origin" = "same-origin",
): MiddlewareHandler =>
  every(
    async (context, next) => {
      await next();
      const { headers } = context.res;
      if (!headers.has("cache-control")) context.header("cache-control", "private, no-store");
      const target: string | undefined = context.get(FORM_TARGET);
      const policy = headers.get(POLICY)?.replace(OWN_FORMS, `${OWN_FORMS} ${target}`);
      if (target !== undefined) context.header(POLICY, policy);
    },
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
      referrerPolicy,
      xFrameOptions: "DENY",
      strictTransportSecurity: false, // the operator's reverse proxy terminates TLS and decides
    }),
  );

const POLICY = "content-security-policy";
const OWN_FORMS = "form-action 'self'";
const FORM_TARGET = "formTarget";

/** Lets the form of an answer be sent to one other origin. */
export const allowFormTarget = (context: Context, origin: string): void => context.set(FORM_TARGET, origin);
