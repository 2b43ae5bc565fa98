import type { CookieOptions } from "hono/utils/cookie";

/** Names and attributes of the cookies, by the address at which browsers reach these pages. */
export interface Cookies {
  /** Of a browser that is signed in. */
  readonly session: string;
  /** Of a sign-in that has begun. */
  readonly begun: string;
  readonly options: CookieOptions;
}

/**
 * With TLS, the prefix `__Host-` makes browsers refuse such a cookie from another host and without `Secure`. Lax: the cookie must be
 * sent on GitHub's redirect to these pages, and with no form of another site.
 */
export function nameCookies(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith("https:");
  const prefix = secure ? "__Host-" : "";
  return {
    session: `${prefix}tollgate`,
    begun: `${prefix}tollgate-sign-in`,
    options: { httpOnly: true, sameSite: "Lax", path: "/", secure },
  };
}
