import { APIS } from "../apis.ts";
import type { Endpoint } from "../endpoint.ts";
import { DIALECTS, type DialectName } from "./dialect.ts";

/** Returns an endpoint's whole path in a dialect, with the service's prefix and the documents' `{names}`. */
export const getEndpointPath = ({ api, path }: Endpoint, dialect: DialectName = "neutral"): string =>
  (APIS[api].prefix ?? DIALECTS[dialect].prefix) + path;
